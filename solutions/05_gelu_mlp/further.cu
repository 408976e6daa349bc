// Lesson 05, further exercises: further.h says what they compute. Grid and block are yours.
//
//   bazel test //lessons/05_gelu_mlp:further_test

#include <mma.h>

#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/05_gelu_mlp/further.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::lesson05 {
namespace {

constexpr float kRoot = 0.7978845608f;  // sqrt(2 / pi)
constexpr float kCubic = 0.044715f;
constexpr float kRootOfHalf = 0.7071067812f;        // sqrt(1 / 2)
constexpr float kRootOfHalfOverPi = 0.3989422804f;  // 1 / sqrt(2 pi), the normal density at 0

// ---- 05.8 Bias and GELU in one kernel: what a thread holds need not come from memory again.

__global__ void add_bias_and_gelu_kernel(float* x,           // [N, C]
                                         const float* bias,  // [C]
                                         float* y,           // [N, C]
                                         int N, int C) {
  // SOLUTION(05.8): this thread's number of x with its bias, back to x; of the same number, GELU to
  // y. Each number of x is loaded once.
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= N * C) return;
  const float sum = x[i] + bias[i % C];
  x[i] = sum;
  y[i] = 0.5f * sum * (1 + tanhf(kRoot * (sum + kCubic * sum * sum * sum)));
  // END(05.8)
}

// ---- 05.9 The exact form: Phi by the error function, whose derivative is the bell curve.

__global__ void gelu_erf_kernel(const float* x,  // [count]
                                float* y,        // [count]
                                int count) {
  // SOLUTION(05.9): x[i] Phi(x[i]), with erff.
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  y[i] = 0.5f * x[i] * (1 + erff(x[i] * kRootOfHalf));
  // END(05.9)
}

__global__ void gelu_erf_backward_kernel(const float* dy,  // [count]
                                         const float* x,   // [count]
                                         float* dx,        // [count]
                                         int count) {
  // SOLUTION(05.9): dy[i] times the derivative of x Phi(x) at x[i].
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float number = x[i];
  const float share = 0.5f * (1 + erff(number * kRootOfHalf));
  const float density = kRootOfHalfOverPi * expf(-0.5f * number * number);
  dx[i] = dy[i] * (share + number * density);
  // END(05.9)
}

// ---- 05.10 ReLU: what is negative does not pass.

__global__ void relu_kernel(const float* x,  // [count]
                            float* y,        // [count]
                            int count) {
  // SOLUTION(05.10): x[i] where it is positive, else 0.
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  y[i] = x[i] > 0 ? x[i] : 0.0f;
  // END(05.10)
}

__global__ void relu_backward_kernel(const float* dy,  // [count]
                                     const float* x,   // [count]
                                     float* dx,        // [count]
                                     int count) {
  // SOLUTION(05.10): dy[i] where x[i] is positive, else 0.
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  dx[i] = x[i] > 0 ? dy[i] : 0.0f;
  // END(05.10)
}

// ---- 05.11 SwiGLU: one half of a row decides how much of the other passes.

__global__ void swiglu_kernel(const float* x,  // [N, 2C]
                              float* y,        // [N, C]
                              int N, int C) {
  // SOLUTION(05.11): y[n, c] of this thread, from a[n, c] and b[n, c].
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= N * C) return;
  const int n = i / C, c = i % C;
  const float a = row_of(x, n, 2 * C)[c], b = row_of(x, n, 2 * C)[C + c];
  y[i] = a / (1 + expf(-a)) * b;
  // END(05.11)
}

__global__ void swiglu_backward_kernel(const float* dy,  // [N, C]
                                       const float* x,   // [N, 2C]
                                       float* dx,        // [N, 2C]
                                       int N, int C) {
  // SOLUTION(05.11): da[n, c] and db[n, c] of this thread.
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= N * C) return;
  const int n = i / C, c = i % C;
  const float a = row_of(x, n, 2 * C)[c], b = row_of(x, n, 2 * C)[C + c];
  const float sigmoid = 1 / (1 + expf(-a));
  row_of(dx, n, 2 * C)[c] = dy[i] * b * sigmoid * (1 + a * (1 - sigmoid));
  row_of(dx, n, 2 * C)[C + c] = dy[i] * a * sigmoid;
  // END(05.11)
}

// ---- 05.12 Tensor cores: a warp multiplies tiles of 16 x 16 numbers as a whole.

constexpr int kTile = 16;

