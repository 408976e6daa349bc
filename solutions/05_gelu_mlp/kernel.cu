// Lesson 05: the activation and the linear layer. What each function computes stands in kernel.h;
// README.md explains the ideas, in the same order. Grid and block are yours to choose. Its
// exercises are tried by
//
//   bazel test //lessons/05_gelu_mlp:kernel_test
//
// row_of(x, n, C) is where row n of x begins (lessons/rows.cuh), blocks_for(count, size) is count /
// size rounded up (kernels/launch_size.h), blas_handle(launch) a handle to cuBLAS (blas.h).

#include <cublas_v2.h>

#include "kernels/activation.h"
#include "kernels/cuda_check.h"
#include "kernels/dot_similarity.h"
#include "kernels/launch_size.h"
#include "kernels/linear.h"
#include "lessons/05_gelu_mlp/blas.h"
#include "lessons/05_gelu_mlp/kernel.h"
#include "lessons/rows.cuh"

namespace andrea::lesson05 {
namespace {

constexpr float kRoot = 0.7978845608f;  // sqrt(2 / pi)
constexpr float kCubic = 0.044715f;

// ---- 05.1 GELU: each number times the share of it that passes.

__global__ void gelu_kernel(const float* x,  // [count]
                            float* y,        // [count]
                            int count) {
  // SOLUTION(05.1): find this thread's i; if there is one, write GELU(x[i]), with tanhf.
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float number = x[i];
  const float u = kRoot * (number + kCubic * number * number * number);
  y[i] = 0.5f * number * (1 + tanhf(u));
  // END(05.1)
}

// ---- 05.2 Its derivative: of a product, and of a function within a function.

__global__ void gelu_backward_kernel(const float* dy,  // [count]
                                     const float* x,   // [count]
                                     float* dx,        // [count]
                                     int count) {
  // SOLUTION(05.2): find this thread's i; if there is one, write dy[i] times the derivative of GELU
  // at x[i].
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const float number = x[i];
  const float t = tanhf(kRoot * (number + kCubic * number * number * number));
  const float du = kRoot * (1 + 3 * kCubic * number * number);
  dx[i] = dy[i] * (0.5f * (1 + t) + 0.5f * number * (1 - t * t) * du);
  // END(05.2)
}

// ---- 05.3 Bias: every row of y is moved by the same numbers.

__global__ void add_bias_kernel(float* y,           // [N, out]
                                const float* bias,  // [out]
                                int N, int out) {
  // SOLUTION(05.3): find this thread's number of y, and its column; if there is one, add the
  // column's bias.
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= N * out) return;
  y[i] += bias[i % out];
  // END(05.3)
}

// ---- 05.4 Its gradient: every row hears from the same bias, so the bias hears from every row.

__global__ void bias_gradient_kernel(const float* dy,  // [N, out]
                                     float* dbias,     // [out]
                                     int N, int out, Accumulate accumulate) {
  // SOLUTION(05.4): find this thread's column c; if there is one, the sum of column c of dy; with
  // Accumulate::add, what dbias[c] holds already counts too.
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= out) return;
  float sum = 0;
  for (int n = 0; n < N; ++n) sum += row_of(dy, n, out)[c];
  dbias[c] = accumulate == Accumulate::add ? dbias[c] + sum : sum;
  // END(05.4)
}

}  // namespace

// ---- The launches: how many threads there are, and how they lie, is yours to choose.

void gelu(const float* x, float* y, int count, const Launch& launch) {
  // SOLUTION(05.1): launch gelu_kernel for `count` numbers, on launch.stream.
  constexpr int kThreads = 256;
  gelu_kernel<<<blocks_for(count, kThreads), kThreads, 0, launch.stream>>>(x, y, count);
  // END(05.1)
  CUDA_CHECK(cudaGetLastError());
}

void gelu_backward(const float* dy, const float* x, float* dx, int count, const Launch& launch) {
  // SOLUTION(05.2): launch gelu_backward_kernel for `count` numbers.
  constexpr int kThreads = 256;
  const int blocks = blocks_for(count, kThreads);
  gelu_backward_kernel<<<blocks, kThreads, 0, launch.stream>>>(dy, x, dx, count);
  // END(05.2)
  CUDA_CHECK(cudaGetLastError());
}

void add_bias(float* y, const float* bias, int N, int out, const Launch& launch) {
  // SOLUTION(05.3): launch add_bias_kernel for N rows of `out` numbers.
  constexpr int kThreads = 256;
  const int blocks = blocks_for(N * out, kThreads);
  add_bias_kernel<<<blocks, kThreads, 0, launch.stream>>>(y, bias, N, out);
  // END(05.3)
  CUDA_CHECK(cudaGetLastError());
}

