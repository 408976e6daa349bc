// File: simulator/rounding.h
//
// Arithmetic and conversions with the rounding mode in their names: __fadd_rz, __dmul_ru,
// __fmaf_rd, __float2int_rn, __ll2float_rd ... and reinterpretation of bits (__float_as_int).
//
// Other modes than nearest are the processor's own: the mode is set in MXCSR for the one operation,
// so the result is exact in every case. That costs some twenty cycles, and loops over it are not
// vectorised.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ROUNDING_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ROUNDING_H_

#include <type_traits>

#include "simulator/floating_point.h"
#include "simulator/language.h"

namespace __simulator {

// The compiler must take the value as new here: nothing computed from it can move before.
template <typename __Number>
__device__ inline void __pin(__Number& __x) {
  if constexpr (std::is_floating_point<__Number>::value) {
    __asm__ volatile("" : "+x"(__x));
  } else {
    __asm__ volatile("" : "+r"(__x));
  }
}

template <__rounding __mode, typename __Operation, typename... __Number>
__device__ inline auto __in_mode(__Operation __operation, __Number... __x) {
  if constexpr (__mode == __rounding::__rn) {
    return __operation(__x...);
  } else {
    constexpr unsigned int __field = 0x6000;
    constexpr unsigned int __value = __mode == __rounding::__rd   ? 0x2000
                                     : __mode == __rounding::__ru ? 0x4000
                                                                  : 0x6000;
    const unsigned int __before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr((__before & ~__field) | __value);
    (__pin(__x), ...);
    auto __result = __operation(__x...);
    __pin(__result);
    __builtin_ia32_ldmxcsr(__before);
    return __result;
  }
}

}  // namespace __simulator

// One function for each mode; `formula` is in __x, __y, __z.
#define __SIMULATOR_MODES(define, ...)                                       \
  define(_rn, __VA_ARGS__) define(_rz, __VA_ARGS__) define(_ru, __VA_ARGS__) \
      define(_rd, __VA_ARGS__)

#define __SIMULATOR_ROUNDED_1(mode, name, result, type, formula)     \
  __device__ inline result name##mode(type __a) {                    \
    return __simulator::__in_mode<__simulator::__rounding::_##mode>( \
        [](type __x) { return static_cast<result>(formula); }, __a); \
  }
#define __SIMULATOR_ROUNDED_2(mode, name, type, formula)             \
  __device__ inline type name##mode(type __a, type __b) {            \
    return __simulator::__in_mode<__simulator::__rounding::_##mode>( \
        [](type __x, type __y) { return formula; }, __a, __b);       \
  }
#define __SIMULATOR_ROUNDED_3(mode, name, type, formula)                      \
  __device__ inline type name##mode(type __a, type __b, type __c) {           \
    return __simulator::__in_mode<__simulator::__rounding::_##mode>(          \
        [](type __x, type __y, type __z) { return formula; }, __a, __b, __c); \
  }

__SIMULATOR_MODES(__SIMULATOR_ROUNDED_2, __fadd, float, __x + __y)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_2, __fsub, float, __x - __y)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_2, __fmul, float, __x* __y)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_2, __fdiv, float, __x / __y)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __frcp, float, float, 1.0f / __x)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __fsqrt, float, float, __builtin_sqrtf(__x))
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_3, __fmaf, float, __builtin_fmaf(__x, __y, __z))
// The same whatever nvcc's -ftz says; subnormal numbers are always kept here.
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_3, __fmaf_ieee, float, __builtin_fmaf(__x, __y, __z))

__SIMULATOR_MODES(__SIMULATOR_ROUNDED_2, __dadd, double, __x + __y)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_2, __dsub, double, __x - __y)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_2, __dmul, double, __x* __y)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_2, __ddiv, double, __x / __y)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __drcp, double, double, 1.0 / __x)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __dsqrt, double, double, __builtin_sqrt(__x))
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_3, __fma, double, __builtin_fma(__x, __y, __z))

__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __double2float, float, double, __x)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __int2float, float, int, __x)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __uint2float, float, unsigned int, __x)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __ll2float, float, long long, __x)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __ull2float, float, unsigned long long, __x)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __ll2double, double, long long, __x)
__SIMULATOR_MODES(__SIMULATOR_ROUNDED_1, __ull2double, double, unsigned long long, __x)
__SIMULATOR_ROUNDED_1(_rn, __int2double, double, int, __x)
__SIMULATOR_ROUNDED_1(_rn, __uint2double, double, unsigned int, __x)

// Correctly rounded for every float: in double no 1/sqrt(x) comes as near to a tie as its error.
__device__ inline float __frsqrt_rn(float __x) {
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(__x)));
}

#define __SIMULATOR_TO_INTEGER(mode, name, result, type)                             \
  __device__ inline result name##mode(type __x) {                                    \
    return __simulator::__to_integer<result, __simulator::__rounding::_##mode>(__x); \
  }

__SIMULATOR_MODES(__SIMULATOR_TO_INTEGER, __float2int, int, float)
__SIMULATOR_MODES(__SIMULATOR_TO_INTEGER, __float2uint, unsigned int, float)
__SIMULATOR_MODES(__SIMULATOR_TO_INTEGER, __float2ll, long long, float)
__SIMULATOR_MODES(__SIMULATOR_TO_INTEGER, __float2ull, unsigned long long, float)
__SIMULATOR_MODES(__SIMULATOR_TO_INTEGER, __double2int, int, double)
__SIMULATOR_MODES(__SIMULATOR_TO_INTEGER, __double2uint, unsigned int, double)
__SIMULATOR_MODES(__SIMULATOR_TO_INTEGER, __double2ll, long long, double)
__SIMULATOR_MODES(__SIMULATOR_TO_INTEGER, __double2ull, unsigned long long, double)

#undef __SIMULATOR_MODES
#undef __SIMULATOR_ROUNDED_1
#undef __SIMULATOR_ROUNDED_2
#undef __SIMULATOR_ROUNDED_3
#undef __SIMULATOR_TO_INTEGER

#define __SIMULATOR_REINTERPRET(name, result, type) \
  __device__ inline result name(type __x) { return __builtin_bit_cast(result, __x); }

__SIMULATOR_REINTERPRET(__int_as_float, float, int)
__SIMULATOR_REINTERPRET(__float_as_int, int, float)
__SIMULATOR_REINTERPRET(__uint_as_float, float, unsigned int)
__SIMULATOR_REINTERPRET(__float_as_uint, unsigned int, float)
__SIMULATOR_REINTERPRET(__double_as_longlong, long long, double)
__SIMULATOR_REINTERPRET(__longlong_as_double, double, long long)

#undef __SIMULATOR_REINTERPRET

__device__ inline int __double2hiint(double __x) {
  return static_cast<int>(__double_as_longlong(__x) >> 32);
}
__device__ inline int __double2loint(double __x) {
  return static_cast<int>(__double_as_longlong(__x));
}
__device__ inline double __hiloint2double(int __high, int __low) {
  const unsigned long long __upper = static_cast<unsigned int>(__high);
  return __builtin_bit_cast(double, (__upper << 32) | static_cast<unsigned int>(__low));
}

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ROUNDING_H_
