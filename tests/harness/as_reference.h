// File: as_reference.h
//
// Inputs of a kernel, as its reference takes them: the same numbers in either precision.
//
//   const std::vector<float> x = random.numbers(N * C);
//   layer_norm_forward(as_matrix<double>(x, N, C), as_vector<double>(gain), ...);

#ifndef ANDREA_TESTS_HARNESS_AS_REFERENCE_H_
#define ANDREA_TESTS_HARNESS_AS_REFERENCE_H_

#include <vector>

#include "lessons/reference_types.h"

namespace andrea {

// The numbers as the references take them, [rows, columns].
template <typename Scalar>
reference::Matrix<Scalar> as_matrix(const std::vector<float>& values, int rows, int columns) {
  return reference::load(values.data(), rows, columns).template cast<Scalar>();
}

// The numbers as the references take them.
template <typename Scalar>
reference::Vector<Scalar> as_vector(const std::vector<float>& values) {
  return reference::load(values.data(), static_cast<int>(values.size())).template cast<Scalar>();
}

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_AS_REFERENCE_H_
