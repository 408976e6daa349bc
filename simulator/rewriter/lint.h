// File: simulator/rewriter/lint.h
//
// Rules of CUDA's language that nvcc insists on and the simulator's compiler cannot see, for whom a
// kernel is a function like any other. Found without nvcc, on tokens, by what the file itself
// declares; so a student without CUDA does not learn code that will not compile there.
//
// A wrong finding is worse than a missed one. Where templates, macros, overloads or local names
// leave a doubt the lint is silent, also about functions both __host__ and __device__, and about
// bodies with an #if on __CUDA_ARCH__. Three findings are stricter than nvcc, which only warns,
// since the program could not work on a GPU: a __device__ variable read or written by host code,
// and device code that writes to an array of __constant__ memory. threadIdx and its like in host
// code are found here, where nvcc's linker finds them.

#ifndef ANDREA_SIMULATOR_REWRITER_LINT_H_
#define ANDREA_SIMULATOR_REWRITER_LINT_H_

#include <string_view>
#include <vector>

#include "simulator/rewriter/finding.h"

namespace simulator {

// nvcc's options of the same names (--extended-lambda, --expt-relaxed-constexpr), which allow more.
struct LintOptions {
  bool extended_lambda = false;    // as with nvcc's option
  bool relaxed_constexpr = false;  // as with nvcc's option
};

// In the order of the file.
std::vector<Finding> lint(std::string_view source, const LintOptions& options = {});

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_LINT_H_
