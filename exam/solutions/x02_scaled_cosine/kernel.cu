// Exam 02: scaled cosines of all pairs of rows, and their gradient. What each function computes
// stands in kernel.h; README.md is the task. It is tried by
//
//   bazel test //exam/x02_scaled_cosine:kernel_test
//
// row_of(x, n, C) is where row n of x begins (lessons/rows.cuh). warp_sum(value) is the sum over
// the 32 lanes; all lanes call it (lessons/reductions.cuh).

#include "exam/x02_scaled_cosine/kernel.h"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::exam02 {
namespace {

// ---- x02.1 One over the length of a row: a warp a row, four warps a block.

constexpr int kLengthThreads = 128;

__global__ void inverse_lengths_kernel(const float* x,  // [N, C]
                                       float* inverse,  // [N]
                                       int N, int C) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int n = thread / kWarpSize, lane = thread % kWarpSize;
  if (n >= N) return;  // the whole warp
  // SOLUTION(x02.1): the squares of this lane's columns, those of all lanes; then one lane writes
  // one over the length, and 0 where there is none.
  float squares = 0;
  for (int c = lane; c < C; c += kWarpSize) squares += row_of(x, n, C)[c] * row_of(x, n, C)[c];
  squares = warp_sum(squares);
  if (lane == 0) inverse[n] = squares > 0 ? 1 / sqrtf(squares) : 0.0f;
  // END(x02.1)
}

// ---- x02.2 All pairs: x counts rows of the table, y counts rows of x.

__global__ void scaled_cosines_kernel(const float* x,              // [N, C]
                                      const float* table,          // [M, C]
                                      const float* x_inverse,      // [N]
                                      const float* table_inverse,  // [M]
                                      float* out,                  // [N, stride]
                                      float scale, int N, int M, int C, int stride) {
  const int m = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  // SOLUTION(x02.2): out[n, m], if there is one.
  if (n >= N || m >= M) return;
  const float* x_row = row_of(x, n, C);
  const float* table_row = row_of(table, m, C);
  float dot = 0;
  for (int c = 0; c < C; ++c) dot += x_row[c] * table_row[c];
  row_of(out, n, stride)[m] = scale * dot * x_inverse[n] * table_inverse[m];
  // END(x02.2)
}

// ---- x02.3 Backward: x[n] took part in row n of out, by its direction alone.

__global__ void gradient_of_x_kernel(const float* dout,           // [N, stride]
                                     const float* out,            // [N, stride]
                                     const float* x,              // [N, C]
                                     const float* table,          // [M, C]
                                     const float* x_inverse,      // [N]
                                     const float* table_inverse,  // [M]
                                     float* dx,                   // [N, C]
                                     float scale, int N, int M, int C, int stride) {
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  // SOLUTION(x02.3): dx[n, c], if there is one.
  if (n >= N || c >= C) return;
  const float* dout_row = row_of(dout, n, stride);
  const float* out_row = row_of(out, n, stride);
  const float x_hat = row_of(x, n, C)[c] * x_inverse[n];
  float sum = 0;
  for (int m = 0; m < M; ++m) {
    const float table_hat = row_of(table, m, C)[c] * table_inverse[m];
    sum += dout_row[m] * (scale * table_hat - out_row[m] * x_hat);
  }
  row_of(dx, n, C)[c] = sum * x_inverse[n];
  // END(x02.3)
}

// A grid of blocks of 32 x 8 threads, for a matrix with a thread a number.
constexpr unsigned kBlockColumns = 32, kBlockRows = 8;

dim3 grid_for(int rows, int columns) {
  return {static_cast<unsigned>(blocks_for(columns, kBlockColumns)),
          static_cast<unsigned>(blocks_for(rows, kBlockRows))};
}

}  // namespace

// ---- The launches, which are given.

void inverse_lengths(const float* x, float* inverse, int N, int C, const Launch& launch) {
  const int blocks = blocks_for(N, kLengthThreads / kWarpSize);
  inverse_lengths_kernel<<<blocks, kLengthThreads, 0, launch.stream>>>(x, inverse, N, C);
  CUDA_CHECK(cudaGetLastError());
}

void scaled_cosines(const float* x, const float* table, const float* x_inverse,
                    const float* table_inverse, float* out, float scale, int N, int M, int C,
                    int stride, const Launch& launch) {
  const dim3 block(kBlockColumns, kBlockRows);
  scaled_cosines_kernel<<<grid_for(N, M), block, 0, launch.stream>>>(
      x, table, x_inverse, table_inverse, out, scale, N, M, C, stride);
  CUDA_CHECK(cudaGetLastError());
}

void gradient_of_x(const float* dout, const float* out, const float* x, const float* table,
                   const float* x_inverse, const float* table_inverse, float* dx, float scale,
                   int N, int M, int C, int stride, const Launch& launch) {
  const dim3 block(kBlockColumns, kBlockRows);
  gradient_of_x_kernel<<<grid_for(N, C), block, 0, launch.stream>>>(
      dout, out, x, table, x_inverse, table_inverse, dx, scale, N, M, C, stride);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam02
