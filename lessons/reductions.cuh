// File: reductions.cuh
//
// What lesson 00 builds in its exercises 4 and 5, for every later kernel: the sum or the largest of
// a number that each thread of a warp, or of a block, brings.
//
//   const float sum = block_sum(mine);   // all threads of the block call it, and all get it
//
// All threads of the warp (of the block) must call it, none may have left. For block_* the block is
// one-dimensional, of whole warps. For warp_* it may have any shape in which the 32 lanes are one
// warp, such as dim3(32, 4).

#ifndef ANDREA_LESSONS_REDUCTIONS_CUH_
#define ANDREA_LESSONS_REDUCTIONS_CUH_

#include <cuda_runtime.h>
#include <math_constants.h>

namespace andrea {

inline constexpr int kWarpSize = 32;  // lanes
inline constexpr unsigned kAllLanes =
    0xffffffffu;  // the mask of shuffles in which the whole warp takes part

// In five steps each lane takes the sum of the lane that is 16, 8, 4, 2 and 1 away: after the last
// every lane has added all 32.
__device__ inline float warp_sum(float value) {
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(kAllLanes, value, distance);
  }
  return value;
}

// The largest instead of the sum.
__device__ inline float warp_max(float value) {
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2) {
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, distance));
  }
  return value;
}

// One number a warp goes through shared memory, so that every warp can add them all. The barrier
// at the end lets the next call use the same shared memory.
__device__ inline float block_sum(float value) {
  __shared__ float of_warp[kWarpSize];
  const int lane = static_cast<int>(threadIdx.x) % kWarpSize;
  const int warp = static_cast<int>(threadIdx.x) / kWarpSize;
  const int warps = static_cast<int>(blockDim.x) / kWarpSize;
  value = warp_sum(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  value = warp_sum(lane < warps ? of_warp[lane] : 0.0f);
  __syncthreads();
  return value;
}

// The largest instead of the sum.
__device__ inline float block_max(float value) {
  __shared__ float of_warp[kWarpSize];
  const int lane = static_cast<int>(threadIdx.x) % kWarpSize;
  const int warp = static_cast<int>(threadIdx.x) / kWarpSize;
  const int warps = static_cast<int>(blockDim.x) / kWarpSize;
  value = warp_max(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  value = warp_max(lane < warps ? of_warp[lane] : -CUDART_INF_F);
  __syncthreads();
  return value;
}

}  // namespace andrea

#endif  // ANDREA_LESSONS_REDUCTIONS_CUH_
