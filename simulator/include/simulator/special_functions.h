// File: simulator/special_functions.h
//
// Functions of the CUDA math API that the C++ library lacks: reciprocal roots, norms, sine and
// cosine of multiples of pi, the normal distribution, inverse error functions, modified Bessel
// functions.
//
// They take the plain way in a wider type, double for float and long double for double: its range
// makes scaling needless and its precision leaves one rounding. None is meant for an inner loop,
// except rsqrtf, which stays in float (at most 1.5 units in the last place; CUDA allows 2).

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_SPECIAL_FUNCTIONS_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_SPECIAL_FUNCTIONS_H_

// libstdc++'s wrapper: the overloads of sqrt, sin ... for all three types in the global namespace.
#include <math.h>

#include "simulator/language.h"

namespace __simulator {

constexpr long double __pi = 3.14159265358979323846264338327950288L;

// The root of a sum of squares. Infinity counts more than NaN, as for hypot.
template <typename __Wide, typename... __Number>
__host__ __device__ inline __Wide __norm(__Number... __x) {
  if ((__builtin_isinf(__x) || ...)) return __builtin_inf();
  return sqrt(((static_cast<__Wide>(__x) * static_cast<__Wide>(__x)) + ...));
}

template <typename __Wide, typename __Number>
__host__ __device__ inline __Wide __norm_of_array(int __count, const __Number* __p) {
  __Wide __squares = 0;
  bool __infinite = false;
  for (int __i = 0; __i < __count; ++__i) {
    const __Wide __x = __p[__i];
    __infinite = __infinite || __builtin_isinf(__x);
    __squares += __x * __x;
  }
  return __infinite ? __Wide(__builtin_inf()) : sqrt(__squares);
}

// sin(pi x) and cos(pi x) of x from -1/4 to 1/4 and its quarter turns; both reductions are exact.
template <typename __Wide, typename __Number>
__host__ __device__ inline void __sine_and_cosine_of_pi(__Number __x, __Number* __sine,
                                                        __Number* __cosine) {
  const __Number __turn = fmod(__x, __Number(2));
  const __Number __quarters = rint(2 * __turn);
  const __Wide __angle = static_cast<__Wide>(__pi) * (__turn - __quarters / 2);
  const __Number __s = static_cast<__Number>(sin(__angle));
  const __Number __c = static_cast<__Number>(cos(__angle));
  // Adding zero turns -0 into +0; only a sine that is zero keeps the sign of x.
  switch (__quarters == __quarters ? static_cast<int>(__quarters) & 3 : 0) {
    case 0:
      *__sine = __s == 0 ? copysign(__s, __x) : __s;
      *__cosine = __c;
      break;
    case 1:
      *__sine = __c;
      *__cosine = 0 - __s;
      break;
    case 2:
      *__sine = __s == 0 ? copysign(__s, __x) : -__s;
      *__cosine = -__c;
      break;
    default:
      *__sine = -__c;
      *__cosine = __s + 0;
      break;
  }
}

// exp(x^2) erfc(x). Where that would be infinity times zero the asymptotic series, whose first term
// left out is below 1e-20 of the sum.
__host__ __device__ inline long double __scaled_erfc(long double __x) {
  if (!(__x > 50)) return __builtin_expl(__x * __x) * __builtin_erfcl(__x);
  const long double __t = 0.5L / (__x * __x);
  const long double __series =
      1 - __t * (1 - 3 * __t * (1 - 5 * __t * (1 - 7 * __t * (1 - 9 * __t * (1 - 11 * __t)))));
  return __series / (__x * __builtin_sqrtl(__pi));
}

// y >= 0 with erf(y) = x = 1 - q, given both x and q, of which the smaller one counts. Winitzki's
// formula to start from (relative error 0.002), then Halley's method.
__host__ __device__ inline long double __inverse_erf(long double __x, long double __q) {
  const long double __logarithm = __builtin_logl(__q * (1 + __x));
  const long double __a = 0.147L;
  const long double __b = 2 / (__pi * __a) + __logarithm / 2;
  const long double __root = __builtin_sqrtl(__b * __b - __logarithm / __a) - __b;
  long double __y = __root > 0 ? __builtin_sqrtl(__root) : 0;
  for (int __step = 0; __step < 4; ++__step) {
    const long double __miss = __x < 0.5L ? __builtin_erfl(__y) - __x : __q - __builtin_erfcl(__y);
    const long double __ratio = __miss * __builtin_expl(__y * __y) * (__builtin_sqrtl(__pi) / 2);
    __y -= __ratio / (1 + __y * __ratio);
  }
  return __y;
}

__host__ __device__ inline long double __erfinv(long double __x) {
  const long double __size = __builtin_fabsl(__x);
  if (!(__size <= 1)) return __builtin_nan("");
  if (__size == 0) return __x;
  if (__size == 1) return __builtin_copysignl(__builtin_infl(), __x);
  return __builtin_copysignl(__inverse_erf(__size, 1 - __size), __x);
}

__host__ __device__ inline long double __erfcinv(long double __q) {
  if (!(__q >= 0 && __q <= 2)) return __builtin_nan("");
  if (__q == 0 || __q == 2) return __q == 0 ? __builtin_infl() : -__builtin_infl();
  if (__q > 0.5L && __q < 1.5L) return __erfinv(1 - __q);
  return __q < 1 ? __inverse_erf(1 - __q, __q) : -__inverse_erf(__q - 1, 2 - __q);
}

__host__ __device__ inline long double __normcdf(long double __x) {
  return 0.5L * __builtin_erfcl(-__x * __builtin_sqrtl(0.5L));
}

__host__ __device__ inline long double __normcdfinv(long double __p) {
  return -__builtin_sqrtl(2.0L) * __erfcinv(2 * __p);
}

// The modified Bessel function of the first kind of order 0 or 1: the power series, whose terms are
// all positive, and from 30 the asymptotic series, whose terms fall below 1e-20 before they grow.
template <int __order>
__host__ __device__ inline long double __bessel_i(long double __x) {
  const long double __size = __builtin_fabsl(__x);
  const long double __sign = __order == 1 && __x < 0 ? -1 : 1;
  if (__builtin_isinf(__x)) return __sign * __size;
  long double __term = 1;
  long double __sum = 1;
  if (__size < 30) {
    for (int __k = 1; __term > __sum * 1e-21L; ++__k) {
      __term *= __size * __size / (4.0L * __k * (__k + __order));
      __sum += __term;
    }
    return __order == 0 ? __sum : __x / 2 * __sum;
  }
  for (int __k = 1; __k < 60 && __builtin_fabsl(__term) > 1e-21L; ++__k) {
    __term *= ((2 * __k - 1) * (2 * __k - 1) - 4 * __order) / (8 * __size * __k);
    __sum += __term;
  }
  return __sign * __sum * __builtin_expl(__size) / __builtin_sqrtl(2 * __pi * __size);
}

}  // namespace __simulator

