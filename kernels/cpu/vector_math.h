// File: vector_math.h
//
// Arithmetic that the compiler turns into vector instructions without -ffast-math, which would
// break checks for NaN.

#ifndef ANDREA_KERNELS_CPU_VECTOR_MATH_H_
#define ANDREA_KERNELS_CPU_VECTOR_MATH_H_

#include <bit>
#include <cstdint>

namespace andrea::cpu {

// e^x to about 1e-7 relative, in some twenty instructions without a branch, so that a loop over it
// vectorises. x is written as n ln 2 + r with |r| <= ln(2) / 2; e^r is a polynomial (the Taylor
// series, whose first term left out is below 1e-8) and 2^n is an exponent put in place by bits.
// Below -87 the result is 0, above 88 it is e^88; NaN stays NaN.
inline float exp_polynomial(float x) {
  constexpr float kLowest = -87.0f;
  constexpr float kHighest = 88.0f;
  // Adding 1.5 * 2^23 leaves no bits for a fraction: the sum is rounded to a whole number, which
  // then stands in the low bits of its representation.
  constexpr float kRounder = 12582912.0f;
  constexpr float kLog2E = 1.44269504f;
  // ln 2 in two parts: n times the first is exact, so that r keeps its low bits.
  constexpr float kLn2High = 0.693359375f;
  constexpr float kLn2Low = -2.12194440e-4f;

  const float above = x < kLowest ? kLowest : x;
  const float clamped = above > kHighest ? kHighest : above;
  const float shifted = clamped * kLog2E + kRounder;
  const float n = shifted - kRounder;
  const float r = (clamped - n * kLn2High) - n * kLn2Low;

  float polynomial = 1.0f / 5040;
  polynomial = polynomial * r + 1.0f / 720;
  polynomial = polynomial * r + 1.0f / 120;
  polynomial = polynomial * r + 1.0f / 24;
  polynomial = polynomial * r + 1.0f / 6;
  polynomial = polynomial * r + 0.5f;
  polynomial = polynomial * r + 1.0f;
  polynomial = polynomial * r + 1.0f;

  const std::uint32_t exponent = (std::bit_cast<std::uint32_t>(shifted) + 127u) << 23;
  const float result = polynomial * std::bit_cast<float>(exponent);
  return x < kLowest ? 0.0f : result;
}

// The sum of term(0) .. term(count - 1), in sixteen running sums that the compiler keeps in vector
// registers. The order of additions is fixed, so the bits are too.
template <typename Term>
inline float sum_over(int count, Term term) {
  constexpr int kLanes = 16;
  float lanes[kLanes] = {};
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) lanes[lane] += term(i + lane);
  }
  for (int lane = 0; i + lane < count; ++lane) lanes[lane] += term(i + lane);
  for (int half = kLanes / 2; half > 0; half /= 2) {
    for (int lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  }
  return lanes[0];
}

// The largest of value[0] .. value[count - 1]; count must be positive. NaN is passed over.
inline float max_of(const float* value, int count) {
  constexpr int kLanes = 16;
  float lanes[kLanes];
  for (float& lane : lanes) lane = value[0];
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = value[i + lane] > lanes[lane] ? value[i + lane] : lanes[lane];
    }
  }
  for (; i < count; ++i) lanes[0] = value[i] > lanes[0] ? value[i] : lanes[0];
  float largest = lanes[0];
  for (const float lane : lanes) largest = lane > largest ? lane : largest;
  return largest;
}

}  // namespace andrea::cpu

#endif  // ANDREA_KERNELS_CPU_VECTOR_MATH_H_
