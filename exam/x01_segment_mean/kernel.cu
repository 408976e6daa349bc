// Exam 01: the mean of the embeddings of a segment, forward and backward. What each function
// computes stands in kernel.h; README.md is the task. It is tried by
//
//   bazel test //exam/x01_segment_mean:kernel_test
//
// row_of(x, n, C) is where row n of x begins (lessons/rows.cuh).

#include "exam/x01_segment_mean/kernel.h"
#include "kernels/cuda_check.h"
#include "lessons/rows.cuh"

namespace andrea::exam01 {
namespace {

// A block has one segment, and its threads share the columns: thread 0 has columns 0, kThreads,
// 2 * kThreads, ...
constexpr int kThreads = 128;

// ---- x01.1 Gather, and the mean: gridDim.x = S.

__global__ void segment_means_kernel(const int* starts,         // [S + 1]
                                     const int* tokens,         // [N]
                                     const float* token_table,  // [V, C]
                                     float* out,                // [S, C]
                                     int C) {
  const int s = static_cast<int>(blockIdx.x);
  // TODO(x01.1): for each column of this thread, the mean over the tokens of segment s, and 0
  // where it has none, about 6 lines.
}

// ---- x01.2 Scatter: every token of a segment has a share in its mean.

__global__ void scatter_shares_kernel(const float* dout,    // [S, C]
                                      const int* starts,    // [S + 1]
                                      const int* tokens,    // [N]
                                      float* dtoken_table,  // [V, C]
                                      int C) {
  const int s = static_cast<int>(blockIdx.x);
  // TODO(x01.2): add what each token of segment s receives to its row of dtoken_table, to which
  // other blocks may be adding at the same time, about 7 lines.
}

}  // namespace

// ---- The launches, which are given.

void segment_means(const int* starts, const int* tokens, const float* token_table, float* out,
                   int S, int C, const Launch& launch) {
  segment_means_kernel<<<S, kThreads, 0, launch.stream>>>(starts, tokens, token_table, out, C);
  CUDA_CHECK(cudaGetLastError());
}

void scatter_shares(const float* dout, const int* starts, const int* tokens, float* dtoken_table,
                    int S, int C, const Launch& launch) {
  scatter_shares_kernel<<<S, kThreads, 0, launch.stream>>>(dout, starts, tokens, dtoken_table, C);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam01
