// File: report.h
//
// What the simulator tells a person: what happened, in one sentence in CUDA's own terms; which
// threads did it on which source lines; which variable it was; what usually causes it.
//
// Reports go to standard error, in colour on a terminal (not under NO_COLOR), and as JSON to the
// file that SIMULATOR_JSON names. A fault is told once, however often it occurs. A program that was
// told of an error ends with status 86, whatever it would have returned.

#ifndef ANDREA_SIMULATOR_RUNTIME_REPORT_H_
#define ANDREA_SIMULATOR_RUNTIME_REPORT_H_

#include <vector_types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simulator {

inline constexpr int kErrorStatus = 86;  // of a program of which an error was reported

struct SourceLine {
  std::string file;      // as the compiler was given it
  int line = 0;          // from 1
  std::string function;  // empty where unknown
};

// One who took part: a GPU thread, or the host where `in_kernel` is false.
struct Party {
  std::string did;                // "writes 4 bytes", "waits in __syncthreads"
  bool in_kernel = false;         // else host code
  uint3 block{};                  // blockIdx
  uint3 thread{};                 // threadIdx
  unsigned lane = 0;              // of its warp
  unsigned warp = 0;              // of its block
  std::string also;               // "and 30 more threads"
  std::vector<SourceLine> lines;  // innermost first
};

// A fault, told once.
struct Report {
  std::string kind;            // a word for programs, "race", "out-of-bounds", "barrier-divergence"
  bool error = true;           // else a note
  std::string sentence;        // what happened
  std::string kernel;          // as the program names it; empty: none is involved
  std::vector<Party> parties;  // who took part, the one that noticed first
  std::string variable;        // "tile, __shared__ at matmul.cu:12, element 5"
  std::string cause;           // what usually causes it, and what to look at
  std::uint64_t times = 1;     // how often it happened
};

// Prints the report, unless one with the same kind, lines and variable has been printed already.
// Returns whether it was printed.
bool publish(const Report& report);

// What has been published so far, errors and notes; for tests.
const std::vector<Report>& published();
void forget_published();

// "matmul.cu:31" of a report's file names: as given to the compiler.
std::string place(const SourceLine& line);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_REPORT_H_