void bias_gradient(const float* dy, float* dbias, int N, int out, Accumulate accumulate,
                   const Launch& launch) {
  // SOLUTION(05.4): launch bias_gradient_kernel for `out` columns.
  constexpr int kThreads = 128;
  const int blocks = blocks_for(out, kThreads);
  bias_gradient_kernel<<<blocks, kThreads, 0, launch.stream>>>(dy, dbias, N, out, accumulate);
  // END(05.4)
  CUDA_CHECK(cudaGetLastError());
}

// ---- 05.5 Linear backward: two products that lesson 02 has already, under other names.

void linear_backward_by_dot_products(const float* dy, const float* x, const float* weight,
                                     float* dx, float* dweight, int N, int in, int out,
                                     Accumulate accumulate, const Launch& launch) {
  // SOLUTION(05.5): dx by dot_similarity_forward, dweight by dot_similarity_backward, whose own dx
  // is not asked for.
  dot_similarity_forward(dy, weight, dx, N, in, out, in, launch);
  dot_similarity_backward(x, dy, weight, nullptr, dweight, N, in, out, in, accumulate, launch);
  // END(05.5)
}

// ---- The linear layer by cuBLAS, which sees columns where we have rows: what lies in memory as W
// of [in, out], row by row, is to it a matrix of [out, in], column by column, W^T. So it is asked
// for y^T = W^T x^T, with a result that lies in memory as y does.

void product(const float* x, const float* weight, float* y, int N, int in, int out,
             const Launch& launch) {
  const float alpha = 1, beta = 0;               // y^T = alpha W^T x^T + beta y^T
  CUBLAS_CHECK(cublasSgemm(blas_handle(launch),  //
                           CUBLAS_OP_N,          // the left factor as it is seen: W^T, [out, in]
                           CUBLAS_OP_N,          // the right one as well: x^T, [in, N]
                           out, N, in,           // rows and columns of the result; the sum's terms
                           &alpha, weight, out,  // a column of W^T, a row of W, has `out` numbers
                           x, in,                // a column of x^T, a row of x, has `in`
                           &beta, y, out));      // a column of y^T, a row of y, has `out`
}

// ---- 05.6 dx = dy W^T.

void gradient_of_x(const float* dy, const float* weight, float* dx, int N, int in, int out,
                   const Launch& launch) {
  // SOLUTION(05.6): turn the equation, and ask cuBLAS for what comes of it.
  const float alpha = 1, beta = 0;
  CUBLAS_CHECK(cublasSgemm(blas_handle(launch), CUBLAS_OP_T, CUBLAS_OP_N, in, N, out, &alpha,
                           weight, out, dy, out, &beta, dx, in));
  // END(05.6)
}

// ---- 05.7 dW = x^T dy.

void gradient_of_weight(const float* dy, const float* x, float* dweight, int N, int in, int out,
                        Accumulate accumulate, const Launch& launch) {
  // SOLUTION(05.7): the same for this equation; beta says what becomes of what is there.
  const float alpha = 1, beta = accumulate == Accumulate::add ? 1.0f : 0.0f;
  CUBLAS_CHECK(cublasSgemm(blas_handle(launch), CUBLAS_OP_N, CUBLAS_OP_T, out, in, N, &alpha, dy,
                           out, x, in, &beta, dweight, out));
  // END(05.7)
}

}  // namespace andrea::lesson05

// ---- kernels/activation.h and kernels/linear.h, made of these: this is what a model calls.

namespace andrea {

std::string activation_supports(Activation kind) {
  return kind == Activation::gelu ? "" : "the kernels of lesson 05 have the activation gelu only";
}

void activation_forward(Activation, const float* x, float* y, int N, int width,
                        const Launch& launch) {
  lesson05::gelu(x, y, N * width, launch);
}

void activation_backward(Activation, const float* dy, const float* x, float* dx, int N, int width,
                         const Launch& launch) {
  lesson05::gelu_backward(dy, x, dx, N * width, launch);
}

std::size_t linear_scratch_bytes(int, int, int) { return 0; }

void linear_forward(const float* x, const float* weight, const float* bias, float* y, int N, int in,
                    int out, const Launch& launch) {
  lesson05::product(x, weight, y, N, in, out, launch);
  if (bias != nullptr) lesson05::add_bias(y, bias, N, out, launch);
}

void linear_backward(const float* dy, const float* x, const float* weight, float* dx,
                     float* dweight, float* dbias, int N, int in, int out, Accumulate accumulate,
                     const Launch& launch) {
  if (dx != nullptr) lesson05::gradient_of_x(dy, weight, dx, N, in, out, launch);
  lesson05::gradient_of_weight(dy, x, dweight, N, in, out, accumulate, launch);
  if (dbias != nullptr) lesson05::bias_gradient(dy, dbias, N, out, accumulate, launch);
}

}  // namespace andrea
