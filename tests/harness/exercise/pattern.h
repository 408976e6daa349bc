// File: pattern.h
//
// What the wrong numbers of an output have in common, for a mistake that nobody foresaw.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_PATTERN_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_PATTERN_H_

#include <string>

#include "tests/harness/exercise/tensor.h"

namespace andrea {

// A sentence of the catalogue; empty where nothing is seen. The tensor has wrong numbers.
std::string pattern_of(const Tensor& tensor);

// The same as a line of its own, empty where nothing is seen; with the tensor's name and sizes if
// it is not the one that is shown.
std::string pattern_line(const Tensor& tensor, bool is_shown = true);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_PATTERN_H_
