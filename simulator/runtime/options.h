// File: options.h
//
// What the environment asks of the simulator, read once:
//
//   SIMULATOR_WORKERS=N          OS threads that run blocks; the machine's cores by default
//   SIMULATOR_SEED=N             a random order of blocks, warps and lanes; 0, the default, is
//                                index order
//   SIMULATOR_TIMEOUT=S          seconds after which a kernel that gets nowhere is stopped; 30 by
//                                default, 0 is never
//   SIMULATOR_JSON=FILE          where to write the reports for programs to read
//   SIMULATOR_MEMORY=GIB         how much device memory there is; what the machine has by default
//   SIMULATOR_PROFILE=1          a table of what the kernels asked of memory, on standard error,
//                                of a program built to be checked (read in profile/)
//   SIMULATOR_PROFILE_HTML=FILE  the same as a page (likewise)
//
// NO_COLOR (any value) takes the colours from reports and tables.

#ifndef ANDREA_SIMULATOR_RUNTIME_OPTIONS_H_
#define ANDREA_SIMULATOR_RUNTIME_OPTIONS_H_

#include <cstdint>
#include <string>

namespace simulator {

struct Options {
  unsigned workers = 1;           // threads of the host that run blocks
  std::uint64_t seed = 0;         // of the order in which warps run
  unsigned timeout_seconds = 30;  // without a thread that gets on
  std::string json;               // the file for reports; empty: none
};

// A value that is no number ends the program with a sentence. They are read when a process first
// uses CUDA, so that a program may set them for itself, or for a child process, before.
const Options& options();

// Apart from the others, since a program built to be checked asks for it before main.
std::uint64_t memory_gib();

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_OPTIONS_H_
