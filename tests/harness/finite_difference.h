// File: finite_difference.h
//
// The check of a gradient that needs no second derivation: move each input a little and look at
// the loss. In double, whose rounding leaves nine digits of the difference.
//
//   const auto loss = [&] { return dot(dout, dot_similarity_forward(x, table)); };
//   EXPECT_LT(gradient_error(loss, x, gradients.dx), 1e-7);

#ifndef ANDREA_TESTS_HARNESS_FINITE_DIFFERENCE_H_
#define ANDREA_TESTS_HARNESS_FINITE_DIFFERENCE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace andrea {

// The largest difference between `gradient` and the central differences of `loss`, which reads the
// `count` numbers at x, relative to the largest of the differences.
template <typename Loss>
double gradient_error(const Loss& loss, double* x, const double* gradient, std::int64_t count) {
  constexpr double kStep = 1e-5;
  double error = 0, largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double here = x[i];
    x[i] = here + kStep;
    const double above = loss();
    x[i] = here - kStep;
    const double below = loss();
    x[i] = here;
    const double slope = (above - below) / (2 * kStep);
    error = std::max(error, std::abs(slope - gradient[i]));
    largest = std::max(largest, std::abs(slope));
  }
  return error / largest;
}

// As above for two Eigen matrices or vectors; infinite where their sizes differ.
template <typename Loss, typename Tensor>
double gradient_error(const Loss& loss, Tensor& x, const Tensor& gradient) {
  if (x.size() != gradient.size()) return INFINITY;
  return gradient_error(loss, x.data(), gradient.data(), x.size());
}

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_FINITE_DIFFERENCE_H_
