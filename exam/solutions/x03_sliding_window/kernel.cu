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
  // SOLUTION(x03.1): find the query; the scores of the keys that it sees; their largest, their
  // exponentials and the sum of those; write every slot, 0 without a key.
  const int T = shape.T, C = shape.C, H = shape.H, W = shape.W, D = shape.head_size();
  const int lane = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (row >= shape.B * H * T) return;  // the whole warp
  const int i = row % T, h = row / T % H, b = row / T / H;
  const float* query = row_of(qkv, b * T + i, 3 * C) + h * D;
  float* own = row_of(weights, row, W);
  const int seen = min(W, i + 1);
  float largest = -CUDART_INF_F;
  for (int w = lane; w < seen; w += kWarpSize) {
    const float* key = row_of(qkv, b * T + i - w, 3 * C) + C + h * D;
    float dot = 0;
    for (int d = 0; d < D; ++d) dot += query[d] * key[d];
    own[w] = dot / sqrtf(static_cast<float>(D));
    largest = fmaxf(largest, own[w]);
  }
  largest = warp_max(largest);
  float sum = 0;
  for (int w = lane; w < seen; w += kWarpSize) {
    own[w] = expf(own[w] - largest);
    sum += own[w];
  }
  sum = warp_sum(sum);
  for (int w = lane; w < W; w += kWarpSize) own[w] = w < seen ? own[w] / sum : 0.0f;
  // END(x03.1)
}

// ---- x03.2 The weighted sum of the values in the window.

__global__ void window_sum_kernel(const float* weights,  // [B, H, T, W]
                                  const float* qkv,      // [B, T, 3C]
                                  float* out,            // [B, T, C]
                                  WindowShape shape) {
  // SOLUTION(x03.2): find the number of out; the sum over
  // the keys that its query sees.
  const int T = shape.T, C = shape.C, H = shape.H, W = shape.W, D = shape.head_size();
  const int c = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= shape.B * T || c >= C) return;
  const int i = n % T, b = n / T, h = c / D;
  const float* own = row_of(weights, (b * H + h) * T + i, W);
  float sum = 0;
  for (int w = 0; w < W && w <= i; ++w) sum += own[w] * row_of(qkv, n - w, 3 * C)[2 * C + c];
  row_of(out, n, C)[c] = sum;
  // END(x03.2)
}

// ---- x03.3 Backward: a value is seen by the queries behind it, each in a slot of its own.

__global__ void value_gradient_kernel(const float* weights,  // [B, H, T, W]
                                      const float* dout,     // [B, T, C]
                                      float* dqkv,           // [B, T, 3C]
                                      WindowShape shape) {
  // SOLUTION(x03.3): find the number of the values' third;
  // sum over the queries that see it.
  const int T = shape.T, C = shape.C, H = shape.H, W = shape.W, D = shape.head_size();
  const int c = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= shape.B * T || c >= C) return;
  const int j = n % T, b = n / T, h = c / D;
  float sum = 0;
  for (int w = 0; w < W && j + w < T; ++w) {
    sum += row_of(weights, (b * H + h) * T + j + w, W)[w] * row_of(dout, n + w, C)[c];
  }
  row_of(dqkv, n, 3 * C)[2 * C + c] = sum;
  // END(x03.3)
}

}  // namespace

// ---- The launches, which are yours.

void window_weights(const float* qkv, float* weights, const WindowShape& shape,
                    const Launch& launch) {
  // SOLUTION(x03.1): launch window_weights_kernel for B * H
  // * T queries, on launch.stream.
  const dim3 block(kWarpSize, 4);  // a warp a query
  const int blocks = blocks_for(shape.B * shape.H * shape.T, 4);
  window_weights_kernel<<<blocks, block, 0, launch.stream>>>(qkv, weights, shape);
  // END(x03.1)
  CUDA_CHECK(cudaGetLastError());
}

void window_sum(const float* weights, const float* qkv, float* out, const WindowShape& shape,
                const Launch& launch) {
  // SOLUTION(x03.2): launch window_sum_kernel for B * T rows of C numbers.
  const dim3 block(32, 8);
  const dim3 grid(static_cast<unsigned>(blocks_for(shape.B * shape.T, 8)),
                  static_cast<unsigned>(blocks_for(shape.C, 32)));
  window_sum_kernel<<<grid, block, 0, launch.stream>>>(weights, qkv, out, shape);
  // END(x03.2)
  CUDA_CHECK(cudaGetLastError());
}

void value_gradient(const float* weights, const float* dout, float* dqkv, const WindowShape& shape,
                    const Launch& launch) {
  // SOLUTION(x03.3): launch value_gradient_kernel for B * T rows of C numbers.
  const dim3 block(32, 8);
  const dim3 grid(static_cast<unsigned>(blocks_for(shape.B * shape.T, 8)),
                  static_cast<unsigned>(blocks_for(shape.C, 32)));
  value_gradient_kernel<<<grid, block, 0, launch.stream>>>(weights, dout, dqkv, shape);
  // END(x03.3)
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam03
