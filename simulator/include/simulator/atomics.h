// File: simulator/atomics.h
//
// Atomic operations on global and shared memory. Each is one atomic instruction of the CPU, or a
// loop round a compare-and-swap where there is none (floating point, minimum, the wrapping
// counters). They are relaxed, as CUDA's are: an atomic orders nothing round it, a fence does.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ATOMICS_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ATOMICS_H_

#include <simulator/synchronization.h>

#include <type_traits>

namespace __simulator {

// A thread that asks for the same word again and again may wait for another, which must be let run.
extern __thread unsigned __atomics_until_yield __asm__("simulator_atomics_until_yield");

inline void __count_atomic() {
  if (--__atomics_until_yield == 0) __yield();
}

template <unsigned __bytes>
struct __Word;
template <>
struct __Word<1> {
  using __Type = unsigned char;
};
template <>
struct __Word<2> {
  using __Type = unsigned short;
};
template <>
struct __Word<4> {
  using __Type = unsigned;
};
template <>
struct __Word<8> {
  using __Type = unsigned long long;
};

// old = *address; *address = next(old); returns old.
template <typename __T, typename __Next>
inline __T __update(__T* __address, __Next __next) {
  using __Bits = typename __Word<sizeof(__T)>::__Type;
  auto* const __word = reinterpret_cast<__Bits*>(__address);
  __count_atomic();
  __Bits __old = __atomic_load_n(__word, __ATOMIC_RELAXED);
  for (;;) {
    __T __value;
    __builtin_memcpy(static_cast<void*>(&__value), &__old, sizeof(__T));
    const __T __wanted = __next(__value);
    __Bits __bits;
    __builtin_memcpy(&__bits, static_cast<const void*>(&__wanted), sizeof(__T));
    if (__atomic_compare_exchange_n(__word, &__old, __bits, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return __value;
    }
  }
}

template <typename __T>
inline __T __fetch_add(__T* __address, __T __value) {
  if constexpr (std::is_integral_v<__T>) {
    __count_atomic();
    return __atomic_fetch_add(__address, __value, __ATOMIC_RELAXED);
  } else {
    return __update(__address, [=](__T __old) -> __T { return __old + __value; });
  }
}

template <typename __T>
inline __T __exchange_word(__T* __address, __T __value) {
  using __Bits = typename __Word<sizeof(__T)>::__Type;
  __count_atomic();
  __Bits __bits;
  __builtin_memcpy(&__bits, &__value, sizeof(__T));
  __bits = __atomic_exchange_n(reinterpret_cast<__Bits*>(__address), __bits, __ATOMIC_RELAXED);
  __builtin_memcpy(&__value, &__bits, sizeof(__T));
  return __value;
}

template <typename __T>
inline __T __compare_and_swap(__T* __address, __T __compare, __T __value) {
  __count_atomic();
  __atomic_compare_exchange_n(__address, &__compare, __value, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return __compare;
}

}  // namespace __simulator

// Each comes for the device, the block and the system; on a CPU all three are the same.
#define __SIMULATOR_ATOMIC(NAME, TYPE, ...)                               \
  inline TYPE NAME(TYPE* __address, TYPE __value) { __VA_ARGS__ }         \
  inline TYPE NAME##_block(TYPE* __address, TYPE __value) { __VA_ARGS__ } \
  inline TYPE NAME##_system(TYPE* __address, TYPE __value) { __VA_ARGS__ }

#define __SIMULATOR_ADD(TYPE) \
  __SIMULATOR_ATOMIC(atomicAdd, TYPE, return __simulator::__fetch_add(__address, __value);)
__SIMULATOR_ADD(int)
__SIMULATOR_ADD(unsigned)
__SIMULATOR_ADD(unsigned long long)
__SIMULATOR_ADD(float)
__SIMULATOR_ADD(double)
#undef __SIMULATOR_ADD

__SIMULATOR_ATOMIC(atomicSub, int, __simulator::__count_atomic();
                   return __atomic_fetch_sub(__address, __value, __ATOMIC_RELAXED);)
__SIMULATOR_ATOMIC(atomicSub, unsigned, __simulator::__count_atomic();
                   return __atomic_fetch_sub(__address, __value, __ATOMIC_RELAXED);)

#define __SIMULATOR_EXCHANGE(TYPE) \
  __SIMULATOR_ATOMIC(atomicExch, TYPE, return __simulator::__exchange_word(__address, __value);)
__SIMULATOR_EXCHANGE(int)
__SIMULATOR_EXCHANGE(unsigned)
__SIMULATOR_EXCHANGE(unsigned long long)
__SIMULATOR_EXCHANGE(float)
#undef __SIMULATOR_EXCHANGE

#define __SIMULATOR_MINIMUM(TYPE)                                                               \
  __SIMULATOR_ATOMIC(atomicMin, TYPE, return __simulator::__update(__address, [=](TYPE __old) { \
                       return __value < __old ? __value : __old;                                \
                     });)                                                                       \
  __SIMULATOR_ATOMIC(atomicMax, TYPE, return __simulator::__update(__address, [=](TYPE __old) { \
                       return __value > __old ? __value : __old;                                \
                     });)
__SIMULATOR_MINIMUM(int)
__SIMULATOR_MINIMUM(unsigned)
__SIMULATOR_MINIMUM(unsigned long long)
__SIMULATOR_MINIMUM(long long)
#undef __SIMULATOR_MINIMUM

#define __SIMULATOR_BITS(TYPE)                                                         \
  __SIMULATOR_ATOMIC(atomicAnd, TYPE, __simulator::__count_atomic();                   \
                     return __atomic_fetch_and(__address, __value, __ATOMIC_RELAXED);) \
  __SIMULATOR_ATOMIC(atomicOr, TYPE, __simulator::__count_atomic();                    \
                     return __atomic_fetch_or(__address, __value, __ATOMIC_RELAXED);)  \
  __SIMULATOR_ATOMIC(atomicXor, TYPE, __simulator::__count_atomic();                   \
                     return __atomic_fetch_xor(__address, __value, __ATOMIC_RELAXED);)
__SIMULATOR_BITS(int)
__SIMULATOR_BITS(unsigned)
__SIMULATOR_BITS(unsigned long long)
#undef __SIMULATOR_BITS

// Counts up to the limit and begins again at 0; down from it and again.
__SIMULATOR_ATOMIC(atomicInc, unsigned,
                   return __simulator::__update(__address, [=](unsigned __old) {
                     return __old >= __value ? 0u : __old + 1;
                   });)
__SIMULATOR_ATOMIC(atomicDec, unsigned,
                   return __simulator::__update(__address, [=](unsigned __old) {
                     return __old == 0 || __old > __value ? __value : __old - 1;
                   });)
#undef __SIMULATOR_ATOMIC

#define __SIMULATOR_SWAP(TYPE)                                                  \
  inline TYPE atomicCAS(TYPE* __address, TYPE __compare, TYPE __value) {        \
    return __simulator::__compare_and_swap(__address, __compare, __value);      \
  }                                                                             \
  inline TYPE atomicCAS_block(TYPE* __address, TYPE __compare, TYPE __value) {  \
    return __simulator::__compare_and_swap(__address, __compare, __value);      \
  }                                                                             \
  inline TYPE atomicCAS_system(TYPE* __address, TYPE __compare, TYPE __value) { \
    return __simulator::__compare_and_swap(__address, __compare, __value);      \
  }
__SIMULATOR_SWAP(unsigned short)
__SIMULATOR_SWAP(int)
__SIMULATOR_SWAP(unsigned)
__SIMULATOR_SWAP(unsigned long long)
#undef __SIMULATOR_SWAP

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_ATOMICS_H_
