// File: simulator/tool/cuda_libraries.h
//
// NVIDIA's libraries by the names that programs know them by: -lNAME and their headers. Those that
// the simulator replaces are part of it; a program that wants another one is told so.

#ifndef ANDREA_SIMULATOR_TOOL_CUDA_LIBRARIES_H_
#define ANDREA_SIMULATOR_TOOL_CUDA_LIBRARIES_H_

#include <string_view>

namespace simulator {

struct CudaLibrary {
  std::string_view name;           // As NVIDIA writes it.
  std::string_view link_name;      // What -l names; also the begin of its parts' names.
  std::string_view header_prefix;  // What the names of its headers begin with.
  bool is_simulated;               // else a program that needs it is refused
};

// nullptr if it is none of NVIDIA's. `link_name` is without -l.
const CudaLibrary* find_cuda_library(std::string_view link_name);

// The library that `header` belongs to, as in #include <curand_kernel.h>; else nullptr.
const CudaLibrary* find_library_of_header(std::string_view header);

// Likewise of a path at which the compiler found a header.
const CudaLibrary* find_library_of_path(std::string_view path);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_CUDA_LIBRARIES_H_
