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
  // SOLUTION(04.5): load this lane's vectors of the row, each once; the mean, and the variance, of
  // the row from them, in all lanes.
  float sum = 0;
  for (int i = 0; i < kVectors; ++i) {
    const int vector = lane + i * kWarpSize;
    row[i] = vector < vectors ? vector_of(row_of(x, n, C), vector) : all_four(0);
    sum += sum_of(row[i]);
  }
  const float row_mean = warp_sum(sum) / static_cast<float>(C);
  float squares = 0;
  for (int i = 0; i < kVectors; ++i) {
    row[i] = minus(row[i], row_mean);
    if (lane + i * kWarpSize < vectors) squares += sum_of(times(row[i], row[i]));
  }
  const float variance = warp_sum(squares) / static_cast<float>(C);
  // END(04.5)

  // SOLUTION(04.5): write this lane's vectors of y, and, once a warp, mean and rstd.
  const float row_rstd = 1 / sqrtf(variance + kLayerNormEpsilon);
  float4* const y_row = reinterpret_cast<float4*>(row_of(y, n, C));
  for (int i = 0; i < kVectors; ++i) {
    const int vector = lane + i * kWarpSize;
    if (vector >= vectors) break;
    const float4 x_hat = times(row[i], all_four(row_rstd));
    const float4 scaled = gain != nullptr ? times(x_hat, vector_of(gain, vector)) : x_hat;
    y_row[vector] = bias != nullptr ? plus(scaled, vector_of(bias, vector)) : scaled;
  }
  if (lane == 0) {
    mean[n] = row_mean;
    rstd[n] = row_rstd;
  }
  // END(04.5)
}

// ---- 04.6 One pass: a mean and a sum of squares that are mended with every number.

// Of some numbers: how many, their mean, and the sum of the squares of how far each is from it.
struct Moments {
  float count, mean, squares;
};

// Of those numbers and one more.
__device__ Moments with(Moments some, float number) {
  // SOLUTION(04.6): the count; how far the number moves the mean; what it adds to the sum of
  // squares.
  const float count = some.count + 1;
  const float before = number - some.mean;
  const float mean = some.mean + before / count;
  return {count, mean, some.squares + before * (number - mean)};
  // STUB
  // return some;
  // END(04.6)
}

// Of two lots of numbers together.
__device__ Moments together(Moments a, Moments b) {
  // SOLUTION(04.6): the same from two counts, two means and two sums of squares. Either may be of
  // no numbers.
  const float count = a.count + b.count;
  if (count == 0) return a;
  const float apart = b.mean - a.mean;
  return {count, a.mean + apart * b.count / count,
          a.squares + b.squares + apart * apart * a.count * b.count / count};
  // STUB
  // return a;
  // END(04.6)
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
  // SOLUTION(04.6): write mean and rstd of the row.
  mean[n] = moments.mean;
  rstd[n] = 1 / sqrtf(moments.squares / moments.count + kLayerNormEpsilon);
  // END(04.6)
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
  // SOLUTION(04.7): add the two rows, and leave the sum in both places, in global memory and in
  // `row`; from there, the mean and the variance of it.
  float total = 0;
  for (int c = thread; c < C; c += kRowThreads) {
    row[c] = row_of(stream, n, C)[c] + row_of(correction, n, C)[c];
    row_of(sum, n, C)[c] = row[c];
    total += row[c];
  }
  const float row_mean = block_sum(total) / static_cast<float>(C);
  float squares = 0;
  for (int c = thread; c < C; c += kRowThreads) {
    const float off = row[c] - row_mean;
    squares += off * off;
  }
  const float variance = block_sum(squares) / static_cast<float>(C);
  // END(04.7)

  // SOLUTION(04.7): write y, and, once a block, mean and rstd.
  const float row_rstd = 1 / sqrtf(variance + kLayerNormEpsilon);
  for (int c = thread; c < C; c += kRowThreads) {
    const float x_hat = (row[c] - row_mean) * row_rstd;
    row_of(y, n, C)[c] = gain_of(gain, c) * x_hat + bias_of(bias, c);
  }
  if (thread == 0) {
    mean[n] = row_mean;
    rstd[n] = row_rstd;
  }
  // END(04.7)
}

// ---- 04.8 Root mean square: the size of a row, without its mean.

