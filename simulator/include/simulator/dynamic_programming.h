// File: simulator/dynamic_programming.h
//
// Intrinsics for dynamic programming (DPX): a sum and a maximum in one, maxima of three, a maximum
// that tells which it was; on one 32-bit number, or on the two 16-bit halves of a word (names with
// x2). Sums wrap around. With _relu in the name a result below 0 becomes 0.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_DYNAMIC_PROGRAMMING_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_DYNAMIC_PROGRAMMING_H_

#include "simulator/language.h"

namespace __simulator {

template <typename __T>
__host__ __device__ inline __T __greater_of(__T __x, __T __y) {
  return __x > __y ? __x : __y;
}
template <typename __T>
__host__ __device__ inline __T __lesser_of(__T __x, __T __y) {
  return __x < __y ? __x : __y;
}
template <typename __T>
__host__ __device__ inline __T __wrapped_sum(__T __x, __T __y) {
  return static_cast<__T>(static_cast<unsigned int>(__x) + static_cast<unsigned int>(__y));
}

// The operation on the low halves and on the high ones.
template <typename __Half, typename __Operation>
__host__ __device__ inline unsigned int __in_halves(unsigned int __a, unsigned int __b,
                                                    unsigned int __c, __Operation __operation) {
  unsigned int __result = 0;
  for (int __shift = 0; __shift < 32; __shift += 16) {
    const __Half __half =
        __operation(static_cast<__Half>(__a >> __shift), static_cast<__Half>(__b >> __shift),
                    static_cast<__Half>(__c >> __shift));
    __result |= static_cast<unsigned int>(static_cast<unsigned short>(__half)) << __shift;
  }
  return __result;
}

}  // namespace __simulator

// `formula` is in __x, __y and __z, which are of type __T.
#define __SIMULATOR_OPERATION(T, formula)                                           \
  []([[maybe_unused]] T __x, [[maybe_unused]] T __y, [[maybe_unused]] T __z) -> T { \
    using __T = T;                                                                  \
    return static_cast<__T>(formula);                                               \
  }
#define __SIMULATOR_WORDS(name, T, formula)                                  \
  __host__ __device__ inline T name(const T __a, const T __b, const T __c) { \
    return __SIMULATOR_OPERATION(T, formula)(__a, __b, __c);                 \
  }
#define __SIMULATOR_HALVES(name, half, formula)                                                 \
  __host__ __device__ inline unsigned int name(const unsigned int __a, const unsigned int __b,  \
                                               const unsigned int __c) {                        \
    return __simulator::__in_halves<half>(__a, __b, __c, __SIMULATOR_OPERATION(half, formula)); \
  }
#define __SIMULATOR_RELU(formula) __simulator::__greater_of<__T>(formula, 0)
#define __SIMULATOR_OF_THREE(name, formula)                               \
  __SIMULATOR_WORDS(name##_s32, int, formula)                             \
  __SIMULATOR_WORDS(name##_s32_relu, int, __SIMULATOR_RELU(formula))      \
  __SIMULATOR_WORDS(name##_u32, unsigned int, formula)                    \
  __SIMULATOR_HALVES(name##_s16x2, short, formula)                        \
  __SIMULATOR_HALVES(name##_s16x2_relu, short, __SIMULATOR_RELU(formula)) \
  __SIMULATOR_HALVES(name##_u16x2, unsigned short, formula)

__SIMULATOR_OF_THREE(__viaddmax,
                     __simulator::__greater_of<__T>(__simulator::__wrapped_sum<__T>(__x, __y), __z))
__SIMULATOR_OF_THREE(__viaddmin,
                     __simulator::__lesser_of<__T>(__simulator::__wrapped_sum<__T>(__x, __y), __z))
__SIMULATOR_OF_THREE(__vimax3,
                     __simulator::__greater_of<__T>(__simulator::__greater_of<__T>(__x, __y), __z))
__SIMULATOR_OF_THREE(__vimin3,
                     __simulator::__lesser_of<__T>(__simulator::__lesser_of<__T>(__x, __y), __z))

__host__ __device__ inline int __vimax_s32_relu(const int __a, const int __b) {
  return __vimax3_s32_relu(__a, __b, __b);
}
__host__ __device__ inline int __vimin_s32_relu(const int __a, const int __b) {
  return __vimin3_s32_relu(__a, __b, __b);
}
__host__ __device__ inline unsigned int __vimax_s16x2_relu(const unsigned int __a,
                                                           const unsigned int __b) {
  return __vimax3_s16x2_relu(__a, __b, __b);
}
__host__ __device__ inline unsigned int __vimin_s16x2_relu(const unsigned int __a,
                                                           const unsigned int __b) {
  return __vimin3_s16x2_relu(__a, __b, __b);
}

// Also tells whether the result is the first operand, which it is where both are equal.
#define __SIMULATOR_WITH_CHOICE(name, T, than, better)                                  \
  __host__ __device__ inline T name(const T __a, const T __b, bool* const __is_first) { \
    *__is_first = __a than __b;                                                         \
    return __simulator::better<T>(__a, __b);                                            \
  }
#define __SIMULATOR_HALVES_WITH_CHOICE(name, half, than, better)                               \
  __host__ __device__ inline unsigned int name(const unsigned int __a, const unsigned int __b, \
                                               bool* const __is_first_high,                    \
                                               bool* const __is_first_low) {                   \
    *__is_first_high = static_cast<half>(__a >> 16) than static_cast<half>(__b >> 16);         \
    *__is_first_low = static_cast<half>(__a) than static_cast<half>(__b);                      \
    return __simulator::__in_halves<half>(__a, __b, 0, [](half __x, half __y, half) {          \
      return __simulator::better<half>(__x, __y);                                              \
    });                                                                                        \
  }
#define __SIMULATOR_CHOICES(name, than, better)                     \
  __SIMULATOR_WITH_CHOICE(name##_s32, int, than, better)            \
  __SIMULATOR_WITH_CHOICE(name##_u32, unsigned int, than, better)   \
  __SIMULATOR_HALVES_WITH_CHOICE(name##_s16x2, short, than, better) \
  __SIMULATOR_HALVES_WITH_CHOICE(name##_u16x2, unsigned short, than, better)

__SIMULATOR_CHOICES(__vibmax, >=, __greater_of)
__SIMULATOR_CHOICES(__vibmin, <=, __lesser_of)

#undef __SIMULATOR_OPERATION
#undef __SIMULATOR_WORDS
#undef __SIMULATOR_HALVES
#undef __SIMULATOR_RELU
#undef __SIMULATOR_OF_THREE
#undef __SIMULATOR_WITH_CHOICE
#undef __SIMULATOR_HALVES_WITH_CHOICE
#undef __SIMULATOR_CHOICES

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_DYNAMIC_PROGRAMMING_H_
