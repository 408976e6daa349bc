// File: reference.h
//
// What the exercises of lesson 00 compute, as kernel.h and further.h say, in Eigen.

#ifndef ANDREA_LESSONS_00_FIRST_KERNEL_REFERENCE_H_
#define ANDREA_LESSONS_00_FIRST_KERNEL_REFERENCE_H_

#include <algorithm>
#include <cmath>
#include <vector>

#include "lessons/reference_types.h"

namespace andrea::reference {

// Turns each run of `length` numbers round.
template <typename Scalar>
Vector<Scalar> reverse_runs(Vector<Scalar> x, int length) {
  for (Eigen::Index start = 0; start < x.size(); start += length) {
    const Eigen::Index end = std::min<Eigen::Index>(start + length, x.size());
    std::reverse(x.data() + start, x.data() + end);
  }
  return x;
}

// Divides each number by the sum of its run.
template <typename Scalar>
Vector<Scalar> shares(Vector<Scalar> x, int length) {
  for (Eigen::Index start = 0; start < x.size(); start += length) {
    auto run = x.segment(start, std::min<Eigen::Index>(length, x.size() - start));
    run /= run.sum();
  }
  return x;
}

// x times its logistic function.
template <typename Scalar>
Scalar silu(Scalar x) {
  return x / (1 + std::exp(-x));
}

// The slope of silu by central differences, which need no derivation.
inline double silu_slope(double x) {
  constexpr double kStep = 1e-5;
  return (silu(x + kStep) - silu(x - kStep)) / (2 * kStep);
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_00_FIRST_KERNEL_REFERENCE_H_
