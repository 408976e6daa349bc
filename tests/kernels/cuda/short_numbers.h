// File: short_numbers.h
//
// What tests of kernels for float and bf16 share: inputs in either type whose values are known
// exactly as floats, and a comparison that knows how often a result was rounded.
//
//   const auto x = random_numbers<__nv_bfloat16>(random, N * C);
//   GuardedTensor<const __nv_bfloat16> device_x("x", {N, C}, x);
//   ... as_matrix<double>(values_of(x), N, C) ...

#ifndef ANDREA_TESTS_KERNELS_CUDA_SHORT_NUMBERS_H_
#define ANDREA_TESTS_KERNELS_CUDA_SHORT_NUMBERS_H_

#include <cuda_bf16.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/seed.h"

namespace andrea {

// The largest relative error of one rounding, to 8 bits or to 24: half a unit in the last place.
template <typename Number>
inline constexpr double kRounding = std::is_same_v<Number, float> ? 0x1p-24 : 0x1p-8;

template <typename Number>
Number number_of(float value) {
  if constexpr (std::is_same_v<Number, float>) {
    return value;
  } else {
    return __float2bfloat16(value);
  }
}

// Exact.
inline float value_of(float number) { return number; }
inline float value_of(__nv_bfloat16 number) { return __bfloat162float(number); }

template <typename Number>
std::vector<float> values_of(const std::vector<Number>& numbers) {
  std::vector<float> values;
  for (const Number number : numbers) values.push_back(value_of(number));
  return values;
}

// Between -scale and scale.
template <typename Number>
std::vector<Number> random_numbers(RandomInputs& random, std::int64_t count, float scale = 1) {
  std::vector<Number> numbers;
  for (const float value : random.numbers(count, scale)) {
    numbers.push_back(number_of<Number>(value));
  }
  return numbers;
}

// Each number within `roundings` of its type, relative to its own exact value, and `slack`, which
// is what came before the last rounding: one value for all, or one for each.
template <typename Number, typename Exact>
::testing::AssertionResult rounded_close(const std::string& name, const std::vector<Number>& actual,
                                         const Exact& exact, double roundings,
                                         const std::vector<double>& slack) {
  const auto count = static_cast<std::size_t>(exact.size());
  if (actual.size() != count || (slack.size() != 1 && slack.size() != count)) {
    return ::testing::AssertionFailure()
           << name << ": " << actual.size() << " numbers against " << count;
  }
  std::ostringstream list;
  int wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double expected = exact.data()[i];
    const double tolerance =
        roundings * kRounding<Number> * std::abs(expected) + slack[slack.size() == 1 ? 0 : i];
    const double is = value_of(actual[i]);
    if (std::abs(is - expected) <= tolerance) continue;  // false for a NaN
    if (++wrong <= 10) {
      list << "\n  number " << i << ": expected " << expected << ", got " << is << " (tolerance "
           << tolerance << ")";
    }
  }
  if (wrong == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << name << ": " << wrong << " of " << count
         << " numbers are wrong; ANDREA_TEST_SEED=" << test_seed() << list.str();
}

}  // namespace andrea

#endif  // ANDREA_TESTS_KERNELS_CUDA_SHORT_NUMBERS_H_
