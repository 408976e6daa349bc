// Exam 03: attention in a sliding window. What each function computes stands in kernel.h; README.md
// is the task. Grid and block are yours to choose. It is tried by
//
//   bazel test //exam/x03_sliding_window:kernel_test
//
// row_of(x, n, C) is where row n of x begins (lessons/rows.cuh). warp_sum(value) and
// warp_max(value) are the sum and the largest over the 32 lanes; all lanes call them
// (lessons/reductions.cuh).

#include <math_constants.h>

#include "exam/x03_sliding_window/kernel.h"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::exam03 {
namespace {

// ---- x03.1 The weights of a query's window: slot w belongs to key i - w.

__global__ void window_weights_kernel(const float* qkv,  // [B, T, 3C]
                                      float* weights,    // [B, H, T, W]
                                      WindowShape shape) {
  // TODO(x03.1): find the query; the scores of the keys that it sees; their largest, their
  // exponentials and the sum of those; write every slot, 0 without a key, about 24 lines.
}

// ---- x03.2 The weighted sum of the values in the window.

__global__ void window_sum_kernel(const float* weights,  // [B, H, T, W]
                                  const float* qkv,      // [B, T, 3C]
                                  float* out,            // [B, T, C]
                                  WindowShape shape) {
  // TODO(x03.2): find the number of out; the sum over
  // the keys that its query sees, about 9 lines.
}

// ---- x03.3 Backward: a value is seen by the queries behind it, each in a slot of its own.

__global__ void value_gradient_kernel(const float* weights,  // [B, H, T, W]
                                      const float* dout,     // [B, T, C]
                                      float* dqkv,           // [B, T, 3C]
                                      WindowShape shape) {
  // TODO(x03.3): find the number of the values' third;
  // sum over the queries that see it, about 10 lines.
}

}  // namespace

// ---- The launches, which are yours.

void window_weights(const float* qkv, float* weights, const WindowShape& shape,
                    const Launch& launch) {
  // TODO(x03.1): launch window_weights_kernel for B * H
  // * T queries, on launch.stream, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void window_sum(const float* weights, const float* qkv, float* out, const WindowShape& shape,
                const Launch& launch) {
  // TODO(x03.2): launch window_sum_kernel for B * T rows of C numbers, about 4 lines.
  CUDA_CHECK(cudaGetLastError());
}

void value_gradient(const float* weights, const float* dout, float* dqkv, const WindowShape& shape,
                    const Launch& launch) {
  // TODO(x03.3): launch value_gradient_kernel for B * T rows of C numbers, about 4 lines.
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam03
