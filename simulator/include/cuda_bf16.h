// File: cuda_bf16.h
//
// Brain floating point: __nv_bfloat16 (nv_bfloat16), the upper half of a float (1 sign, 8 exponent
// and 7 mantissa bits), and __nv_bfloat162 (nv_bfloat162), two of them in four bytes. Names are
// CUDA's. Conversions and arithmetic give the GPU's bits: one rounding to nearest even, subnormal
// numbers kept. Functions such as hexp are correctly rounded, which the GPU's are not always.
//
// CUDA_NO_BFLOAT16, __CUDA_NO_BFLOAT16_CONVERSIONS__, __CUDA_NO_BFLOAT16_OPERATORS__ and
// __CUDA_NO_BFLOAT162_OPERATORS__ leave out what they leave out in the toolkit.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUDA_BF16_H_
#define ANDREA_SIMULATOR_INCLUDE_CUDA_BF16_H_

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_fp16.h"
#include "simulator/float16_conversion.h"
#include "simulator/language.h"
#include "simulator/memory_access.h"
#include "vector_functions.h"
#include "vector_types.h"

#define __Real __nv_bfloat16
#define __Pair __nv_bfloat162
#define __Raw __nv_bfloat16_raw
#define __Raw_pair __nv_bfloat162_raw
#define __Other __half
#define __Format __bfloat16_format
#define __REAL bfloat16
#define __PAIR bfloat162
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define __SIMULATOR_CONVERSIONS 0
#else
#define __SIMULATOR_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define __SIMULATOR_OPERATORS 0
#else
#define __SIMULATOR_OPERATORS 1
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
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

#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
__host__ __device__ inline __nv_bfloat16::__nv_bfloat16(const __half __f)
    : __x(__bfloat16_as_ushort(__float2bfloat16_rn(__half2float(__f)))) {}
#endif
#ifndef __CUDA_NO_HALF_CONVERSIONS__
__host__ __device__ inline __half::__half(const __nv_bfloat16 __f)
    : __x(__half_as_ushort(__float2half_rn(__bfloat162float(__f)))) {}
#endif

__SIMULATOR_ACCESSIBLE(__nv_bfloat16)
__SIMULATOR_ACCESSIBLE(__nv_bfloat162)

#ifdef __CUDACC__
#include <simulator/float16_atomics.h>
__SIMULATOR_FLOAT16_ATOMICS(__nv_bfloat16, __hadd)
__SIMULATOR_FLOAT16_ATOMICS(__nv_bfloat162, __hadd2)
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F80))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7FFF))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F7F))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3F80))

#ifndef CUDA_NO_BFLOAT16
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#endif  // ANDREA_SIMULATOR_INCLUDE_CUDA_BF16_H_
