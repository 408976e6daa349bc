// Exam 04: a root mean square norm of each head, forward and backward. What each function computes
// stands in kernel.h; README.md is the task. Grid and block are yours to choose. It is tried by
//
//   bazel test //exam/x04_head_norm:kernel_test
//
// row_of(x, n, C) is where row n of x begins (lessons/rows.cuh). warp_sum(value) is the sum over
// the 32 lanes; all lanes call it (lessons/reductions.cuh).

#include "exam/x04_head_norm/kernel.h"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::exam04 {
namespace {

// ---- x04.1 Each head of a row by its own root mean square, then by the gain of its columns.

__global__ void head_norm_kernel(const float* x,     // [N, C]
                                 const float* gain,  // [C]
                                 float* y,           // [N, C]
                                 float* rstd,        // [N, H]
                                 int N, int C, int H) {
  // TODO(x04.1): find the row and the head; the mean of its squares; write rstd, and y of each
  // of its columns, about 13 lines.
}

// ---- x04.2 Backward: a number of a head moves the root mean square of its head, too.

__global__ void input_gradient_kernel(const float* dy,    // [N, C]
                                      const float* x,     // [N, C]
                                      const float* gain,  // [C]
                                      const float* rstd,  // [N, H]
                                      float* dx,          // [N, C]
                                      int N, int C, int H) {
  // TODO(x04.2): find the row and the head; the mean of g * x_hat over it, with g = gain * dy;
  // then dx of each of its columns, about 15 lines.
}

// ---- x04.3 Backward: a gain serves all rows.

__global__ void gain_gradient_kernel(const float* dy,    // [N, C]
                                     const float* x,     // [N, C]
                                     const float* rstd,  // [N, H]
                                     float* dgain,       // [C]
                                     int N, int C, int H, Accumulate accumulate) {
  // TODO(x04.3): find this thread's column; its sum over all rows; write it, or with
  // Accumulate::add add it, about 6 lines.
}

}  // namespace

// ---- The launches, which are yours.

void head_norm(const float* x, const float* gain, float* y, float* rstd, int N, int C, int H,
               const Launch& launch) {
  // TODO(x04.1): launch head_norm_kernel for N rows of H heads, on launch.stream, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

void input_gradient(const float* dy, const float* x, const float* gain, const float* rstd,
                    float* dx, int N, int C, int H, const Launch& launch) {
  // TODO(x04.2): launch input_gradient_kernel for N rows of H heads, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void gain_gradient(const float* dy, const float* x, const float* rstd, float* dgain, int N, int C,
                   int H, Accumulate accumulate, const Launch& launch) {
  // TODO(x04.3): launch gain_gradient_kernel with a
  // thread for each of the C columns, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam04
