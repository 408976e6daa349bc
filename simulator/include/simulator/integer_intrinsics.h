// File: simulator/integer_intrinsics.h
//
// Integer intrinsics: counting, finding and reversing bits, bytes, funnel shifts, wide and 24-bit
// products, averages, sums of differences, dot products of bytes.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_INTEGER_INTRINSICS_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_INTEGER_INTRINSICS_H_

#include "simulator/language.h"
#include "vector_types.h"

// ---- Bits ----

__device__ inline int __popc(unsigned int __x) { return __builtin_popcount(__x); }
__device__ inline int __popcll(unsigned long long __x) { return __builtin_popcountll(__x); }
// The width for zero, which C++'s builtin leaves undefined.
__device__ inline int __clz(int __x) {
  return __x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(__x));
}
__device__ inline int __clzll(long long __x) {
  return __x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(__x));
}
// The lowest set bit counts as 1; zero has none and gives 0.
__device__ inline int __ffs(int __x) { return __builtin_ffs(__x); }
__device__ inline int __ffsll(long long __x) { return __builtin_ffsll(__x); }

__device__ inline unsigned long long __brevll(unsigned long long __x) {
  __x = ((__x >> 1) & 0x5555555555555555) | ((__x & 0x5555555555555555) << 1);
  __x = ((__x >> 2) & 0x3333333333333333) | ((__x & 0x3333333333333333) << 2);
  __x = ((__x >> 4) & 0x0f0f0f0f0f0f0f0f) | ((__x & 0x0f0f0f0f0f0f0f0f) << 4);
  return __builtin_bswap64(__x);
}
__device__ inline unsigned int __brev(unsigned int __x) {
  return static_cast<unsigned int>(__brevll(__x) >> 32);
}

// Byte n of the result is the byte of y:x that the n-th hexadecimal digit of the selector names by
// its lower three bits.
__device__ inline unsigned int __byte_perm(unsigned int __x, unsigned int __y,
                                           unsigned int __selector) {
  const unsigned long long __bytes = (static_cast<unsigned long long>(__y) << 32) | __x;
  unsigned int __result = 0;
  for (int __n = 0; __n < 4; ++__n) {
    const unsigned int __byte = (__selector >> (4 * __n)) & 7;
    __result |= static_cast<unsigned int>((__bytes >> (8 * __byte)) & 0xff) << (8 * __n);
  }
  return __result;
}

// high:low shifted by the shift modulo 32, or (_lc, _rc) by at most 32; the upper word after a
// shift to the left, the lower word after one to the right.
__device__ inline unsigned int __funnelshift_lc(unsigned int __low, unsigned int __high,
                                                unsigned int __shift) {
  const unsigned long long __both = (static_cast<unsigned long long>(__high) << 32) | __low;
  return static_cast<unsigned int>((__both << (__shift < 32 ? __shift : 32)) >> 32);
}
__device__ inline unsigned int __funnelshift_rc(unsigned int __low, unsigned int __high,
                                                unsigned int __shift) {
  const unsigned long long __both = (static_cast<unsigned long long>(__high) << 32) | __low;
  return static_cast<unsigned int>(__both >> (__shift < 32 ? __shift : 32));
}
__device__ inline unsigned int __funnelshift_l(unsigned int __low, unsigned int __high,
                                               unsigned int __shift) {
  return __funnelshift_lc(__low, __high, __shift & 31);
}
__device__ inline unsigned int __funnelshift_r(unsigned int __low, unsigned int __high,
                                               unsigned int __shift) {
  return __funnelshift_rc(__low, __high, __shift & 31);
}

// ---- Products ----

// The upper half of the product.
__device__ inline int __mulhi(int __x, int __y) {
  return static_cast<int>((static_cast<long long>(__x) * __y) >> 32);
}
__device__ inline unsigned int __umulhi(unsigned int __x, unsigned int __y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(__x) * __y) >> 32);
}
__device__ inline long long __mul64hi(long long __x, long long __y) {
  __extension__ typedef __int128 __wide;
  return static_cast<long long>((static_cast<__wide>(__x) * __y) >> 64);
}
__device__ inline unsigned long long __umul64hi(unsigned long long __x, unsigned long long __y) {
  __extension__ typedef unsigned __int128 __wide;
  return static_cast<unsigned long long>((static_cast<__wide>(__x) * __y) >> 64);
}

