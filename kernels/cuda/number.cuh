// File: number.cuh
//
// Activations are float or bf16; sums are float. These are the only places where the two meet.
//
// Memory is best read and written 16 bytes a thread: 4 floats or 8 bf16. That asks for pointers
// that are multiples of 16 bytes, and for rows of a multiple of kPacked<Number> numbers.

#ifndef ANDREA_KERNELS_CUDA_NUMBER_CUH_
#define ANDREA_KERNELS_CUDA_NUMBER_CUH_

#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace andrea::cuda {

// Numbers in 16 bytes.
template <typename Number>
inline constexpr int kPacked = 16 / static_cast<int>(sizeof(Number));

// 16 bytes of numbers, in registers.
template <typename Number>
struct alignas(16) Packed {
  Number values[kPacked<Number>];
};

// One access of 16 bytes.
template <typename Number>
__device__ inline Packed<Number> load_packed(const Number* from) {
  return *reinterpret_cast<const Packed<Number>*>(from);
}

template <typename Number>
__device__ inline void store_packed(Number* to, const Packed<Number>& packed) {
  *reinterpret_cast<Packed<Number>*>(to) = packed;
}

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
