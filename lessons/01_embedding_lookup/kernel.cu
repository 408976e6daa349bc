// Lesson 01: the embedding lookup, forward and backward. What each function computes stands in
// kernel.h; README.md explains the ideas, in the same order. Its exercises are tried by
//
//   bazel test //lessons/01_embedding_lookup:kernel_test

#include <cstdint>

#include "kernels/cuda_check.h"
#include "kernels/embedding.h"
#include "lessons/01_embedding_lookup/kernel.h"

namespace andrea {
namespace lesson01 {
namespace {

// In every kernel here a block has one row of C numbers, and its threads share the columns: thread
// 0 has columns 0, kThreads, 2 * kThreads, ... Neighbouring threads touch neighbouring numbers.
constexpr int kThreads = 128;

// ---- 01.1 Gather: a block a row of out, gridDim.x = N.

__global__ void gather_rows_kernel(const int* tokens, const float* token_table, float* out, int C) {
  const std::int64_t n = blockIdx.x;
  // TODO(01.1): copy the row of token_table that tokens[n] names to row n of out, about 4 lines.
}

// ---- 01.2 Positions: a block a row of out again, gridDim.x = B * T.

__global__ void add_positions_kernel(const float* position_table, float* out, int T, int C) {
  const std::int64_t n = blockIdx.x;
  // TODO(01.2): add the row of position_table that belongs to row n's position in its
  // sequence, about 4 lines.
}

// ---- 01.3 Scatter-add: a block a row of dout, gridDim.x = N.

__global__ void scatter_add_kernel(const float* dout, const int* tokens, float* dtoken_table,
                                   int C) {
  const std::int64_t n = blockIdx.x;
  // TODO(01.3): add row n of dout to the row of dtoken_table that tokens[n] names, to which
  // other blocks may be adding at the same time, about 4 lines.
}

// ---- 01.4 Sum over the batch: a block a row of dposition_table, gridDim.x = T.

__global__ void sum_over_batch_kernel(const float* dout, float* dposition_table, int B, int T,
                                      int C, bool add) {
  const std::int64_t t = blockIdx.x;
  // TODO(01.4): for each column, the sum over the sequences of what position t received; then
  // store it, or add it where `add` is set, about 6 lines.
}

}  // namespace

// ---- The launches, which are given.

void gather_rows(const int* tokens, const float* token_table, float* out, int N, int C,
                 const Launch& launch) {
  gather_rows_kernel<<<N, kThreads, 0, launch.stream>>>(tokens, token_table, out, C);
  CUDA_CHECK(cudaGetLastError());
}

void add_positions(const float* position_table, float* out, int B, int T, int C,
                   const Launch& launch) {
  add_positions_kernel<<<B * T, kThreads, 0, launch.stream>>>(position_table, out, T, C);
  CUDA_CHECK(cudaGetLastError());
}

void scatter_add(const float* dout, const int* tokens, float* dtoken_table, int N, int C,
                 const Launch& launch) {
  scatter_add_kernel<<<N, kThreads, 0, launch.stream>>>(dout, tokens, dtoken_table, C);
  CUDA_CHECK(cudaGetLastError());
}

void sum_over_batch(const float* dout, float* dposition_table, int B, int T, int C,
                    Accumulate accumulate, const Launch& launch) {
  sum_over_batch_kernel<<<T, kThreads, 0, launch.stream>>>(dout, dposition_table, B, T, C,
                                                           accumulate == Accumulate::add);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace lesson01

// ---- The contract of kernels/embedding.h, out of the four steps; given too.

std::size_t embedding_scratch_bytes(int, int, int, int) { return 0; }

void embedding_forward(const int* tokens, const float* token_table, const float* position_table,
                       float* out, int B, int T, int C, const Launch& launch) {
  lesson01::gather_rows(tokens, token_table, out, B * T, C, launch);
  if (position_table == nullptr) return;
  lesson01::add_positions(position_table, out, B, T, C, launch);
}

void embedding_backward(const float* dout, const int* tokens, float* dtoken_table,
                        float* dposition_table, int B, int T, int C, int V, Accumulate accumulate,
                        const Launch& launch) {
  if (accumulate == Accumulate::overwrite) {
    const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(V) * C;
    CUDA_CHECK(cudaMemsetAsync(dtoken_table, 0, bytes, launch.stream));
  }
  lesson01::scatter_add(dout, tokens, dtoken_table, B * T, C, launch);
  if (dposition_table == nullptr) return;
  lesson01::sum_over_batch(dout, dposition_table, B, T, C, accumulate, launch);
}

}  // namespace andrea