__global__ void product_by_tensor_cores_kernel(const __nv_bfloat16* x,       // [N, in]
                                               const __nv_bfloat16* weight,  // [in, out]
                                               float* y,                     // [N, out]
                                               int N, int in, int out) {
  using namespace nvcuda;
  // SOLUTION(05.12): find this warp's tile of y; if there is one, add up the products of the tiles
  // of x in its rows with the tiles of weight in its columns, and store the sum.
  const int warp = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / kWarpSize;
  const int tiles_across = out / kTile;
  if (warp >= N / kTile * tiles_across) return;
  const int first_n = warp / tiles_across * kTile, first_o = warp % tiles_across * kTile;
  wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, __nv_bfloat16, wmma::row_major> x_tile;
  wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, __nv_bfloat16, wmma::row_major> weight_tile;
  wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < in; i += kTile) {
    wmma::load_matrix_sync(x_tile, row_of(x, first_n, in) + i, in);
    wmma::load_matrix_sync(weight_tile, row_of(weight, i, out) + first_o, out);
    wmma::mma_sync(sum, x_tile, weight_tile, sum);
  }
  wmma::store_matrix_sync(row_of(y, first_n, out) + first_o, sum, out, wmma::mem_row_major);
  // END(05.12)
}

}  // namespace

// ---- The launches.

void add_bias_and_gelu(float* x, const float* bias, float* y, int N, int C, const Launch& launch) {
  // SOLUTION(05.8): launch add_bias_and_gelu_kernel for N rows of C numbers.
  constexpr int kThreads = 256;
  const int blocks = blocks_for(N * C, kThreads);
  add_bias_and_gelu_kernel<<<blocks, kThreads, 0, launch.stream>>>(x, bias, y, N, C);
  // END(05.8)
  CUDA_CHECK(cudaGetLastError());
}

void gelu_erf(const float* x, float* y, int count, const Launch& launch) {
  // SOLUTION(05.9): launch gelu_erf_kernel for `count` numbers.
  constexpr int kThreads = 256;
  gelu_erf_kernel<<<blocks_for(count, kThreads), kThreads, 0, launch.stream>>>(x, y, count);
  // END(05.9)
  CUDA_CHECK(cudaGetLastError());
}

void gelu_erf_backward(const float* dy, const float* x, float* dx, int count,
                       const Launch& launch) {
  // SOLUTION(05.9): launch gelu_erf_backward_kernel for `count` numbers.
  constexpr int kThreads = 256;
  const int blocks = blocks_for(count, kThreads);
  gelu_erf_backward_kernel<<<blocks, kThreads, 0, launch.stream>>>(dy, x, dx, count);
  // END(05.9)
  CUDA_CHECK(cudaGetLastError());
}

void relu(const float* x, float* y, int count, const Launch& launch) {
  // SOLUTION(05.10): launch relu_kernel for `count` numbers.
  constexpr int kThreads = 256;
  relu_kernel<<<blocks_for(count, kThreads), kThreads, 0, launch.stream>>>(x, y, count);
  // END(05.10)
  CUDA_CHECK(cudaGetLastError());
}

void relu_backward(const float* dy, const float* x, float* dx, int count, const Launch& launch) {
  // SOLUTION(05.10): launch relu_backward_kernel for `count` numbers.
  constexpr int kThreads = 256;
  const int blocks = blocks_for(count, kThreads);
  relu_backward_kernel<<<blocks, kThreads, 0, launch.stream>>>(dy, x, dx, count);
  // END(05.10)
  CUDA_CHECK(cudaGetLastError());
}

void swiglu(const float* x, float* y, int N, int C, const Launch& launch) {
  // SOLUTION(05.11): launch swiglu_kernel for N rows of C numbers of y.
  constexpr int kThreads = 256;
  swiglu_kernel<<<blocks_for(N * C, kThreads), kThreads, 0, launch.stream>>>(x, y, N, C);
  // END(05.11)
  CUDA_CHECK(cudaGetLastError());
}

void swiglu_backward(const float* dy, const float* x, float* dx, int N, int C,
                     const Launch& launch) {
  // SOLUTION(05.11): launch swiglu_backward_kernel for N rows of C numbers of dy.
  constexpr int kThreads = 256;
  const int blocks = blocks_for(N * C, kThreads);
  swiglu_backward_kernel<<<blocks, kThreads, 0, launch.stream>>>(dy, x, dx, N, C);
  // END(05.11)
  CUDA_CHECK(cudaGetLastError());
}

void product_by_tensor_cores(const __nv_bfloat16* x, const __nv_bfloat16* weight, float* y, int N,
                             int in, int out, const Launch& launch) {
  // SOLUTION(05.12): launch product_by_tensor_cores_kernel with a warp for each 16 x 16 numbers of
  // y.
  constexpr int kThreads = 128;
  const int blocks = blocks_for(N / kTile * (out / kTile), kThreads / kWarpSize);
  product_by_tensor_cores_kernel<<<blocks, kThreads, 0, launch.stream>>>(x, weight, y, N, in, out);
  // END(05.12)
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson05
