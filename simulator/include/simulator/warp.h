// File: simulator/warp.h
//
// Collectives of a warp: shuffles, votes, matches, reductions, __syncwarp.
//
// A lane's value goes to the runtime in 64 bits; larger types go in pieces.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_WARP_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_WARP_H_

#include <simulator/synchronization.h>
#include <simulator/thread.h>

#include <type_traits>

namespace __simulator {

inline unsigned __linear_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

inline unsigned __lane() { return __linear_thread() % 32; }

// Every lane gets the value of its own source lane.
template <typename __T>
inline __T __exchange(unsigned __mask, const __T& __value, unsigned __source_lane,
                      __Where __where) {
  static_assert(std::is_trivially_copyable_v<__T>, "a shuffle copies bytes");
  __T __result = __value;
  for (unsigned __at = 0; __at < sizeof(__T); __at += 8) {
    const unsigned __bytes = sizeof(__T) - __at < 8 ? sizeof(__T) - __at : 8;
    unsigned long long __piece = 0;
    __builtin_memcpy(&__piece, reinterpret_cast<const char*>(&__value) + __at, __bytes);
    __piece = __collective(__Collective::__shuffle, __mask, __piece, __source_lane, __where);
    __builtin_memcpy(reinterpret_cast<char*>(&__result) + __at, &__piece, __bytes);
  }
  return __result;
}

// The bounds of the caller's part of the warp: `width` is a power of two of at most 32.
inline unsigned __first_lane(int __width) {
  return __lane() & ~(static_cast<unsigned>(__width) - 1);
}

}  // namespace __simulator

template <typename __T>
inline __T __shfl_sync(unsigned __mask, __T __value, int __source, int __width = 32,
                       __SIMULATOR_WHERE) {
  const unsigned __inside = static_cast<unsigned>(__width) - 1;
  const unsigned __from =
      __simulator::__first_lane(__width) | (static_cast<unsigned>(__source) & __inside);
  return __simulator::__exchange(__mask, __value, __from, {__file, __line});
}

template <typename __T>
inline __T __shfl_up_sync(unsigned __mask, __T __value, unsigned __delta, int __width = 32,
                          __SIMULATOR_WHERE) {
  const unsigned __self = __simulator::__lane();
  const unsigned __inside = __self & (static_cast<unsigned>(__width) - 1);
  const unsigned __from = __inside >= __delta ? __self - __delta : __self;
  return __simulator::__exchange(__mask, __value, __from, {__file, __line});
}

template <typename __T>
inline __T __shfl_down_sync(unsigned __mask, __T __value, unsigned __delta, int __width = 32,
                            __SIMULATOR_WHERE) {
  const unsigned __self = __simulator::__lane();
  const unsigned __inside = __self & (static_cast<unsigned>(__width) - 1);
  const unsigned __from =
      __inside + __delta < static_cast<unsigned>(__width) ? __self + __delta : __self;
  return __simulator::__exchange(__mask, __value, __from, {__file, __line});
}

template <typename __T>
inline __T __shfl_xor_sync(unsigned __mask, __T __value, int __lane_mask, int __width = 32,
                           __SIMULATOR_WHERE) {
  const unsigned __self = __simulator::__lane();
  const unsigned __other = __self ^ static_cast<unsigned>(__lane_mask);
  // Lanes of the caller's own part of the warp and of those before it can be read.
  const unsigned __end = __simulator::__first_lane(__width) + static_cast<unsigned>(__width);
  return __simulator::__exchange(__mask, __value, __other < __end ? __other : __self,
                                 {__file, __line});
}

inline void __syncwarp(unsigned __mask = 0xffffffffu, __SIMULATOR_WHERE) {
  __simulator::__collective(__simulator::__Collective::__sync, __mask, 0, 0, {__file, __line});
}

inline int __any_sync(unsigned __mask, int __predicate, __SIMULATOR_WHERE) {
  return static_cast<int>(__simulator::__collective(__simulator::__Collective::__any, __mask,
                                                    __predicate != 0, 0, {__file, __line}));
}
inline int __all_sync(unsigned __mask, int __predicate, __SIMULATOR_WHERE) {
  return static_cast<int>(__simulator::__collective(__simulator::__Collective::__all, __mask,
                                                    __predicate != 0, 0, {__file, __line}));
}
inline unsigned __ballot_sync(unsigned __mask, int __predicate, __SIMULATOR_WHERE) {
  return static_cast<unsigned>(__simulator::__collective(
      __simulator::__Collective::__ballot, __mask, __predicate != 0, 0, {__file, __line}));
}

inline unsigned __activemask(__SIMULATOR_WHERE) {
  return __simulator::__converged_lanes({__file, __line});
}

template <typename __T>
inline unsigned __match_any_sync(unsigned __mask, __T __value, __SIMULATOR_WHERE) {
  static_assert(sizeof(__T) == 4 || sizeof(__T) == 8, "values of 4 or 8 bytes are matched");
  unsigned long long __bits = 0;
  __builtin_memcpy(&__bits, &__value, sizeof(__T));
  return static_cast<unsigned>(__simulator::__collective(__simulator::__Collective::__match_any,
                                                         __mask, __bits, 0, {__file, __line}));
}

template <typename __T>
inline unsigned __match_all_sync(unsigned __mask, __T __value, int* __predicate,
                                 __SIMULATOR_WHERE) {
  static_assert(sizeof(__T) == 4 || sizeof(__T) == 8, "values of 4 or 8 bytes are matched");
  unsigned long long __bits = 0;
  __builtin_memcpy(&__bits, &__value, sizeof(__T));
  const unsigned long long __result = __simulator::__collective(
      __simulator::__Collective::__match_all, __mask, __bits, 0, {__file, __line});
  *__predicate = static_cast<int>(__result >> 32);
  return static_cast<unsigned>(__result);
}

#define __SIMULATOR_REDUCTION(NAME, TYPE, KIND)                                                 \
  inline TYPE NAME(unsigned __mask, TYPE __value, __SIMULATOR_WHERE) {                          \
    return static_cast<TYPE>(__simulator::__collective(__simulator::__Collective::KIND, __mask, \
                                                       static_cast<unsigned>(__value), 0,       \
                                                       {__file, __line}));                      \
  }
__SIMULATOR_REDUCTION(__reduce_add_sync, unsigned, __add)
__SIMULATOR_REDUCTION(__reduce_add_sync, int, __add)
__SIMULATOR_REDUCTION(__reduce_min_sync, unsigned, __min_unsigned)
__SIMULATOR_REDUCTION(__reduce_min_sync, int, __min_signed)
__SIMULATOR_REDUCTION(__reduce_max_sync, unsigned, __max_unsigned)
__SIMULATOR_REDUCTION(__reduce_max_sync, int, __max_signed)
__SIMULATOR_REDUCTION(__reduce_and_sync, unsigned, __and)
__SIMULATOR_REDUCTION(__reduce_or_sync, unsigned, __or)
__SIMULATOR_REDUCTION(__reduce_xor_sync, unsigned, __xor)
#undef __SIMULATOR_REDUCTION

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_WARP_H_
