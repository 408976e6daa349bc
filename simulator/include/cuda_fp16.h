// File: cuda_fp16.h
//
// Half precision: __half (half), 1 sign, 5 exponent and 10 mantissa bits, and __half2 (half2), two
// of them in four bytes. Names are CUDA's. Conversions and arithmetic give the GPU's bits: one
// rounding to nearest even, subnormal numbers kept. Functions such as hexp are correctly rounded,
// which the GPU's are not always.
//
// CUDA_NO_HALF, __CUDA_NO_HALF_CONVERSIONS__, __CUDA_NO_HALF_OPERATORS__ and
// __CUDA_NO_HALF2_OPERATORS__ leave out what they leave out in the toolkit.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUDA_FP16_H_
#define ANDREA_SIMULATOR_INCLUDE_CUDA_FP16_H_

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#include "simulator/float16_conversion.h"
#include "simulator/language.h"
#include "simulator/memory_access.h"
#include "vector_functions.h"
#include "vector_types.h"

struct __nv_bfloat16;

#define __Real __half
#define __Pair __half2
#define __Raw __half_raw
#define __Raw_pair __half2_raw
#define __Other __nv_bfloat16
#define __Format __half_format
#define __REAL half
#define __PAIR half2
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define __SIMULATOR_CONVERSIONS 0
#else
#define __SIMULATOR_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define __SIMULATOR_OPERATORS 0
#else
#define __SIMULATOR_OPERATORS 1
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define __SIMULATOR_PAIR_OPERATORS 0
#else
#define __SIMULATOR_PAIR_OPERATORS 1
#endif

#include "simulator/float16_class.h"
#include "simulator/float16_functions.h"
#include "simulator/float16_operators.h"

#undef __Real
#undef __Pair
#undef __Raw
#undef __Raw_pair
#undef __Other
#undef __Format
#undef __REAL
#undef __PAIR
#undef __SIMULATOR_CONVERSIONS
#undef __SIMULATOR_OPERATORS
#undef __SIMULATOR_PAIR_OPERATORS

__SIMULATOR_ACCESSIBLE(__half)
__SIMULATOR_ACCESSIBLE(__half2)

#ifdef __CUDACC__
#include <simulator/float16_atomics.h>
__SIMULATOR_FLOAT16_ATOMICS(__half, __hadd)
__SIMULATOR_FLOAT16_ATOMICS(__half2, __hadd2)
#endif

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7C00))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7FFF))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7BFF))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3C00))

#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#endif  // ANDREA_SIMULATOR_INCLUDE_CUDA_FP16_H_
