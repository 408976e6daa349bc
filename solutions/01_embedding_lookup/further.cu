// Lesson 01, further exercises: further.h says what they compute.
//
//   bazel test //lessons/01_embedding_lookup:further_test

#include <cstdint>

#include "kernels/cuda_check.h"
#include "lessons/01_embedding_lookup/further.h"

namespace andrea::lesson01 {
namespace {

constexpr int kThreads = 128;

// ---- 01.5 Vector loads: a block a row of out, a lane moves 16 bytes at once.

// Where C is no multiple of 4 a row does not begin at a multiple of 16 bytes: a thread a number.
__global__ void gather_numbers_kernel(const int* tokens, const float* token_table, float* out,
                                      std::int64_t count, int C) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) out[i] = token_table[std::int64_t{tokens[i / C]} * C + i % C];
}

// C is a multiple of 4.
__global__ void gather_vectors_kernel(const int* tokens, const float* token_table, float* out,
                                      int C) {
  const std::int64_t n = blockIdx.x;
  // SOLUTION(01.5): see both rows as C / 4 numbers of type float4, and copy those.
  const std::int64_t token = tokens[n];
  const float4* from = reinterpret_cast<const float4*>(token_table + token * C);
  float4* to = reinterpret_cast<float4*>(out + n * C);
  for (int i = static_cast<int>(threadIdx.x); i < C / 4; i += kThreads) to[i] = from[i];
  // END(01.5)
}

// ---- 01.6 Scatter in order: a block a row of dtoken_table, gridDim.x = V.

__global__ void scatter_add_in_order_kernel(const float* dout, const int* tokens,
                                            float* dtoken_table, int N, int C) {
  const int v = static_cast<int>(blockIdx.x);
  // SOLUTION(01.6): for each column, go through all N tokens, from the first to the last; add up
  // the rows of dout whose token is v; then add the sum to row v of dtoken_table.
  for (int c = static_cast<int>(threadIdx.x); c < C; c += kThreads) {
    float sum = 0;
    for (int n = 0; n < N; ++n) {
      if (tokens[n] == v) sum += dout[std::int64_t{n} * C + c];
    }
    dtoken_table[std::int64_t{v} * C + c] += sum;
  }
  // END(01.6)
}

// ---- 01.7 One-hot times table.

// A block a row of one_hot, gridDim.x = N.
__global__ void one_hot_kernel(const int* tokens, float* one_hot, int V) {
  const std::int64_t n = blockIdx.x;
  // SOLUTION(01.7): row n of one_hot: 1 in the column that tokens[n] names, else 0.
  for (int v = static_cast<int>(threadIdx.x); v < V; v += kThreads) {
    one_hot[n * V + v] = v == tokens[n] ? 1.0f : 0.0f;
  }
  // END(01.7)
}

// A block a row of out, gridDim.x = N.
__global__ void product_kernel(const float* one_hot, const float* token_table, float* out, int C,
                               int V) {
  const std::int64_t n = blockIdx.x;
  // SOLUTION(01.7): out[n, c] = sum over v of one_hot[n, v] * token_table[v, c].
  for (int c = static_cast<int>(threadIdx.x); c < C; c += kThreads) {
    float sum = 0;
    for (int v = 0; v < V; ++v) {
      sum += one_hot[n * V + v] * token_table[std::int64_t{v} * C + c];
    }
    out[n * C + c] = sum;
  }
  // END(01.7)
}

}  // namespace

void gather_rows_by_vectors(const int* tokens, const float* token_table, float* out, int N, int C,
                            const Launch& launch) {
  if (C % 4 == 0) {
    gather_vectors_kernel<<<N, kThreads, 0, launch.stream>>>(tokens, token_table, out, C);
  } else {
    const std::int64_t count = std::int64_t{N} * C;
    const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
    gather_numbers_kernel<<<blocks, kThreads, 0, launch.stream>>>(tokens, token_table, out, count,
                                                                  C);
  }
  CUDA_CHECK(cudaGetLastError());
}

void scatter_add_in_order(const float* dout, const int* tokens, float* dtoken_table, int N, int C,
                          int V, const Launch& launch) {
  scatter_add_in_order_kernel<<<V, kThreads, 0, launch.stream>>>(dout, tokens, dtoken_table, N, C);
  CUDA_CHECK(cudaGetLastError());
}

void one_hot_times_table(const int* tokens, const float* token_table, float* one_hot, float* out,
                         int N, int C, int V, const Launch& launch) {
  one_hot_kernel<<<N, kThreads, 0, launch.stream>>>(tokens, one_hot, V);
  CUDA_CHECK(cudaGetLastError());
  product_kernel<<<N, kThreads, 0, launch.stream>>>(one_hot, token_table, out, C, V);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson01
