// File: simulator/floating_point.h
//
// What the arithmetic of CUDA asks for and C++ lacks: the four rounding modes by name, conversion
// to integers that saturates, maximum and minimum by IEEE 754-2019, and rounding to odd. Shared by
// the 16-bit types and by the device functions.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_FLOATING_POINT_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_FLOATING_POINT_H_

#include <cmath>
#include <limits>
#include <type_traits>

#include "simulator/language.h"

namespace __simulator {

// CUDA's suffixes _rn, _rz, _ru, _rd.
enum class __rounding { __rn, __rz, __ru, __rd };

// As the GPU converts: out of range gives the nearest integer of the type; NaN gives 0, or the top
// bit alone where either type has 64 bits.
template <typename __Integer, __rounding __mode, typename __Float>
__host__ __device__ inline __Integer __to_integer(__Float __x) {
  using __limits = std::numeric_limits<__Integer>;
  constexpr bool __any_64_bits = sizeof(__Float) == 8 || sizeof(__Integer) == 8;
  constexpr __Integer __top_bit = static_cast<__Integer>(1ull << (8 * sizeof(__Integer) - 1));
  // The first number above the range is a power of two, hence exact where the maximum is not.
  constexpr double __end = 2.0 * static_cast<double>(1ull << (__limits::digits - 1));
  double __rounded = static_cast<double>(__x);
  if (__rounded != __rounded) return __any_64_bits ? __top_bit : __Integer(0);
  if constexpr (__mode == __rounding::__rn) {
    __rounded = __builtin_rint(__rounded);
  } else if constexpr (__mode == __rounding::__rz) {
    __rounded = __builtin_trunc(__rounded);
  } else if constexpr (__mode == __rounding::__ru) {
    __rounded = __builtin_ceil(__rounded);
  } else {
    __rounded = __builtin_floor(__rounded);
  }
  if (__rounded >= __end) return __limits::max();
  if (__rounded < (std::is_signed<__Integer>::value ? -__end : 0.0)) return __limits::min();
  return static_cast<__Integer>(__rounded);
}

// The larger number: one NaN is ignored, and +0 is larger than -0. Written with comparisons, so
// that a loop over it can be vectorised; the library's fmax is a call.
template <typename __Float>
__host__ __device__ inline __Float __larger(__Float __x, __Float __y) {
  if (__x == __y) return __builtin_signbit(__x) ? __y : __x;
  return __x > __y || __y != __y ? __x : __y;
}

template <typename __Float>
__host__ __device__ inline __Float __smaller(__Float __x, __Float __y) {
  if (__x == __y) return __builtin_signbit(__x) ? __x : __y;
  return __x < __y || __y != __y ? __x : __y;
}

// Into [0, 1]; NaN gives 0.
template <typename __Float>
__host__ __device__ inline __Float __saturated(__Float __x) {
  return __x > 0 ? (__x < 1 ? __x : __Float(1)) : __Float(0);
}

// Rounding to odd keeps in the last bit that something was cut off. A number rounded so can be
// rounded again to a format shorter by two bits or more, in any mode, with the result of one
// rounding from the exact value.

// `__nearest` is the exact value rounded; `__error`, of which only the sign counts, is what
// rounding took away.
__host__ __device__ inline double __to_odd(double __nearest, double __error) {
  unsigned long long __bits = __builtin_bit_cast(unsigned long long, __nearest);
  if ((__error > 0 || __error < 0) && (__bits & 1) == 0) {
    __bits += (__error > 0) == (__nearest > 0) ? 1 : -1;
  }
  return __builtin_bit_cast(double, __bits);
}

// x + y by Knuth's sum with its error; exact products of narrower numbers make it a fused
// multiply-add.
__host__ __device__ inline double __sum_to_odd(double __x, double __y) {
  const double __sum = __x + __y;
  const double __y_part = __sum - __x;
  const double __error = (__x - (__sum - __y_part)) + (__y - __y_part);
  return __to_odd(__sum, __error);
}

__host__ __device__ inline float __float_to_odd(double __x) {
  const float __nearest = static_cast<float>(__x);
  const double __back = static_cast<double>(__nearest);
  unsigned int __bits = __builtin_bit_cast(unsigned int, __nearest);
  if ((__back < __x || __back > __x) && (__bits & 1) == 0) {
    __bits += (__back < __x) == (__x > 0) ? 1 : -1;
  }
  return __builtin_bit_cast(float, __bits);
}

}  // namespace __simulator

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_FLOATING_POINT_H_
