// File: picture.h
//
// An output as a person can see it: the first wrong numbers beside the right ones, and a drawing of
// where they are.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_PICTURE_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_PICTURE_H_

#include <string>

#include "tests/harness/exercise/tensor.h"

namespace andrea {

// Up to eight wrong numbers below a header, in columns:
//
//                          yours | expected
//   score[b=0, i=1, j=0]   0.5   | 0.25
std::string pairs_of(const Tensor& tensor);

// The last two axes at the first wrong number, a character each; a larger matrix is cut round it.
// Empty where these have a single number.
std::string drawing_of(const Tensor& tensor);

// Both, and what the marks mean.
std::string picture_of(const Tensor& tensor);

// "score[b=0, i=1, j=0]"
std::string first_wrong_place(const Tensor& tensor);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_PICTURE_H_
