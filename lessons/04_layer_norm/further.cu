// Lesson 04, further exercises: further.h says what they compute.
//
//   bazel test //lessons/04_layer_norm:further_test

#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/04_layer_norm/further.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::lesson04 {
namespace {

// What a model without gains, or without biases, has in their place.
__device__ float gain_of(const float* gain, int c) { return gain != nullptr ? gain[c] : 1.0f; }
__device__ float bias_of(const float* bias, int c) { return bias != nullptr ? bias[c] : 0.0f; }

// ---- 04.5 A warp a row: four numbers a load, and the row stays in registers.

// Four numbers of a row are a vector. Lane i has the vectors i, i + 32, i + 64, ... of its row, at
// most kVectors.
constexpr int kVectors = kMaxWidth / 4 / kWarpSize;

__device__ float4 vector_of(const float* row, int vector) {
  return reinterpret_cast<const float4*>(row)[vector];
}
__device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }
__device__ float4 minus(float4 v, float number) {
  return make_float4(v.x - number, v.y - number, v.z - number, v.w - number);
}
__device__ float4 times(float4 a, float4 b) {
  return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}
__device__ float4 plus(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ float4 all_four(float number) { return make_float4(number, number, number, number); }

__global__ void layer_norm_by_warps_kernel(const float* x,     // [N, C]
                                           const float* gain,  // [C], or null
                                           const float* bias,  // [C], or null
                                           float* y,           // [N, C]
                                           float* mean,        // [N]
                                           float* rstd,        // [N]
                                           int N, int C) {
  const int lane = static_cast<int>(threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  const int vectors = C / 4;  // of a row
  if (n >= N) return;
  float4 row[kVectors];  // in registers, as all loops over it have constant bounds
  // TODO(04.5): load this lane's vectors of the row, each once; the mean, and the variance, of
  // the row from them, in all lanes, about 13 lines.

  // TODO(04.5): write this lane's vectors of y, and, once a warp, mean and rstd, about 13 lines.
}

// ---- 04.6 One pass: a mean and a sum of squares that are mended with every number.

// Of some numbers: how many, their mean, and the sum of the squares of how far each is from it.
struct Moments {
  float count, mean, squares;
};

// Of those numbers and one more.
__device__ Moments with(Moments some, float number) {
  // TODO(04.6): the count; how far the number moves the mean; what it adds to the sum of
  // squares, about 4 lines.
  return some;
}

// Of two lots of numbers together.
__device__ Moments together(Moments a, Moments b) {
  // TODO(04.6): the same from two counts, two means and two sums of squares. Either may be of
  // no numbers, about 5 lines.
  return a;
}

__global__ void statistics_in_one_pass_kernel(const float* x,  // [N, C]
                                              float* mean,     // [N]
                                              float* rstd,     // [N]
                                              int N, int C) {
  const int lane = static_cast<int>(threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N) return;
  const float* x_row = row_of(x, n, C);
  Moments moments = {0, 0, 0};
  for (int c = lane; c < C; c += kWarpSize) moments = with(moments, x_row[c]);
  // In five steps, as in warp_sum.
  for (int distance = kWarpSize / 2; distance > 0; distance /= 2) {
    const Moments other = {__shfl_xor_sync(kAllLanes, moments.count, distance),
                           __shfl_xor_sync(kAllLanes, moments.mean, distance),
                           __shfl_xor_sync(kAllLanes, moments.squares, distance)};
    moments = together(moments, other);
  }
  if (lane != 0) return;
  // TODO(04.6): write mean and rstd of the row, about 2 lines.
}

// ---- 04.7 Fused with the residual add: the sum is normalised before it has left the block.

// A block has a row, gridDim.x = N.
constexpr int kRowThreads = 128;

__global__ void add_and_normalise_kernel(const float* stream,      // [N, C]
                                         const float* correction,  // [N, C]
                                         const float* gain,        // [C], or null
                                         const float* bias,        // [C], or null
                                         float* sum,               // [N, C]
                                         float* y,                 // [N, C]
                                         float* mean,              // [N]
                                         float* rstd,              // [N]
                                         int C) {
  extern __shared__ float row[];  // [C]: as large as the launch says
  const int n = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  // TODO(04.7): add the two rows, and leave the sum in both places, in global memory and in
  // `row`; from there, the mean and the variance of it, about 13 lines.

  // TODO(04.7): write y, and, once a block, mean and rstd, about 9 lines.
}

// ---- 04.8 Root mean square: the size of a row, without its mean.

__global__ void rms_norm_kernel(const float* x,     // [N, C]
                                const float* gain,  // [C], or null
                                float* y,           // [N, C]
                                float* rrms,        // [N]
                                int N, int C) {
  // TODO(04.8): find the row; 1 over its root mean square; y of each column, about 11 lines.
}

__global__ void rms_input_gradient_kernel(const float* dy,    // [N, C]
                                          const float* x,     // [N, C]
                                          const float* gain,  // [C], or null
                                          const float* rrms,  // [N]
                                          float* dx,          // [N, C]
                                          int N, int C) {
  // TODO(04.8): find the row; the mean of g * x_hat; dx of each column, about 15 lines.
}

__global__ void rms_gain_gradient_kernel(const float* dy,    // [N, C]
                                         const float* x,     // [N, C]
                                         const float* rrms,  // [N]
                                         float* dgain,       // [C]
                                         int N, int C, Accumulate accumulate) {
  // TODO(04.8): find this thread's column; its sum; write it, or add it, about 5 lines.
}

}  // namespace

// ---- The launches.

void layer_norm_by_warps(const float* x, const float* gain, const float* bias, float* y,
                         float* mean, float* rstd, int N, int C, const Launch& launch) {
  const dim3 block(kWarpSize, 4);  // a warp a row
  layer_norm_by_warps_kernel<<<blocks_for(N, 4), block, 0, launch.stream>>>(x, gain, bias, y, mean,
                                                                            rstd, N, C);
  CUDA_CHECK(cudaGetLastError());
}

void statistics_in_one_pass(const float* x, float* mean, float* rstd, int N, int C,
                            const Launch& launch) {
  const dim3 block(kWarpSize, 4);
  statistics_in_one_pass_kernel<<<blocks_for(N, 4), block, 0, launch.stream>>>(x, mean, rstd, N, C);
  CUDA_CHECK(cudaGetLastError());
}

void add_and_normalise(const float* stream, const float* correction, const float* gain,
                       const float* bias, float* sum, float* y, float* mean, float* rstd, int N,
                       int C, const Launch& launch) {
  // TODO(04.7): launch add_and_normalise_kernel, a block of kRowThreads threads a row, with
  // shared memory for C floats, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void rms_norm(const float* x, const float* gain, float* y, float* rrms, int N, int C,
              const Launch& launch) {
  // TODO(04.8): launch rms_norm_kernel for N rows, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

void rms_norm_backward(const float* dy, const float* x, const float* gain, const float* rrms,
                       float* dx, float* dgain, int N, int C, Accumulate accumulate,
                       const Launch& launch) {
  // TODO(04.8): launch rms_input_gradient_kernel for N rows, and rms_gain_gradient_kernel for
  // C columns, about 5 lines.
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson04
