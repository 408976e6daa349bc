// File: vector_types.h
//
// CUDA's vector types, char1 to double4, and dim3: plain structs of one to four numbers named
// x, y, z, w. Sizes and alignments are CUDA's, because kernels read and write them through casts of
// pointers (float4 is one access of 16 bytes) and because host and device share them.
//
// long4, ulong4, longlong4, ulonglong4 and double4 are aligned to 16 bytes as they always were;
// since CUDA 13 they also exist as ..._16a and ..._32a, which say their alignment.

#ifndef ANDREA_SIMULATOR_INCLUDE_VECTOR_TYPES_H_
#define ANDREA_SIMULATOR_INCLUDE_VECTOR_TYPES_H_

// The toolkit's guard, by which NVIDIA's own sample headers ask whether the types exist.
#define __VECTOR_TYPES_H__

#include "simulator/language.h"

// Four structs for one element type; the alignments of those of two and four elements are given.
#define __SIMULATOR_VECTOR_TYPES(name, type, alignment2, alignment4) \
  struct name##1 {                                                   \
    type x;                                                          \
  };                                                                 \
  struct __align__(alignment2) name##2 {                             \
    type x, y;                                                       \
  };                                                                 \
  struct name##3 {                                                   \
    type x, y, z;                                                    \
  };                                                                 \
  struct __align__(alignment4) name##4 {                             \
    type x, y, z, w;                                                 \
  };

#define __SIMULATOR_ALIGNED_VECTOR_TYPES(name, type) \
  struct __align__(16) name##4_16a {                 \
    type x, y, z, w;                                 \
  };                                                 \
  struct __align__(32) name##4_32a {                 \
    type x, y, z, w;                                 \
  };

__SIMULATOR_VECTOR_TYPES(char, signed char, 2, 4)
__SIMULATOR_VECTOR_TYPES(uchar, unsigned char, 2, 4)
__SIMULATOR_VECTOR_TYPES(short, short, 4, 8)
__SIMULATOR_VECTOR_TYPES(ushort, unsigned short, 4, 8)
__SIMULATOR_VECTOR_TYPES(int, int, 8, 16)
__SIMULATOR_VECTOR_TYPES(uint, unsigned int, 8, 16)
__SIMULATOR_VECTOR_TYPES(long, long int, 16, 16)
__SIMULATOR_VECTOR_TYPES(ulong, unsigned long int, 16, 16)
__SIMULATOR_VECTOR_TYPES(longlong, long long int, 16, 16)
__SIMULATOR_VECTOR_TYPES(ulonglong, unsigned long long int, 16, 16)
__SIMULATOR_VECTOR_TYPES(float, float, 8, 16)
__SIMULATOR_VECTOR_TYPES(double, double, 16, 16)

__SIMULATOR_ALIGNED_VECTOR_TYPES(long, long int)
__SIMULATOR_ALIGNED_VECTOR_TYPES(ulong, unsigned long int)
__SIMULATOR_ALIGNED_VECTOR_TYPES(longlong, long long int)
__SIMULATOR_ALIGNED_VECTOR_TYPES(ulonglong, unsigned long long int)
__SIMULATOR_ALIGNED_VECTOR_TYPES(double, double)

#undef __SIMULATOR_VECTOR_TYPES
#undef __SIMULATOR_ALIGNED_VECTOR_TYPES

// The extent of a grid or of a block. What is not given is 1, so that `dim3 grid(blocks)` and a
// plain number in a launch mean a row.
struct dim3 {
  unsigned int x, y, z;

  __host__ __device__ constexpr dim3(unsigned int __x = 1, unsigned int __y = 1,
                                     unsigned int __z = 1)
      : x(__x), y(__y), z(__z) {}
  __host__ __device__ constexpr dim3(uint3 __v) : x(__v.x), y(__v.y), z(__v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif  // ANDREA_SIMULATOR_INCLUDE_VECTOR_TYPES_H_