// The lower 32 bits of the product of the lower 24 bits.
__device__ inline unsigned int __umul24(unsigned int __x, unsigned int __y) {
  return (__x & 0xffffff) * (__y & 0xffffff);
}
__device__ inline int __mul24(int __x, int __y) {
  const long long __a = static_cast<int>(static_cast<unsigned int>(__x) << 8) >> 8;
  const long long __b = static_cast<int>(static_cast<unsigned int>(__y) << 8) >> 8;
  return static_cast<int>(__a * __b);
}

// ---- Averages and differences ----

// Averages without overflow, rounded down or (r) up.
__device__ inline int __hadd(int __x, int __y) {
  return static_cast<int>((static_cast<long long>(__x) + __y) >> 1);
}
__device__ inline int __rhadd(int __x, int __y) {
  return static_cast<int>((static_cast<long long>(__x) + __y + 1) >> 1);
}
__device__ inline unsigned int __uhadd(unsigned int __x, unsigned int __y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(__x) + __y) >> 1);
}
__device__ inline unsigned int __urhadd(unsigned int __x, unsigned int __y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(__x) + __y + 1) >> 1);
}
// |x - y| + z.
__device__ inline unsigned int __usad(unsigned int __x, unsigned int __y, unsigned int __z) {
  return (__x > __y ? __x - __y : __y - __x) + __z;
}
__device__ inline unsigned int __sad(int __x, int __y, unsigned int __z) {
  const unsigned int __a = static_cast<unsigned int>(__x);
  const unsigned int __b = static_cast<unsigned int>(__y);
  return (__x > __y ? __a - __b : __b - __a) + __z;
}

// ---- Dot products ----

// c plus four products of bytes (__dp4a), or two products of 16-bit numbers with the lower or upper
// two bytes (__dp2a_lo, __dp2a_hi). Sums wrap around.
#define __SIMULATOR_DOT_PRODUCTS(integer, byte, word, bytes, words)                            \
  __device__ inline integer __dp4a(integer __a, integer __b, integer __c) {                    \
    unsigned int __sum = static_cast<unsigned int>(__c);                                       \
    for (int __shift = 0; __shift < 32; __shift += 8) {                                        \
      __sum += static_cast<unsigned int>(static_cast<byte>(__a >> __shift) *                   \
                                         static_cast<byte>(__b >> __shift));                   \
    }                                                                                          \
    return static_cast<integer>(__sum);                                                        \
  }                                                                                            \
  __device__ inline integer __dp2a_lo(integer __a, integer __b, integer __c) {                 \
    const int __first = static_cast<word>(__a) * static_cast<byte>(__b);                       \
    const int __second = static_cast<word>(__a >> 16) * static_cast<byte>(__b >> 8);           \
    return static_cast<integer>(static_cast<unsigned int>(__c) +                               \
                                static_cast<unsigned int>(__first) +                           \
                                static_cast<unsigned int>(__second));                          \
  }                                                                                            \
  __device__ inline integer __dp2a_hi(integer __a, integer __b, integer __c) {                 \
    return __dp2a_lo(__a, __b >> 16, __c);                                                     \
  }                                                                                            \
  __device__ inline integer __dp4a(bytes __a, bytes __b, integer __c) {                        \
    return __dp4a(__builtin_bit_cast(integer, __a), __builtin_bit_cast(integer, __b), __c);    \
  }                                                                                            \
  __device__ inline integer __dp2a_lo(words __a, bytes __b, integer __c) {                     \
    return __dp2a_lo(__builtin_bit_cast(integer, __a), __builtin_bit_cast(integer, __b), __c); \
  }                                                                                            \
  __device__ inline integer __dp2a_hi(words __a, bytes __b, integer __c) {                     \
    return __dp2a_hi(__builtin_bit_cast(integer, __a), __builtin_bit_cast(integer, __b), __c); \
  }

__SIMULATOR_DOT_PRODUCTS(int, signed char, short, char4, short2)
__SIMULATOR_DOT_PRODUCTS(unsigned int, unsigned char, unsigned short, uchar4, ushort2)

#undef __SIMULATOR_DOT_PRODUCTS

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_INTEGER_INTRINSICS_H_