__global__ void rms_norm_kernel(const float* x,     // [N, C]
                                const float* gain,  // [C], or null
                                float* y,           // [N, C]
                                float* rrms,        // [N]
                                int N, int C) {
  // SOLUTION(04.8): find the row; 1 over its root mean square; y of each column.
  const int lane = static_cast<int>(threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N) return;
  const float* x_row = row_of(x, n, C);
  float squares = 0;
  for (int c = lane; c < C; c += kWarpSize) squares += x_row[c] * x_row[c];
  const float scale = 1 / sqrtf(warp_sum(squares) / static_cast<float>(C) + kLayerNormEpsilon);
  for (int c = lane; c < C; c += kWarpSize) {
    row_of(y, n, C)[c] = gain_of(gain, c) * x_row[c] * scale;
  }
  if (lane == 0) rrms[n] = scale;
  // END(04.8)
}

__global__ void rms_input_gradient_kernel(const float* dy,    // [N, C]
                                          const float* x,     // [N, C]
                                          const float* gain,  // [C], or null
                                          const float* rrms,  // [N]
                                          float* dx,          // [N, C]
                                          int N, int C) {
  // SOLUTION(04.8): find the row; the mean of g * x_hat; dx of each column.
  const int lane = static_cast<int>(threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N) return;
  const float* dy_row = row_of(dy, n, C);
  const float* x_row = row_of(x, n, C);
  const float scale = rrms[n];
  float sum = 0;
  for (int c = lane; c < C; c += kWarpSize) {
    sum += gain_of(gain, c) * dy_row[c] * x_row[c] * scale;
  }
  const float product_mean = warp_sum(sum) / static_cast<float>(C);
  for (int c = lane; c < C; c += kWarpSize) {
    const float g = gain_of(gain, c) * dy_row[c], x_hat = x_row[c] * scale;
    row_of(dx, n, C)[c] = scale * (g - x_hat * product_mean);
  }
  // END(04.8)
}

__global__ void rms_gain_gradient_kernel(const float* dy,    // [N, C]
                                         const float* x,     // [N, C]
                                         const float* rrms,  // [N]
                                         float* dgain,       // [C]
                                         int N, int C, Accumulate accumulate) {
  // SOLUTION(04.8): find this thread's column; its sum; write it, or add it.
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= C) return;
  float sum = 0;
  for (int n = 0; n < N; ++n) sum += row_of(dy, n, C)[c] * row_of(x, n, C)[c] * rrms[n];
  dgain[c] = accumulate == Accumulate::add ? dgain[c] + sum : sum;
  // END(04.8)
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
  // SOLUTION(04.7): launch add_and_normalise_kernel, a block of kRowThreads threads a row, with
  // shared memory for C floats.
  const std::size_t shared_bytes = static_cast<std::size_t>(C) * sizeof(float);
  add_and_normalise_kernel<<<N, kRowThreads, shared_bytes, launch.stream>>>(
      stream, correction, gain, bias, sum, y, mean, rstd, C);
  // END(04.7)
  CUDA_CHECK(cudaGetLastError());
}

void rms_norm(const float* x, const float* gain, float* y, float* rrms, int N, int C,
              const Launch& launch) {
  // SOLUTION(04.8): launch rms_norm_kernel for N rows.
  const dim3 block(kWarpSize, 4);
  rms_norm_kernel<<<blocks_for(N, 4), block, 0, launch.stream>>>(x, gain, y, rrms, N, C);
  // END(04.8)
  CUDA_CHECK(cudaGetLastError());
}

void rms_norm_backward(const float* dy, const float* x, const float* gain, const float* rrms,
                       float* dx, float* dgain, int N, int C, Accumulate accumulate,
                       const Launch& launch) {
  // SOLUTION(04.8): launch rms_input_gradient_kernel for N rows, and rms_gain_gradient_kernel for
  // C columns.
  const dim3 block(kWarpSize, 4);
  rms_input_gradient_kernel<<<blocks_for(N, 4), block, 0, launch.stream>>>(dy, x, gain, rrms, dx, N,
                                                                           C);
  rms_gain_gradient_kernel<<<blocks_for(C, 64), 64, 0, launch.stream>>>(dy, x, rrms, dgain, N, C,
                                                                        accumulate);
  // END(04.8)
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson04
