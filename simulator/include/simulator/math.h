// File: simulator/math.h
//
// CUDA's device functions for numbers, beyond what <cmath> has: minimum and maximum, the functions
// of the CUDA math API, and the intrinsics that C declares too (__expf and its like). It brings in
// the rest: rounding.h, integer_intrinsics.h, simd_intrinsics.h, dynamic_programming.h,
// special_functions.h, memory_access.h. All are plain inline functions: GCC refuses an
// always_inline function that a template calls through a pointer, reduce(x, __fadd_rn) for one.
//
// Accuracy: within the bounds of the CUDA programming guide. The intrinsics of reduced accuracy
// (__expf, __sinf, __fdividef ...) give the accurate result: the GPU's errors, its loss of accuracy
// for large arguments of __sinf and its zero for __fdividef by more than 2^126 are not imitated.
// Only __powf is computed as the guide defines it, exp2f(y * log2f(x)), since its NaN for a
// negative base surprises people.
//
// How names are shared with the C library. <math.h> declares __expf, __sinf and others as functions
// of the library, which then does not export them. Here they are defined, as inline functions with
// the library's linkage, so that the declaration, before or after, is of the same function: no
// macro stands in anybody's way. fmaxf, sincosf, modff and others do exist in the library; their
// definitions here are for inlining alone (gnu_inline: never emitted). They are here because a call
// would hide from the checker that sincosf writes through its pointers, and because fmaxf, which
// kernels use in inner loops, is then a few instructions and knows +0 from -0.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_MATH_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_MATH_H_

// libstdc++'s wrappers: they put the overloads of abs, sqrt, isnan ... for float into the global
// namespace, where CUDA has them.
#include <math.h>
#include <stdlib.h>

#include "simulator/floating_point.h"
#include "simulator/language.h"

#ifdef __CUDACC__

#include "simulator/dynamic_programming.h"
#include "simulator/integer_intrinsics.h"
#include "simulator/memory_access.h"
#include "simulator/rounding.h"
#include "simulator/simd_intrinsics.h"
#include "simulator/special_functions.h"

// ---- Minimum and maximum ----

// CUDA's overloads and no other: max(1, 2.0f) is ambiguous there too. Being no templates they are
// preferred to std::max where both are visible.
#define __SIMULATOR_INTEGER_EXTREMES(result, first, second)                                \
  __host__ __device__ inline result min(const first __x, const second __y) {               \
    return static_cast<result>(__x) < static_cast<result>(__y) ? static_cast<result>(__x)  \
                                                               : static_cast<result>(__y); \
  }                                                                                        \
  __host__ __device__ inline result max(const first __x, const second __y) {               \
    return static_cast<result>(__x) > static_cast<result>(__y) ? static_cast<result>(__x)  \
                                                               : static_cast<result>(__y); \
  }
// A signed and an unsigned number are compared as unsigned.
#define __SIMULATOR_EXTREMES_OF_WIDTH(type)                                 \
  __SIMULATOR_INTEGER_EXTREMES(type, type, type)                            \
  __SIMULATOR_INTEGER_EXTREMES(unsigned type, unsigned type, unsigned type) \
  __SIMULATOR_INTEGER_EXTREMES(unsigned type, type, unsigned type)          \
  __SIMULATOR_INTEGER_EXTREMES(unsigned type, unsigned type, type)
#define __SIMULATOR_FLOAT_EXTREMES(result, first, second)                    \
  __host__ __device__ inline result min(const first __x, const second __y) { \
    return __simulator::__smaller<result>(__x, __y);                         \
  }                                                                          \
  __host__ __device__ inline result max(const first __x, const second __y) { \
    return __simulator::__larger<result>(__x, __y);                          \
  }

__SIMULATOR_EXTREMES_OF_WIDTH(int)
__SIMULATOR_EXTREMES_OF_WIDTH(long)
__SIMULATOR_EXTREMES_OF_WIDTH(long long)
__SIMULATOR_FLOAT_EXTREMES(float, float, float)
__SIMULATOR_FLOAT_EXTREMES(double, double, double)
__SIMULATOR_FLOAT_EXTREMES(double, float, double)
__SIMULATOR_FLOAT_EXTREMES(double, double, float)

#undef __SIMULATOR_INTEGER_EXTREMES
#undef __SIMULATOR_EXTREMES_OF_WIDTH
#undef __SIMULATOR_FLOAT_EXTREMES

#define __SIMULATOR_NAMED_EXTREMES(prefix, type)                                \
  __host__ __device__ inline type prefix##min(const type __x, const type __y) { \
    return __x < __y ? __x : __y;                                               \
  }                                                                             \
  __host__ __device__ inline type prefix##max(const type __x, const type __y) { \
    return __x > __y ? __x : __y;                                               \
  }

__SIMULATOR_NAMED_EXTREMES(u, unsigned int)
__SIMULATOR_NAMED_EXTREMES(ll, long long)
__SIMULATOR_NAMED_EXTREMES(ull, unsigned long long)

#undef __SIMULATOR_NAMED_EXTREMES