extern "C" {

// Each function for float and for double; `formula` is in __x, already in the wider type.
#define __SIMULATOR_FUNCTION(name, formula)                      \
  __host__ __device__ inline float name##f(float __a) noexcept { \
    const double __x = __a;                                      \
    return static_cast<float>(formula);                          \
  }                                                              \
  __host__ __device__ inline double name(double __a) noexcept {  \
    const long double __x = __a;                                 \
    return static_cast<double>(formula);                         \
  }

__host__ __device__ inline float rsqrtf(float __x) noexcept { return 1.0f / __builtin_sqrtf(__x); }
__host__ __device__ inline double rsqrt(double __x) noexcept {
  return static_cast<double>(1.0L / __builtin_sqrtl(__x));
}

__SIMULATOR_FUNCTION(rcbrt, 1 / cbrt(__x))
__SIMULATOR_FUNCTION(erfcx, __simulator::__scaled_erfc(__x))
__SIMULATOR_FUNCTION(erfinv, __simulator::__erfinv(__x))
__SIMULATOR_FUNCTION(erfcinv, __simulator::__erfcinv(__x))
__SIMULATOR_FUNCTION(normcdf, __simulator::__normcdf(__x))
__SIMULATOR_FUNCTION(normcdfinv, __simulator::__normcdfinv(__x))
__SIMULATOR_FUNCTION(cyl_bessel_i0, __simulator::__bessel_i<0>(__x))
__SIMULATOR_FUNCTION(cyl_bessel_i1, __simulator::__bessel_i<1>(__x))

#undef __SIMULATOR_FUNCTION

