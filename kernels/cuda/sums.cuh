// File: sums.cuh
//
// Sums over the lanes of a warp and the threads of a block, in an order that never changes.
//
//   const float sum = block_sum(mine);   // all threads of the block call it, and all get it
//
// All threads of the warp (of the block) must call it. The block is one-dimensional, of whole
// warps.

#ifndef ANDREA_KERNELS_CUDA_SUMS_CUH_
#define ANDREA_KERNELS_CUDA_SUMS_CUH_

#include <cuda_runtime.h>
#include <math_constants.h>

namespace andrea::cuda {

inline constexpr int kWarp = 32;                     // lanes
inline constexpr unsigned kWholeWarp = 0xffffffffu;  // the mask of its shuffles
inline constexpr int kMostWarps = 1024 / kWarp;      // of a block

// Five shuffles: after the last every lane has added all 32, each in the same tree.
template <typename Real>
__device__ inline Real warp_sum(Real value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(kWholeWarp, value, distance);
  }
  return value;
}

__device__ inline float warp_max(float value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value = fmaxf(value, __shfl_xor_sync(kWholeWarp, value, distance));
  }
  return value;
}

// The sum over `warps` neighbouring warps, the first of which is `first_warp`; every warp of the
// block belongs to such a group of the same size. One warp alone needs no barrier.
__device__ inline float group_sum(float value, int first_warp, int warps) {
  __shared__ float of_warp[kMostWarps];
  value = warp_sum(value);
  if (warps == 1) return value;
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  if (lane == 0) of_warp[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = warp_sum(lane < warps ? of_warp[first_warp + lane] : 0.0f);
  __syncthreads();  // the next call may write again
  return value;
}

template <typename Real>
__device__ inline Real block_sum(Real value) {
  __shared__ Real of_warp[kMostWarps];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  value = warp_sum(value);
  if (lane == 0) of_warp[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = warp_sum(lane < warps ? of_warp[lane] : Real{0});
  __syncthreads();
  return value;
}

__device__ inline float block_max(float value) {
  __shared__ float of_warp[kMostWarps];
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  value = warp_max(value);
  if (lane == 0) of_warp[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = warp_max(lane < warps ? of_warp[lane] : -CUDART_INF_F);
  __syncthreads();
  return value;
}

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_SUMS_CUH_
