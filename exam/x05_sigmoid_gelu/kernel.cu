// Exam 05: bias and sigmoid GELU in one kernel, and their gradients. What each function computes
// stands in kernel.h; README.md is the task. Grid and block are yours to choose. It is tried by
//
//   bazel test //exam/x05_sigmoid_gelu:kernel_test
//
// row_of(x, n, C) is where row n of x begins (lessons/rows.cuh).

#include "exam/x05_sigmoid_gelu/kernel.h"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/rows.cuh"

namespace andrea::exam05 {
namespace {

// ---- x05.1 A number of x and its column's bias, through the activation.

__global__ void activate_kernel(const float* x,     // [N, C]
                                const float* bias,  // [C]
                                float* y,           // [N, C]
                                int N, int C) {
  // TODO(x05.1): find the number; write y, about 5 lines.
}

// ---- x05.2 Backward: the slope at x + bias, from the sigmoid alone.

__global__ void input_gradient_kernel(const float* dy,    // [N, C]
                                      const float* x,     // [N, C]
                                      const float* bias,  // [C]
                                      float* dx,          // [N, C]
                                      int N, int C) {
  // TODO(x05.2): find the number; write dx, about 7 lines.
}

// ---- x05.3 Backward: a bias serves all rows.

__global__ void bias_gradient_kernel(const float* dx,  // [N, C]
                                     float* dbias,     // [C]
                                     int N, int C, Accumulate accumulate) {
  // TODO(x05.3): find this thread's column; its sum over all rows; write it, or with
  // Accumulate::add add it, about 5 lines.
}

// A grid of blocks of 32 x 8 threads, for a matrix with a thread a number; rows in x, since y ends
// at 65,535.
constexpr unsigned kBlockColumns = 32, kBlockRows = 8;

dim3 grid_for(int rows, int columns) {
  return {static_cast<unsigned>(blocks_for(rows, kBlockRows)),
          static_cast<unsigned>(blocks_for(columns, kBlockColumns))};
}

}  // namespace

// ---- The launches, which are yours; grid_for, above, may be used.

void activate(const float* x, const float* bias, float* y, int N, int C, const Launch& launch) {
  // TODO(x05.1): launch activate_kernel for N rows of C numbers, on launch.stream, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

void input_gradient(const float* dy, const float* x, const float* bias, float* dx, int N, int C,
                    const Launch& launch) {
  // TODO(x05.2): launch input_gradient_kernel for N rows of C numbers, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

void bias_gradient(const float* dx, float* dbias, int N, int C, Accumulate accumulate,
                   const Launch& launch) {
  // TODO(x05.3): launch bias_gradient_kernel with a
  // thread for each of the C columns, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam05
