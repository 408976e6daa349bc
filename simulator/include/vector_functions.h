// File: vector_functions.h
//
// make_float4(x, y, z, w) and its like: one function for each type of vector_types.h, for host and
// device.

#ifndef ANDREA_SIMULATOR_INCLUDE_VECTOR_FUNCTIONS_H_
#define ANDREA_SIMULATOR_INCLUDE_VECTOR_FUNCTIONS_H_

#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define __SIMULATOR_MAKE_4(vector, type)                                                    \
  __host__ __device__ inline vector make_##vector(type __x, type __y, type __z, type __w) { \
    return vector{__x, __y, __z, __w};                                                      \
  }

#define __SIMULATOR_MAKE(name, type)                                                    \
  __host__ __device__ inline name##1 make_##name##1(type __x) { return name##1 {__x}; } \
  __host__ __device__ inline name##2 make_##name##2(type __x, type __y) {               \
    return name##2 {__x, __y};                                                          \
  }                                                                                     \
  __host__ __device__ inline name##3 make_##name##3(type __x, type __y, type __z) {     \
    return name##3 {__x, __y, __z};                                                     \
  }                                                                                     \
  __SIMULATOR_MAKE_4(name##4, type)

__SIMULATOR_MAKE(char, signed char)
__SIMULATOR_MAKE(uchar, unsigned char)
__SIMULATOR_MAKE(short, short)
__SIMULATOR_MAKE(ushort, unsigned short)
__SIMULATOR_MAKE(int, int)
__SIMULATOR_MAKE(uint, unsigned int)
__SIMULATOR_MAKE(long, long int)
__SIMULATOR_MAKE(ulong, unsigned long int)
__SIMULATOR_MAKE(longlong, long long int)
__SIMULATOR_MAKE(ulonglong, unsigned long long int)
__SIMULATOR_MAKE(float, float)
__SIMULATOR_MAKE(double, double)

__SIMULATOR_MAKE_4(long4_16a, long int)
__SIMULATOR_MAKE_4(long4_32a, long int)
__SIMULATOR_MAKE_4(ulong4_16a, unsigned long int)
__SIMULATOR_MAKE_4(ulong4_32a, unsigned long int)
__SIMULATOR_MAKE_4(longlong4_16a, long long int)
__SIMULATOR_MAKE_4(longlong4_32a, long long int)
__SIMULATOR_MAKE_4(ulonglong4_16a, unsigned long long int)
__SIMULATOR_MAKE_4(ulonglong4_32a, unsigned long long int)
__SIMULATOR_MAKE_4(double4_16a, double)
__SIMULATOR_MAKE_4(double4_32a, double)

#undef __SIMULATOR_MAKE
#undef __SIMULATOR_MAKE_4

#endif  // ANDREA_SIMULATOR_INCLUDE_VECTOR_FUNCTIONS_H_
