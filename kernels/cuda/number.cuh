// File: number.cuh
//
// Activations are float or bf16; sums are float. These are the only places where the two meet.

#ifndef ANDREA_KERNELS_CUDA_NUMBER_CUH_
#define ANDREA_KERNELS_CUDA_NUMBER_CUH_

#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace andrea::cuda {

// Numbers in 16 bytes.
template <typename Number>
inline constexpr int kPacked = 16 / static_cast<int>(sizeof(Number));

__device__ inline float to_float(float x) { return x; }
__device__ inline float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

// Rounds to the nearest where Number is shorter than float.
template <typename Number>
__device__ inline Number from_float(float x);
template <>
__device__ inline float from_float<float>(float x) {
  return x;
}
template <>
__device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float x) {
  return __float2bfloat16(x);
}

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_NUMBER_CUH_
