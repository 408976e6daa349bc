// File: simulator/float16_conversion.h
//
// The two 16-bit floating-point formats, half (5 bits of exponent, 10 of mantissa) and bfloat16 (8
// and 7): from any number into the format, rounded once in any mode, and back to float, which is
// always exact. Integer code alone, so that no machine flag changes a result.
//
// NaN becomes 0x7fff, the GPU's own.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_FLOAT16_CONVERSION_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_FLOAT16_CONVERSION_H_

#include <type_traits>

#include "simulator/floating_point.h"

namespace __simulator {

// `__arithmetic` is the type in which +, -, * and / are computed before the result is rounded to
// the format. A type of at least 2p + 2 bits, for p bits of the format, makes that one rounding
// (Figueroa's theorem), as long as its own smallest numbers are out of the way: float will do for
// half, but a product of two bfloat16 can fall below float's smallest normal number.
struct __half_format {
  static constexpr int __mantissa_bits = 10;
  static constexpr int __exponent_bits = 5;
  using __arithmetic = float;
};

struct __bfloat16_format {
  static constexpr int __mantissa_bits = 7;
  static constexpr int __exponent_bits = 8;
  using __arithmetic = double;
};

template <typename __Format, __rounding __mode = __rounding::__rn>
__host__ __device__ inline unsigned short __encode_float(float __number) {
  constexpr int __dropped_bits = 23 - __Format::__mantissa_bits;
  constexpr unsigned int __infinity = ((1u << __Format::__exponent_bits) - 1)
                                      << __Format::__mantissa_bits;
  // Float's exponents are larger by this much.
  constexpr unsigned int __rebias = 128 - (1u << (__Format::__exponent_bits - 1));

  const unsigned int __bits = __builtin_bit_cast(unsigned int, __number);
  const unsigned int __sign = (__bits >> 16) & 0x8000;
  const unsigned int __magnitude = __bits & 0x7fffffff;
  if (__magnitude > 0x7f800000) return 0x7fff;
  if (__magnitude == 0x7f800000) return static_cast<unsigned short>(__sign | __infinity);

  unsigned int __value = __magnitude - (__rebias << 23);
  unsigned int __shift = __dropped_bits;
  if (__rebias != 0 && __magnitude < ((__rebias + 1) << 23)) {
    // Below the format's normal numbers: the leading one becomes a bit like any other, and moves
    // right. Beyond 31 places nothing but a remainder is left, as at 31.
    const unsigned int __exponent = __magnitude >> 23;
    __value = (__magnitude & 0x7fffff) | (__exponent != 0 ? 0x800000 : 0);
    __shift = __dropped_bits + __rebias + 1 - __exponent;
    if (__shift > 31) __shift = 31;
  }
  const unsigned int __remainder = __value & ((1u << __shift) - 1);
  const unsigned int __tie = 1u << (__shift - 1);
  unsigned int __result = __value >> __shift;
  bool __away = false;  // from zero
  if constexpr (__mode == __rounding::__rn) {
    __away = __remainder > __tie || (__remainder == __tie && (__result & 1) != 0);
  } else if constexpr (__mode == __rounding::__ru) {
    __away = __remainder != 0 && __sign == 0;
  } else if constexpr (__mode == __rounding::__rd) {
    __away = __remainder != 0 && __sign != 0;
  }
  __result += __away ? 1 : 0;
  if (__result >= __infinity) {
    const bool __overflows = __mode == __rounding::__rn ||
                             (__mode == __rounding::__ru && __sign == 0) ||
                             (__mode == __rounding::__rd && __sign != 0);
    __result = __overflows ? __infinity : __infinity - 1;
  }
  return static_cast<unsigned short>(__sign | __result);
}

template <typename __Format, __rounding __mode = __rounding::__rn, typename __Number>
__host__ __device__ inline unsigned short __encode(__Number __number) {
  if constexpr (std::is_same<__Number, float>::value) {
    return __encode_float<__Format, __mode>(__number);
  } else if constexpr (std::is_integral<__Number>::value && sizeof(__Number) == 8) {
    // Beyond 53 bits the low eleven are folded into one, which leaves a double rounded to odd.
    const bool __negative = __number < 0;
    const unsigned long long __unsigned = static_cast<unsigned long long>(__number);
    unsigned long long __magnitude = __negative ? 0 - __unsigned : __unsigned;
    if ((__magnitude >> 53) != 0) {
      __magnitude = ((__magnitude >> 11) | ((__magnitude & 2047) != 0 ? 1 : 0)) << 11;
    }
    const double __odd = static_cast<double>(__magnitude);
    return __encode_float<__Format, __mode>(__float_to_odd(__negative ? -__odd : __odd));
  } else {
    return __encode_float<__Format, __mode>(__float_to_odd(static_cast<double>(__number)));
  }
}

template <typename __Format>
__host__ __device__ inline float __decode(unsigned short __bits) {
  const unsigned int __sign = (__bits & 0x8000u) << 16;
  const unsigned int __magnitude = __bits & 0x7fffu;
  if constexpr (std::is_same<__Format, __bfloat16_format>::value) {
    return __builtin_bit_cast(float, __sign | (__magnitude << 16));
  } else {
    if (__magnitude > 0x7c00) return __builtin_bit_cast(float, 0x7fffffffu);
    if (__magnitude == 0x7c00) return __builtin_bit_cast(float, __sign | 0x7f800000u);
    // Read as a float the bits are too small by 2^112, subnormal numbers included.
    const float __scaled = __builtin_bit_cast(float, __magnitude << 13) * 0x1p112f;
    return __builtin_bit_cast(float, __sign | __builtin_bit_cast(unsigned int, __scaled));
  }
}

// For each 16-bit type its format and the struct of its bits; specialised beside the type.
template <typename __Type>
struct __float16_traits;

// Any number as a 16-bit type.
template <typename __Type, __rounding __mode = __rounding::__rn, typename __Number>
__host__ __device__ inline __Type __round(__Number __number) {
  using __traits = __float16_traits<__Type>;
  return __Type(typename __traits::__raw{__encode<typename __traits::__format, __mode>(__number)});
}

}  // namespace __simulator

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_FLOAT16_CONVERSION_H_
