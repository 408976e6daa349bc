// Lesson 04: layer normalisation, forward and backward. What each step computes stands in kernel.h;
// README.md explains them, in the same order. Grid and block are yours to choose. Its exercises are
// tried by
//
//   bazel test //lessons/04_layer_norm:kernel_test
//
// row_of(x, n, C) is where row n of x begins; warp_sum(value) and block_sum(value) are the sums
// that you built in lesson 00: lessons/rows.cuh, lessons/reductions.cuh.

#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "kernels/layer_norm.h"
#include "lessons/04_layer_norm/kernel.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::lesson04 {
namespace {

// What a model without gains, or without biases, has in their place.
__device__ float gain_of(const float* gain, int c) { return gain != nullptr ? gain[c] : 1.0f; }
__device__ float bias_of(const float* bias, int c) { return bias != nullptr ? bias[c] : 0.0f; }

// ---- 04.1 Mean and variance: two sums over a row.

__global__ void statistics_kernel(const float* x,  // [N, C]
                                  float* mean,     // [N]
                                  float* rstd,     // [N]
                                  int N, int C) {
  // SOLUTION(04.1): find the row; its mean; its variance, which is the mean of the squares of how
  // far its numbers are from that; write mean and rstd.
  const int lane = static_cast<int>(threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N) return;  // the whole warp
  const float* x_row = row_of(x, n, C);
  float sum = 0;
  for (int c = lane; c < C; c += kWarpSize) sum += x_row[c];
  const float row_mean = warp_sum(sum) / static_cast<float>(C);
  float squares = 0;
  for (int c = lane; c < C; c += kWarpSize) {
    const float off = x_row[c] - row_mean;
    squares += off * off;
  }
  const float variance = warp_sum(squares) / static_cast<float>(C);
  if (lane == 0) {
    mean[n] = row_mean;
    rstd[n] = 1 / sqrtf(variance + kLayerNormEpsilon);
  }
  // END(04.1)
}

// ---- 04.2 Normalise: each number by its row's statistics, then by its column's gain and bias.

__global__ void normalise_kernel(const float* x,     // [N, C]
                                 const float* mean,  // [N]
                                 const float* rstd,  // [N]
                                 const float* gain,  // [C], or null
                                 const float* bias,  // [C], or null
                                 float* y,           // [N, C]
                                 int N, int C) {
  // SOLUTION(04.2): find this thread's row n and column c; write y[n, c], with the help of gain_of
  // and bias_of, which also know of null.
  const int c = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N || c >= C) return;
  const float x_hat = (row_of(x, n, C)[c] - mean[n]) * rstd[n];
  row_of(y, n, C)[c] = gain_of(gain, c) * x_hat + bias_of(bias, c);
  // END(04.2)
}

// ---- 04.3 Backward: a number of a row moves the row's mean and variance, too.

__global__ void input_gradient_kernel(const float* dy,    // [N, C]
                                      const float* x,     // [N, C]
                                      const float* mean,  // [N]
                                      const float* rstd,  // [N]
                                      const float* gain,  // [C], or null
                                      float* dx,          // [N, C]
                                      int N, int C) {
  // SOLUTION(04.3): find the row; the means of g and of g * x_hat over it, with g = gain * dy;
  // then dx of each of its columns.
  const int lane = static_cast<int>(threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N) return;
  const float* dy_row = row_of(dy, n, C);
  const float* x_row = row_of(x, n, C);
  const float row_mean = mean[n], row_rstd = rstd[n];
  float g_sum = 0, product_sum = 0;
  for (int c = lane; c < C; c += kWarpSize) {
    const float g = gain_of(gain, c) * dy_row[c];
    g_sum += g;
    product_sum += g * (x_row[c] - row_mean) * row_rstd;
  }
  const float g_mean = warp_sum(g_sum) / static_cast<float>(C);
  const float product_mean = warp_sum(product_sum) / static_cast<float>(C);
  for (int c = lane; c < C; c += kWarpSize) {
    const float g = gain_of(gain, c) * dy_row[c], x_hat = (x_row[c] - row_mean) * row_rstd;
    row_of(dx, n, C)[c] = row_rstd * (g - g_mean - x_hat * product_mean);
  }
  // END(04.3)
}

// ---- 04.4 Backward: a gain and a bias serve all rows, so each receives a sum down a column.