// `name` is the function for float or double, `wide` the type it is computed in.
#define __SIMULATOR_FUNCTIONS_OF_PI(type, wide, sine, cosine, both)              \
  __host__ __device__ inline void both(type __x, type* __sine, type* __cosine) { \
    type __s, __c;                                                               \
    __simulator::__sine_and_cosine_of_pi<wide>(__x, &__s, &__c);                 \
    *__sine = __s;                                                               \
    *__cosine = __c;                                                             \
  }                                                                              \
  __host__ __device__ inline type sine(type __x) noexcept {                      \
    type __s, __c;                                                               \
    __simulator::__sine_and_cosine_of_pi<wide>(__x, &__s, &__c);                 \
    return __s;                                                                  \
  }                                                                              \
  __host__ __device__ inline type cosine(type __x) noexcept {                    \
    type __s, __c;                                                               \
    __simulator::__sine_and_cosine_of_pi<wide>(__x, &__s, &__c);                 \
    return __c;                                                                  \
  }

__SIMULATOR_FUNCTIONS_OF_PI(float, double, sinpif, cospif, sincospif)
__SIMULATOR_FUNCTIONS_OF_PI(double, long double, sinpi, cospi, sincospi)

#undef __SIMULATOR_FUNCTIONS_OF_PI

#define __SIMULATOR_NORMS(type, wide, length, reciprocal, parameters, arguments) \
  __host__ __device__ inline type length parameters noexcept {                   \
    return static_cast<type>(__simulator::__norm<wide> arguments);               \
  }                                                                              \
  __host__ __device__ inline type reciprocal parameters noexcept {               \
    return static_cast<type>(1 / __simulator::__norm<wide> arguments);           \
  }

__SIMULATOR_NORMS(float, double, norm3df, rnorm3df, (float __a, float __b, float __c),
                  (__a, __b, __c))
__SIMULATOR_NORMS(double, long double, norm3d, rnorm3d, (double __a, double __b, double __c),
                  (__a, __b, __c))
__SIMULATOR_NORMS(float, double, norm4df, rnorm4df, (float __a, float __b, float __c, float __d),
                  (__a, __b, __c, __d))
__SIMULATOR_NORMS(double, long double, norm4d, rnorm4d,
                  (double __a, double __b, double __c, double __d), (__a, __b, __c, __d))

#undef __SIMULATOR_NORMS

__host__ __device__ inline float rhypotf(float __a, float __b) noexcept {
  return static_cast<float>(1 / __simulator::__norm<double>(__a, __b));
}
__host__ __device__ inline double rhypot(double __a, double __b) noexcept {
  return static_cast<double>(1 / __simulator::__norm<long double>(__a, __b));
}
__host__ __device__ inline float normf(int __count, const float* __p) noexcept {
  return static_cast<float>(__simulator::__norm_of_array<double>(__count, __p));
}
__host__ __device__ inline float rnormf(int __count, const float* __p) noexcept {
  return static_cast<float>(1 / __simulator::__norm_of_array<double>(__count, __p));
}
__host__ __device__ inline double norm(int __count, const double* __p) noexcept {
  return static_cast<double>(__simulator::__norm_of_array<long double>(__count, __p));
}
__host__ __device__ inline double rnorm(int __count, const double* __p) noexcept {
  return static_cast<double>(1 / __simulator::__norm_of_array<long double>(__count, __p));
}

}  // extern "C"

// The same names for float, as C++ has them for sqrt.
#define __SIMULATOR_OVERLOAD(name) \
  __host__ __device__ inline float name(const float __x) { return name##f(__x); }

__SIMULATOR_OVERLOAD(rsqrt)
__SIMULATOR_OVERLOAD(rcbrt)
__SIMULATOR_OVERLOAD(sinpi)
__SIMULATOR_OVERLOAD(cospi)
__SIMULATOR_OVERLOAD(erfcx)
__SIMULATOR_OVERLOAD(erfinv)
__SIMULATOR_OVERLOAD(erfcinv)
__SIMULATOR_OVERLOAD(normcdf)
__SIMULATOR_OVERLOAD(normcdfinv)
__SIMULATOR_OVERLOAD(cyl_bessel_i0)
__SIMULATOR_OVERLOAD(cyl_bessel_i1)

#undef __SIMULATOR_OVERLOAD

__host__ __device__ inline void sincospi(const float __x, float* const __sine,
                                         float* const __cosine) {
  sincospif(__x, __sine, __cosine);
}

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_SPECIAL_FUNCTIONS_H_
