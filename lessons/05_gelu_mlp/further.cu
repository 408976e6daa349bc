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
  // TODO(05.8): this thread's number of x with its bias, back to x; of the same number, GELU to
  // y. Each number of x is loaded once, about 5 lines.
}

// ---- 05.9 The exact form: Phi by the error function, whose derivative is the bell curve.

__global__ void gelu_erf_kernel(const float* x,  // [count]
                                float* y,        // [count]
                                int count) {
  // TODO(05.9): x[i] Phi(x[i]), with erff, about 3 lines.
}

__global__ void gelu_erf_backward_kernel(const float* dy,  // [count]
                                         const float* x,   // [count]
                                         float* dx,        // [count]
                                         int count) {
  // TODO(05.9): dy[i] times the derivative of x Phi(x) at x[i], about 6 lines.
}

// ---- 05.10 ReLU: what is negative does not pass.

__global__ void relu_kernel(const float* x,  // [count]
                            float* y,        // [count]
                            int count) {
  // TODO(05.10): x[i] where it is positive, else 0, about 3 lines.
}

__global__ void relu_backward_kernel(const float* dy,  // [count]
                                     const float* x,   // [count]
                                     float* dx,        // [count]
                                     int count) {
  // TODO(05.10): dy[i] where x[i] is positive, else 0, about 3 lines.
}

// ---- 05.11 SwiGLU: one half of a row decides how much of the other passes.

__global__ void swiglu_kernel(const float* x,  // [N, 2C]
                              float* y,        // [N, C]
                              int N, int C) {
  // TODO(05.11): y[n, c] of this thread, from a[n, c] and b[n, c], about 5 lines.
}

__global__ void swiglu_backward_kernel(const float* dy,  // [N, C]
                                       const float* x,   // [N, 2C]
                                       float* dx,        // [N, 2C]
                                       int N, int C) {
  // TODO(05.11): da[n, c] and db[n, c] of this thread, about 7 lines.
}

// ---- 05.12 Tensor cores: a warp multiplies tiles of 16 x 16 numbers as a whole.

constexpr int kTile = 16;

__global__ void product_by_tensor_cores_kernel(const __nv_bfloat16* x,       // [N, in]
                                               const __nv_bfloat16* weight,  // [in, out]
                                               float* y,                     // [N, out]
                                               int N, int in, int out) {
  using namespace nvcuda;
  // TODO(05.12): find this warp's tile of y; if there is one, add up the products of the tiles
  // of x in its rows with the tiles of weight in its columns, and store the sum, about 14 lines.
}

}  // namespace

// ---- The launches.

void add_bias_and_gelu(float* x, const float* bias, float* y, int N, int C, const Launch& launch) {
  // TODO(05.8): launch add_bias_and_gelu_kernel for N rows of C numbers, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void gelu_erf(const float* x, float* y, int count, const Launch& launch) {
  // TODO(05.9): launch gelu_erf_kernel for `count` numbers, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

void gelu_erf_backward(const float* dy, const float* x, float* dx, int count,
                       const Launch& launch) {
  // TODO(05.9): launch gelu_erf_backward_kernel for `count` numbers, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void relu(const float* x, float* y, int count, const Launch& launch) {
  // TODO(05.10): launch relu_kernel for `count` numbers, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

void relu_backward(const float* dy, const float* x, float* dx, int count, const Launch& launch) {
  // TODO(05.10): launch relu_backward_kernel for `count` numbers, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void swiglu(const float* x, float* y, int N, int C, const Launch& launch) {
  // TODO(05.11): launch swiglu_kernel for N rows of C numbers of y, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

void swiglu_backward(const float* dy, const float* x, float* dx, int N, int C,
                     const Launch& launch) {
  // TODO(05.11): launch swiglu_backward_kernel for N rows of C numbers of dy, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void product_by_tensor_cores(const __nv_bfloat16* x, const __nv_bfloat16* weight, float* y, int N,
                             int in, int out, const Launch& launch) {
  // TODO(05.12): launch product_by_tensor_cores_kernel with a warp for each 16 x 16 numbers of
  // y, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson05
