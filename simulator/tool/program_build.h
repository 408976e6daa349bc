// File: simulator/tool/program_build.h
//
// From the sources of a CUDA program to the program: each *.cu is rewritten and judged by the lint,
// all are compiled at the same time, and linked with the simulator's library.
//
// The whole program is of one build: under --check host code and C++ files are watched like
// kernels, so that an inline function which both use has one copy, and that one is watched.

#ifndef ANDREA_SIMULATOR_TOOL_PROGRAM_BUILD_H_
#define ANDREA_SIMULATOR_TOOL_PROGRAM_BUILD_H_

#include <string>

#include "simulator/tool/build_cache.h"
#include "simulator/tool/command_line.h"
#include "simulator/tool/installation.h"

namespace simulator {

// "matmul" of "examples/matmul.cu".
std::string name_of_program(const CommandLine& command);

// Returns the path of the program in the cache, and prints the compiler's warnings. Empty if there
// was an error, which has been printed.
std::string build_program(const CommandLine& command, const Installation& installation,
                          const BuildCache& cache);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_PROGRAM_BUILD_H_
