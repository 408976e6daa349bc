// File: simulator/library_call.h
//
// How a library of plain C++ (the BLAS calls, a kernel written for the CPU) puts its work into a
// stream, and says which memory the work reads and writes. To the program it is one kernel; the
// checker, which cannot see into it, goes by what is declared.
//
// For host code, compiled without the checker's instrumentation.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_LIBRARY_CALL_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_LIBRARY_CALL_H_

#include <driver_types.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace simulator {

// `rows` runs of `bytes` each, whose starts are `stride_bytes` apart. Device memory and host memory
// may both be declared.
struct MemoryUse {
  // What is done to the memory.
  enum Kind { reads, writes, updates };

  Kind kind = reads;              // what this work does
  const void* pointer = nullptr;  // where the first run begins
  std::size_t bytes = 0;          // of a run
  std::size_t rows = 1;           // runs
  std::size_t stride_bytes = 0;   // from run to run
  const char* name = nullptr;     // of the parameter, for reports; must outlive the call
};

// Does the work as the stream's next, or records it where the stream is being captured; then it is
// done at each launch of the graph, and what it refers to must live until then. `name` must outlive
// the call, or the graph. Where the stream cannot take it, the error is the caller's last error.
cudaError_t library_call(cudaStream_t stream, const char* name, std::vector<MemoryUse> uses,
                         std::function<void()> work);

// Whether the address lies in memory that a GPU could reach through it: from cudaMalloc and its
// like, or a __device__ variable whose address was asked for. Pinned memory of the host is not
// meant.
bool is_device_pointer(const void* pointer);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_LIBRARY_CALL_H_
