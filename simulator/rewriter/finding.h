// File: simulator/rewriter/finding.h
//
// What the rewriter and the lint have to say about a source file.

#ifndef ANDREA_SIMULATOR_REWRITER_FINDING_H_
#define ANDREA_SIMULATOR_REWRITER_FINDING_H_

#include <string>

namespace simulator {

struct Finding {
  // Whether the program is refused, or only told.
  enum class Kind {
    error,        // Not CUDA: nvcc would refuse it too.
    unsupported,  // CUDA, but not in the simulator.
  };

  Kind kind;             // how bad it is
  int line;              // From 1.
  int column;            // From 1, in bytes.
  std::string sentence;  // for the person who wrote the line

  bool operator==(const Finding&) const = default;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_FINDING_H_