__global__ void gain_and_bias_gradients_kernel(const float* dy,    // [N, C]
                                               const float* x,     // [N, C]
                                               const float* mean,  // [N]
                                               const float* rstd,  // [N]
                                               float* dgain,       // [C], or null
                                               float* dbias,       // [C], or null
                                               int N, int C, Accumulate accumulate) {
  // SOLUTION(04.4): find this thread's column; its two sums over all rows; write them, or with
  // Accumulate::add add them, where they are asked for.
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= C) return;
  float gain_sum = 0, bias_sum = 0;
  for (int n = 0; n < N; ++n) {
    const float d = row_of(dy, n, C)[c];
    gain_sum += d * (row_of(x, n, C)[c] - mean[n]) * rstd[n];
    bias_sum += d;
  }
  const bool adds = accumulate == Accumulate::add;
  if (dgain != nullptr) dgain[c] = adds ? dgain[c] + gain_sum : gain_sum;
  if (dbias != nullptr) dbias[c] = adds ? dbias[c] + bias_sum : bias_sum;
  // END(04.4)
}

}  // namespace

// ---- The launches: how many threads there are, and how they lie, is yours to choose.

void statistics(const float* x, float* mean, float* rstd, int N, int C, const Launch& launch) {
  // SOLUTION(04.1): launch statistics_kernel for N rows, on launch.stream.
  const dim3 block(kWarpSize, 4);  // a warp a row
  statistics_kernel<<<blocks_for(N, 4), block, 0, launch.stream>>>(x, mean, rstd, N, C);
  // END(04.1)
  CUDA_CHECK(cudaGetLastError());
}

void normalise(const float* x, const float* mean, const float* rstd, const float* gain,
               const float* bias, float* y, int N, int C, const Launch& launch) {
  // SOLUTION(04.2): launch normalise_kernel for N rows of C columns.
  const dim3 block(32, 8);
  const dim3 grid(static_cast<unsigned>(blocks_for(N, 8)),  // rows in x: y ends at 65,535
                  static_cast<unsigned>(blocks_for(C, 32)));
  normalise_kernel<<<grid, block, 0, launch.stream>>>(x, mean, rstd, gain, bias, y, N, C);
  // END(04.2)
  CUDA_CHECK(cudaGetLastError());
}

void input_gradient(const float* dy, const float* x, const float* mean, const float* rstd,
                    const float* gain, float* dx, int N, int C, const Launch& launch) {
  // SOLUTION(04.3): launch input_gradient_kernel for N rows.
  const dim3 block(kWarpSize, 4);
  input_gradient_kernel<<<blocks_for(N, 4), block, 0, launch.stream>>>(dy, x, mean, rstd, gain, dx,
                                                                       N, C);
  // END(04.3)
  CUDA_CHECK(cudaGetLastError());
}

void gain_and_bias_gradients(const float* dy, const float* x, const float* mean, const float* rstd,
                             float* dgain, float* dbias, int N, int C, Accumulate accumulate,
                             const Launch& launch) {
  // SOLUTION(04.4): launch gain_and_bias_gradients_kernel for C columns.
  gain_and_bias_gradients_kernel<<<blocks_for(C, 64), 64, 0, launch.stream>>>(
      dy, x, mean, rstd, dgain, dbias, N, C, accumulate);
  // END(04.4)
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson04

// ---- The contract, kernels/layer_norm.h, out of these steps. `saved` holds the N means, and after
// them the N reciprocal standard deviations.

namespace andrea {

std::size_t layer_norm_saved_bytes(int N, int /*C*/) {
  return align_up(2 * static_cast<std::size_t>(N) * sizeof(float));
}

// Where nothing is saved the statistics still need a place.
std::size_t layer_norm_scratch_bytes(int N, int C) { return layer_norm_saved_bytes(N, C); }

void layer_norm_forward(const float* x, const float* gain, const float* bias, float* y, void* saved,
                        int N, int C, const Launch& launch) {
  float* const mean = static_cast<float*>(saved != nullptr ? saved : launch.scratch);
  float* const rstd = mean + N;
  lesson04::statistics(x, mean, rstd, N, C, launch);
  lesson04::normalise(x, mean, rstd, gain, bias, y, N, C, launch);
}

void layer_norm_backward(const float* dy, const float* x, const float* gain, const void* saved,
                         float* dx, float* dgain, float* dbias, int N, int C, Accumulate accumulate,
                         const Launch& launch) {
  const float* const mean = static_cast<const float*>(saved);
  const float* const rstd = mean + N;
  lesson04::input_gradient(dy, x, mean, rstd, gain, dx, N, C, launch);
  if (dgain == nullptr && dbias == nullptr) return;
  lesson04::gain_and_bias_gradients(dy, x, mean, rstd, dgain, dbias, N, C, accumulate, launch);
}

}  // namespace andrea
