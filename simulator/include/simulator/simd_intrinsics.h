// File: simulator/simd_intrinsics.h
//
// SIMD intrinsics: one 32-bit word as two 16-bit numbers (names ending in 2) or four 8-bit numbers
// (names ending in 4), the same operation in each.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_SIMD_INTRINSICS_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_SIMD_INTRINSICS_H_

#include <limits>

#include "simulator/language.h"

namespace __simulator {

// The result of each part, cut to its width.
template <typename __Part, typename __Operation>
__device__ inline unsigned int __in_parts(unsigned int __a, unsigned int __b,
                                          __Operation __operation) {
  constexpr int __width = 8 * sizeof(__Part);
  constexpr unsigned int __mask = (1u << __width) - 1;
  unsigned int __result = 0;
  for (int __shift = 0; __shift < 32; __shift += __width) {
    const int __x = static_cast<__Part>(__a >> __shift);
    const int __y = static_cast<__Part>(__b >> __shift);
    __result |= (static_cast<unsigned int>(__operation(__x, __y)) & __mask) << __shift;
  }
  return __result;
}

// The sum of the results.
template <typename __Part, typename __Operation>
__device__ inline unsigned int __sum_of_parts(unsigned int __a, unsigned int __b,
                                              __Operation __operation) {
  unsigned int __sum = 0;
  for (unsigned int __shift = 0; __shift < 32; __shift += 8 * sizeof(__Part)) {
    const int __x = static_cast<__Part>(__a >> __shift);
    const int __y = static_cast<__Part>(__b >> __shift);
    __sum += static_cast<unsigned int>(__operation(__x, __y));
  }
  return __sum;
}

// Into the range of the part.
template <typename __Part>
__device__ inline int __clamped(int __x) {
  using __limits = std::numeric_limits<__Part>;
  return __x < __limits::min() ? __limits::min() : __x > __limits::max() ? __limits::max() : __x;
}

}  // namespace __simulator

// `formula` is in __x and __y, the parts as int; __Part is their type.
#define __SIMULATOR_PARTS_BINARY(combine, name, part, formula)                            \
  __device__ inline unsigned int name(unsigned int __a, unsigned int __b) {               \
    using __Part = part;                                                                  \
    return __simulator::combine<__Part>(__a, __b,                                         \
                                        [](int __x, int __y) -> int { return formula; }); \
  }
#define __SIMULATOR_PARTS_UNARY(name, part, formula)                                             \
  __device__ inline unsigned int name(unsigned int __a) {                                        \
    using __Part = part;                                                                         \
    return __simulator::__in_parts<__Part>(__a, 0, [](int __x, int) -> int { return formula; }); \
  }
