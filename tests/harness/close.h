// File: close.h
//
// The comparison of what an operation wrote with what its reference says.
//
//   const auto exact = reference::layer_norm_backward<double>(...);
//   const auto rounded = reference::layer_norm_backward<float>(...);
//   EXPECT_TRUE(close(dx, exact.dx, rounded.dx, C));
//
// The tolerance comes from the reference itself: ten times the largest gap between its results in
// double and in float, and four units in the last place of `accumulated`: the largest sum of
// absolute values that one result is made of (the number of terms, if they are below 1). The gap
// alone will not do, since a sum of few terms may round to nothing by luck. A NaN never passes.

#ifndef ANDREA_TESTS_HARNESS_CLOSE_H_
#define ANDREA_TESTS_HARNESS_CLOSE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/launch.h"
#include "tests/harness/guarded_tensor.h"

namespace andrea {

// The tolerance of the head of this file, from the two results of a reference.
double tolerance_of(std::span<const double> exact, std::span<const float> rounded,
                    double accumulated);

// Fails with the shape, the seed, the first ten wrong numbers with their indices, and the largest
// error.
::testing::AssertionResult close_within(double tolerance, const std::string& name,
                                        const Shape& shape, std::span<const float> actual,
                                        std::span<const double> exact);

// `exact` and `rounded` are row-major matrices, vectors, or whatever has data() and size().
template <typename Exact, typename Rounded>
::testing::AssertionResult close(const std::string& name, const Shape& shape,
                                 std::span<const float> actual, const Exact& exact,
                                 const Rounded& rounded, double accumulated = 0) {
  const std::span<const double> doubles(exact.data(), static_cast<std::size_t>(exact.size()));
  const std::span<const float> floats(rounded.data(), static_cast<std::size_t>(rounded.size()));
  return close_within(tolerance_of(doubles, floats, accumulated), name, shape, actual, doubles);
}

// The same, for the memory that a test has handed to the operation.
template <typename T, typename Exact, typename Rounded>
::testing::AssertionResult close(const GuardedTensor<T>& actual, const Exact& exact,
                                 const Rounded& rounded, double accumulated = 0) {
  return close(actual.name(), actual.shape(), actual.contents(), exact, rounded, accumulated);
}

// Both ways of leaving a gradient of parameters.
inline constexpr Accumulate kBothWays[] = {Accumulate::overwrite, Accumulate::add};

// A gradient buffer as an operation finds it: never written with Accumulate::overwrite, holding
// `earlier` sums with Accumulate::add.
inline GuardedTensor<float> gradient_tensor(const std::string& name, const Shape& shape,
                                            Accumulate accumulate, std::vector<float> earlier) {
  if (accumulate == Accumulate::overwrite) earlier.clear();
  return {name, shape, std::move(earlier)};
}

// As close(), for a buffer made by gradient_tensor: what it held before counts too.
template <typename Exact, typename Rounded>
::testing::AssertionResult gradient_close(const GuardedTensor<float>& actual, const Exact& exact,
                                          const Rounded& rounded, double accumulated = 0) {
  std::vector<double> exact_sum(exact.data(), exact.data() + exact.size());
  std::vector<float> rounded_sum(rounded.data(), rounded.data() + rounded.size());
  for (std::size_t i = 0; i < actual.before().size(); ++i) {
    exact_sum.at(i) += static_cast<double>(actual.before()[i]);
    rounded_sum.at(i) += actual.before()[i];
  }
  return close(actual, exact_sum, rounded_sum, accumulated);
}

// That elements begin .. end - 1 have not been written: they hold what they held at first.
::testing::AssertionResult untouched(const GuardedTensor<float>& tensor, std::int64_t begin,
                                     std::int64_t end);

// That two results of the same computation are the same bit for bit.
::testing::AssertionResult bits_equal(std::span<const float> a, std::span<const float> b);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_CLOSE_H_
