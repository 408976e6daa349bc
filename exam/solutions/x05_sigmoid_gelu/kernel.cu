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
  // SOLUTION(x05.1): find the number; write y.
  const int c = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N || c >= C) return;
  const float a = row_of(x, n, C)[c] + bias[c];
  row_of(y, n, C)[c] = a / (1 + expf(-kSigmoidFactor * a));
  // END(x05.1)
}

// ---- x05.2 Backward: the slope at x + bias, from the sigmoid alone.

__global__ void input_gradient_kernel(const float* dy,    // [N, C]
                                      const float* x,     // [N, C]
                                      const float* bias,  // [C]
                                      float* dx,          // [N, C]
                                      int N, int C) {
  // SOLUTION(x05.2): find the number; write dx.
  const int c = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N || c >= C) return;
  const float a = row_of(x, n, C)[c] + bias[c];
  const float sigmoid = 1 / (1 + expf(-kSigmoidFactor * a));
  const float slope = sigmoid + kSigmoidFactor * a * sigmoid * (1 - sigmoid);
  row_of(dx, n, C)[c] = row_of(dy, n, C)[c] * slope;
  // END(x05.2)
}

// ---- x05.3 Backward: a bias serves all rows.

__global__ void bias_gradient_kernel(const float* dx,  // [N, C]
                                     float* dbias,     // [C]
                                     int N, int C, Accumulate accumulate) {
  // SOLUTION(x05.3): find this thread's column; its sum over all rows; write it, or with
  // Accumulate::add add it.
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= C) return;
  float sum = 0;
  for (int n = 0; n < N; ++n) sum += row_of(dx, n, C)[c];
  dbias[c] = accumulate == Accumulate::add ? dbias[c] + sum : sum;
  // END(x05.3)
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
  // SOLUTION(x05.1): launch activate_kernel for N rows of C numbers, on launch.stream.
  const dim3 block(kBlockColumns, kBlockRows);
  activate_kernel<<<grid_for(N, C), block, 0, launch.stream>>>(x, bias, y, N, C);
  // END(x05.1)
  CUDA_CHECK(cudaGetLastError());
}

void input_gradient(const float* dy, const float* x, const float* bias, float* dx, int N, int C,
                    const Launch& launch) {
  // SOLUTION(x05.2): launch input_gradient_kernel for N rows of C numbers.
  const dim3 block(kBlockColumns, kBlockRows);
  input_gradient_kernel<<<grid_for(N, C), block, 0, launch.stream>>>(dy, x, bias, dx, N, C);
  // END(x05.2)
  CUDA_CHECK(cudaGetLastError());
}

void bias_gradient(const float* dx, float* dbias, int N, int C, Accumulate accumulate,
                   const Launch& launch) {
  // SOLUTION(x05.3): launch bias_gradient_kernel with a
  // thread for each of the C columns.
  const int blocks = blocks_for(C, 128);
  bias_gradient_kernel<<<blocks, 128, 0, launch.stream>>>(dx, dbias, N, C, accumulate);
  // END(x05.3)
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam05
