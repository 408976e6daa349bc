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
  // TODO(x07.1): of row n the largest logit, the sum of exp(logit - largest), and the mean
  // logit; from them the loss, 0 where the target is -1, about 17 lines.
}

// ---- x07.2 The gradient of the logits, over the logits themselves.

__global__ void gradient_of_logits_kernel(float* logits,       // [N, stride]
                                          const int* targets,  // [N]
                                          float smoothing, float gradient_scale, int V,
                                          int stride) {
  // TODO(x07.2): the largest and the sum as in x07.1; then all `stride` columns of the row are
  // replaced by their gradients, about 17 lines.
}

}  // namespace

// ---- The launches, which are yours.

void smoothed_losses(const float* logits, const int* targets, float* losses, float smoothing, int N,
                     int V, int stride, const Launch& launch) {
  // TODO(x07.1): launch smoothed_losses_kernel for N rows, on launch.stream, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

void gradient_of_logits(float* logits, const int* targets, float smoothing, float gradient_scale,
                        int N, int V, int stride, const Launch& launch) {
  // TODO(x07.2): launch gradient_of_logits_kernel for N rows, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam07
