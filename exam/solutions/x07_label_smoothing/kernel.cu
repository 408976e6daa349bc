// Exam 07: cross-entropy with label smoothing, and its gradient. What each function computes stands
// in kernel.h; README.md is the task. Grid and block are yours to choose. It is tried by
//
//   bazel test //exam/x07_label_smoothing:kernel_test
//
// row_of(x, n, stride) is where row n of x begins; block_sum and block_max give every thread of a
// block the sum or the largest of what its threads bring: lessons/rows.cuh, lessons/reductions.cuh.

#include <math_constants.h>

#include "exam/x07_label_smoothing/kernel.h"
#include "kernels/cuda_check.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::exam07 {
namespace {

// ---- x07.1 The losses.

__global__ void smoothed_losses_kernel(const float* logits,  // [N, stride]
                                       const int* targets,   // [N]
                                       float* losses,        // [N]
                                       float smoothing, int V, int stride) {
  // SOLUTION(x07.1): of row n the largest logit, the sum of exp(logit - largest), and the mean
  // logit; from them the loss, 0 where the target is -1.
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int n = static_cast<int>(blockIdx.x), target = targets[n];
  const float* row = row_of(logits, n, stride);
  float largest = -CUDART_INF_F, total = 0;
  for (int v = thread; v < V; v += threads) {
    largest = fmaxf(largest, row[v]);
    total += row[v];
  }
  largest = block_max(largest);
  const float mean = block_sum(total) / static_cast<float>(V);
  float sum = 0;
  for (int v = thread; v < V; v += threads) sum += expf(row[v] - largest);
  sum = block_sum(sum);
  if (thread > 0) return;
  const float log_sum = logf(sum) + largest;
  losses[n] = 0;
  if (target >= 0) losses[n] = log_sum - (1 - smoothing) * row[target] - smoothing * mean;
  // END(x07.1)
}

// ---- x07.2 The gradient of the logits, over the logits themselves.

__global__ void gradient_of_logits_kernel(float* logits,       // [N, stride]
                                          const int* targets,  // [N]
                                          float smoothing, float gradient_scale, int V,
                                          int stride) {
  // SOLUTION(x07.2): the largest and the sum as in x07.1; then all `stride` columns of the row are
  // replaced by their gradients.
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int n = static_cast<int>(blockIdx.x), target = targets[n];
  float* row = row_of(logits, n, stride);
  float largest = -CUDART_INF_F;
  for (int v = thread; v < V; v += threads) largest = fmaxf(largest, row[v]);
  largest = block_max(largest);
  float sum = 0;
  for (int v = thread; v < V; v += threads) sum += expf(row[v] - largest);
  sum = block_sum(sum);
  for (int v = thread; v < stride; v += threads) {
    float gradient = 0;
    if (target >= 0 && v < V) {
      const float wanted = smoothing / static_cast<float>(V) + (v == target ? 1 - smoothing : 0);
      gradient = gradient_scale * (expf(row[v] - largest) / sum - wanted);
    }
    row[v] = gradient;
  }
  // END(x07.2)
}

}  // namespace

// ---- The launches, which are yours.

void smoothed_losses(const float* logits, const int* targets, float* losses, float smoothing, int N,
                     int V, int stride, const Launch& launch) {
  // SOLUTION(x07.1): launch smoothed_losses_kernel for N rows, on launch.stream.
  smoothed_losses_kernel<<<N, 256, 0, launch.stream>>>(logits, targets, losses, smoothing, V,
                                                       stride);
  // END(x07.1)
  CUDA_CHECK(cudaGetLastError());
}

void gradient_of_logits(float* logits, const int* targets, float smoothing, float gradient_scale,
                        int N, int V, int stride, const Launch& launch) {
  // SOLUTION(x07.2): launch gradient_of_logits_kernel for N rows.
  gradient_of_logits_kernel<<<N, 256, 0, launch.stream>>>(logits, targets, smoothing,
                                                          gradient_scale, V, stride);
  // END(x07.2)
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam07