#define __SIMULATOR_SIGNED(name, formula)                              \
  __SIMULATOR_PARTS_BINARY(__in_parts, name##2, signed short, formula) \
  __SIMULATOR_PARTS_BINARY(__in_parts, name##4, signed char, formula)
#define __SIMULATOR_UNSIGNED(name, formula)                              \
  __SIMULATOR_PARTS_BINARY(__in_parts, name##2, unsigned short, formula) \
  __SIMULATOR_PARTS_BINARY(__in_parts, name##4, unsigned char, formula)
#define __SIMULATOR_SIGNED_UNARY(name, formula)           \
  __SIMULATOR_PARTS_UNARY(name##2, signed short, formula) \
  __SIMULATOR_PARTS_UNARY(name##4, signed char, formula)

// Plain ones wrap around; ss and us saturate, signed and unsigned.
__SIMULATOR_UNSIGNED(__vadd, __x + __y)
__SIMULATOR_SIGNED(__vaddss, __simulator::__clamped<__Part>(__x + __y))
__SIMULATOR_UNSIGNED(__vaddus, __simulator::__clamped<__Part>(__x + __y))
__SIMULATOR_UNSIGNED(__vsub, __x - __y)
__SIMULATOR_SIGNED(__vsubss, __simulator::__clamped<__Part>(__x - __y))
__SIMULATOR_UNSIGNED(__vsubus, __simulator::__clamped<__Part>(__x - __y))
__SIMULATOR_SIGNED_UNARY(__vneg, -__x)
__SIMULATOR_SIGNED_UNARY(__vnegss, __simulator::__clamped<__Part>(-__x))
__SIMULATOR_SIGNED_UNARY(__vabs, __x < 0 ? -__x : __x)
__SIMULATOR_SIGNED_UNARY(__vabsss, __simulator::__clamped<__Part>(__x < 0 ? -__x : __x))

// Averages: halves are rounded away from zero (__vavg), or down (__vhaddu).
__SIMULATOR_SIGNED(__vavgs, (__x + __y + (__x + __y >= 0 ? 1 : 0)) >> 1)
__SIMULATOR_UNSIGNED(__vavgu, (__x + __y + 1) >> 1)
__SIMULATOR_UNSIGNED(__vhaddu, (__x + __y) >> 1)

__SIMULATOR_SIGNED(__vmaxs, __x > __y ? __x : __y)
__SIMULATOR_UNSIGNED(__vmaxu, __x > __y ? __x : __y)
__SIMULATOR_SIGNED(__vmins, __x < __y ? __x : __y)
__SIMULATOR_UNSIGNED(__vminu, __x < __y ? __x : __y)

__SIMULATOR_SIGNED(__vabsdiffs, __x > __y ? __x - __y : __y - __x)
__SIMULATOR_UNSIGNED(__vabsdiffu, __x > __y ? __x - __y : __y - __x)
#define __SIMULATOR_SUM_OF_DIFFERENCES(name, part) \
  __SIMULATOR_PARTS_BINARY(__sum_of_parts, name, part, __x > __y ? __x - __y : __y - __x)
__SIMULATOR_SUM_OF_DIFFERENCES(__vsads2, signed short)
__SIMULATOR_SUM_OF_DIFFERENCES(__vsads4, signed char)
__SIMULATOR_SUM_OF_DIFFERENCES(__vsadu2, unsigned short)
__SIMULATOR_SUM_OF_DIFFERENCES(__vsadu4, unsigned char)

// __vcmp: all bits of a part or none; __vset: 1 or 0.
#define __SIMULATOR_COMPARE(kind, name, formula) \
  kind(__vcmp##name, (formula) ? -1 : 0) kind(__vset##name, (formula) ? 1 : 0)

__SIMULATOR_COMPARE(__SIMULATOR_UNSIGNED, eq, __x == __y)
__SIMULATOR_COMPARE(__SIMULATOR_UNSIGNED, ne, __x != __y)
__SIMULATOR_COMPARE(__SIMULATOR_SIGNED, ges, __x >= __y)
__SIMULATOR_COMPARE(__SIMULATOR_UNSIGNED, geu, __x >= __y)
__SIMULATOR_COMPARE(__SIMULATOR_SIGNED, gts, __x > __y)
__SIMULATOR_COMPARE(__SIMULATOR_UNSIGNED, gtu, __x > __y)
__SIMULATOR_COMPARE(__SIMULATOR_SIGNED, les, __x <= __y)
__SIMULATOR_COMPARE(__SIMULATOR_UNSIGNED, leu, __x <= __y)
__SIMULATOR_COMPARE(__SIMULATOR_SIGNED, lts, __x < __y)
__SIMULATOR_COMPARE(__SIMULATOR_UNSIGNED, ltu, __x < __y)

#undef __SIMULATOR_PARTS_BINARY
#undef __SIMULATOR_PARTS_UNARY
#undef __SIMULATOR_SIGNED
#undef __SIMULATOR_UNSIGNED
#undef __SIMULATOR_SIGNED_UNARY
#undef __SIMULATOR_SUM_OF_DIFFERENCES
#undef __SIMULATOR_COMPARE

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_SIMD_INTRINSICS_H_
