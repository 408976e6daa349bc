// Attention of floats on CUDA cores, forward. From the lesson's kernel
// (solutions/03_attention/further.cu, exercise 03.8) two rungs up:
//
//   lesson 03.8   a warp a query, a lane a key: a number from shared memory for each product
//   tiles         16 x 16 threads, a thread up to 4 x 4 pairs of rows: half a number
//   16 bytes      four numbers are read at once: an eighth of an instruction a product
//
// N = B T rows, D = C / H. Products: 4 D FLOPs for each of T (T + 1) / 2 pairs a head. Bytes, with
// tiles of Q queries: queries, out and log_sum_exp once, 8 N C + 4 N H; keys and values once for
// each tile of queries that sees them, 8 N C (T / Q + 1) / 2, most of which the L2 cache answers. T
// x T numbers are nowhere.

#include <math_constants.h>

#include <cstdint>

#include "kernels/cuda/attention_head.cuh"
#include "kernels/cuda/flash_attention.h"
#include "kernels/cuda/flash_attention_float_tiles.cuh"
#include "kernels/cuda_check.h"

namespace andrea::cuda {
namespace {

// Forward: queries are owned, keys and values pass. A row's sum and results are relative to the
// largest score so far, and shrink when a larger one comes.
template <typename Plan>
__global__ void __launch_bounds__(Plan::kThreads, 1)
    forward_kernel(const float* qkv, float* out, float* log_sum_exp, AttentionShape shape,
                   bool packed) {
  extern __shared__ __align__(16) float memory[];
  float* const queries = memory;
  float* const keys = queries + Plan::kOwnNumbers;
  float* const values = keys + Plan::kPassingNumbers;
  float* const weights = values + Plan::kPassingNumbers;

  const int T = shape.T, C = shape.C, D = shape.C / shape.H;
  const Head head(shape, static_cast<int>(blockIdx.x));
  // Queries at the end see the most keys: they go first, so that the last blocks are short ones.
  const int first = static_cast<int>(gridDim.y - 1 - blockIdx.y) * Plan::kOwn;
  const float scale = 1 / sqrtf(static_cast<float>(D));
  fill_with_zero<Plan>(memory, Plan::kOwnNumbers + 2 * Plan::kPassingNumbers);
  __syncthreads();
  copy_rows<Plan>(queries, qkv + head.in_qkv, Plan::kOwn, first, T, D, 3 * C, packed);

  float largest[Plan::kOwnRows], sum[Plan::kOwnRows];
  typename Plan::Results results = {};
#pragma unroll
  for (int r = 0; r < Plan::kOwnRows; ++r) {
    largest[r] = -CUDART_INF_F;
    sum[r] = 0.0f;
  }
  const int end = shape.causal ? min(T, first + Plan::kOwn) : T;
  for (int start = 0; start < end; start += Plan::kPassing) {
    copy_rows<Plan>(keys, qkv + head.in_qkv + C, Plan::kPassing, start, T, D, 3 * C, packed);
    copy_rows<Plan>(values, qkv + head.in_qkv + 2 * C, Plan::kPassing, start, T, D, 3 * C, packed);
    __syncthreads();
    typename Plan::Pairs pairs;
    dot_pairs<Plan>(pairs, queries, keys, D);
#pragma unroll
    for (int r = 0; r < Plan::kOwnRows; ++r) {
      const int i = first + static_cast<int>(threadIdx.y) + r * kSide;
      float largest_of_tile = -CUDART_INF_F;
#pragma unroll
      for (int c = 0; c < Plan::kPassingRows; ++c) {
        const int j = start + static_cast<int>(threadIdx.x) + c * kSide;
        // Rows behind the last query are computed too, of zeros, and not written.
        pairs[r][c] = sees(shape, min(i, T - 1), j) ? pairs[r][c] * scale : -CUDART_INF_F;
        largest_of_tile = fmaxf(largest_of_tile, pairs[r][c]);
      }
      const float before = largest[r];
      // The first tile has a key that every query sees: from there on it is a number.
      largest[r] = fmaxf(before, row_max(largest_of_tile));
      float sum_of_tile = 0.0f;
#pragma unroll
      for (int c = 0; c < Plan::kPassingRows; ++c) {
        pairs[r][c] = expf(pairs[r][c] - largest[r]);
        sum_of_tile += pairs[r][c];
      }
      const float shrink = expf(before - largest[r]);
      sum[r] = sum[r] * shrink + row_sum(sum_of_tile);
#pragma unroll
      for (int p = 0; p < Plan::kPieces; ++p) {
#pragma unroll
        for (int c = 0; c < Plan::kPiece; ++c) results[r][p][c] *= shrink;
      }
    }
    store_pairs<Plan>(weights, pairs);
    __syncthreads();
    add_weighted<Plan>(results, weights, values, end - start);
    __syncthreads();  // before the next tile comes
  }

  float factor[Plan::kOwnRows];
#pragma unroll
  for (int r = 0; r < Plan::kOwnRows; ++r) {
    factor[r] = 1 / sum[r];
    const int i = first + static_cast<int>(threadIdx.y) + r * kSide;
    if (log_sum_exp != nullptr && threadIdx.x == 0 && i < T) {
      log_sum_exp[head.in_rows + i] = largest[r] + logf(sum[r]);
    }
  }
  write_results<Plan>(out + head.in_out, results, factor, first, T, D, C, packed);
}

template <typename Plan>
void launch_forward(const float* qkv, float* out, float* log_sum_exp, const AttentionShape& shape,
                    const Launch& launch) {
  const int bytes = allow(forward_kernel<Plan>,
                          Plan::kOwnNumbers + 2 * Plan::kPassingNumbers + Plan::kWeightNumbers);
  forward_kernel<Plan><<<grid_of<Plan>(shape), dim3(kSide, kSide), bytes, launch.stream>>>(
      qkv, out, log_sum_exp, shape, packs(shape));
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void attention_forward(const float* qkv, float* out, float* log_sum_exp,
                       const AttentionShape& shape, const Launch& launch) {
  const int D = shape.head_size();
  const auto run = D <= 32    ? launch_forward<Plan<32, 64, 64>>
                   : D <= 64  ? launch_forward<Plan<64, 64, 64>>
                   : D <= 128 ? launch_forward<Plan<128, 64, 32>>
                              : launch_forward<Plan<256, 32, 16>>;
  run(qkv, out, log_sum_exp, shape, launch);
}

}  // namespace andrea::cuda