extern "C" {

// ---- Functions of the C library, inlined ----

#define __SIMULATOR_LIBRARY __attribute__((always_inline, gnu_inline)) extern inline

__SIMULATOR_LIBRARY float fmaxf(float __x, float __y) noexcept {
  return __simulator::__larger(__x, __y);
}
__SIMULATOR_LIBRARY float fminf(float __x, float __y) noexcept {
  return __simulator::__smaller(__x, __y);
}
__SIMULATOR_LIBRARY double fmax(double __x, double __y) noexcept {
  return __simulator::__larger(__x, __y);
}
__SIMULATOR_LIBRARY double fmin(double __x, double __y) noexcept {
  return __simulator::__smaller(__x, __y);
}
__SIMULATOR_LIBRARY void sincosf(float __x, float* __sine, float* __cosine) noexcept {
  *__sine = __builtin_sinf(__x);
  *__cosine = __builtin_cosf(__x);
}
__SIMULATOR_LIBRARY void sincos(double __x, double* __sine, double* __cosine) noexcept {
  *__sine = __builtin_sin(__x);
  *__cosine = __builtin_cos(__x);
}
__SIMULATOR_LIBRARY float modff(float __x, float* __whole) noexcept {
  float __truncated;
  const float __fraction = __builtin_modff(__x, &__truncated);
  *__whole = __truncated;
  return __fraction;
}
__SIMULATOR_LIBRARY double modf(double __x, double* __whole) noexcept {
  double __truncated;
  const double __fraction = __builtin_modf(__x, &__truncated);
  *__whole = __truncated;
  return __fraction;
}
__SIMULATOR_LIBRARY float frexpf(float __x, int* __exponent) noexcept {
  int __power;
  const float __fraction = __builtin_frexpf(__x, &__power);
  *__exponent = __power;
  return __fraction;
}
__SIMULATOR_LIBRARY double frexp(double __x, int* __exponent) noexcept {
  int __power;
  const double __fraction = __builtin_frexp(__x, &__power);
  *__exponent = __power;
  return __fraction;
}
__SIMULATOR_LIBRARY float remquof(float __x, float __y, int* __quotient) noexcept {
  int __bits;
  const float __remainder = __builtin_remquof(__x, __y, &__bits);
  *__quotient = __bits;
  return __remainder;
}
__SIMULATOR_LIBRARY double remquo(double __x, double __y, int* __quotient) noexcept {
  int __bits;
  const double __remainder = __builtin_remquo(__x, __y, &__bits);
  *__quotient = __bits;
  return __remainder;
}

#undef __SIMULATOR_LIBRARY

// ---- Intrinsics whose names the C library declares ----

__device__ inline float __expf(float __x) noexcept { return __builtin_expf(__x); }
__device__ inline float __exp10f(float __x) noexcept { return __builtin_exp10f(__x); }
__device__ inline float __logf(float __x) noexcept { return __builtin_logf(__x); }
__device__ inline float __log2f(float __x) noexcept { return __builtin_log2f(__x); }
__device__ inline float __log10f(float __x) noexcept { return __builtin_log10f(__x); }
__device__ inline float __powf(float __x, float __y) noexcept {
  return __builtin_exp2f(__y * __builtin_log2f(__x));
}
__device__ inline float __sinf(float __x) noexcept { return __builtin_sinf(__x); }
__device__ inline float __cosf(float __x) noexcept { return __builtin_cosf(__x); }
__device__ inline float __tanf(float __x) noexcept { return __builtin_tanf(__x); }
__device__ inline float __tanhf(float __x) noexcept { return __builtin_tanhf(__x); }
__device__ inline void __sincosf(float __x, float* __sine, float* __cosine) noexcept {
  *__sine = __builtin_sinf(__x);
  *__cosine = __builtin_cosf(__x);
}

// ---- Division ----

__device__ inline float __fdividef(float __x, float __y) { return __x / __y; }
__device__ inline float fdividef(float __x, float __y) { return __x / __y; }
__device__ inline double fdivide(double __x, double __y) { return __x / __y; }
__device__ inline float __saturatef(float __x) { return __simulator::__saturated(__x); }

}  // extern "C"

// ---- Overloads for float of what C has for double alone ----

__host__ __device__ inline void sincos(const float __x, float* const __sine,
                                       float* const __cosine) {
  sincosf(__x, __sine, __cosine);
}
__host__ __device__ inline float exp10(const float __x) { return __builtin_exp10f(__x); }
__host__ __device__ inline float j0(const float __x) { return __builtin_j0f(__x); }
__host__ __device__ inline float j1(const float __x) { return __builtin_j1f(__x); }
__host__ __device__ inline float jn(const int __n, const float __x) {
  return __builtin_jnf(__n, __x);
}
__host__ __device__ inline float y0(const float __x) { return __builtin_y0f(__x); }
__host__ __device__ inline float y1(const float __x) { return __builtin_y1f(__x); }
__host__ __device__ inline float yn(const int __n, const float __x) {
  return __builtin_ynf(__n, __x);
}

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_MATH_H_
