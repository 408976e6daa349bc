// Attention of floats on CUDA cores, backward; the forward pass and what the two share are in
// flash_attention_float.cu and flash_attention_float_tiles.cuh. From the lesson's kernels
// (solutions/03_attention/further.cu, exercise 03.9) by the same rungs as forward.
//
// As in bf16 one kernel owns the queries and another one the keys, so that no sum needs an atomic:
// 14 D FLOPs a pair, of which 4 compute scores and dweights a second time. Bytes, with tiles of Q
// rows: own rows and results once, 28 N C, and 8 N C for dout . out; passing rows once for each
// tile of own rows that sees them, 8 N C (T / Q + 1), most of which the L2 cache answers.

#include <cstdint>

#include "kernels/cuda/attention_head.cuh"
#include "kernels/cuda/flash_attention.h"
#include "kernels/cuda/flash_attention_float_tiles.cuh"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"

namespace andrea::cuda {
namespace {

// dots[b, h, i] = dout[b, i, h, :] . out[b, i, h, :], by half a warp each.
__global__ void row_dots_kernel(const float* dout, const float* out, float* dots,
                                AttentionShape shape) {
  const int T = shape.T, H = shape.H, D = shape.C / shape.H;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kSide + threadIdx.y;
  float sum = 0.0f;
  const bool exists = row < static_cast<std::int64_t>(shape.B) * T * H;
  if (exists) {  // row counts heads of rows of out: they lie in memory in this order
    for (int d = static_cast<int>(threadIdx.x); d < D; d += kSide) {
      sum += dout[row * D + d] * out[row * D + d];
    }
  }
  sum = row_sum(sum);
  if (!exists || threadIdx.x != 0) return;
  const std::int64_t b = row / H / T, i = row / H % T, h = row % H;
  dots[(b * H + h) * T + i] = sum;
}

// Weights and dscores of all pairs once more, from dots of rows. `weights` may be null.
template <typename Plan, bool kOwnIsQuery>
__device__ inline void weigh(const typename Plan::Pairs& scores,
                             const typename Plan::Pairs& dweights, const float* log_sum_exp,
                             const float* row_dots, float* weights, float* dscores, int first,
                             int start, const AttentionShape& shape) {
  const float scale = 1 / sqrtf(static_cast<float>(shape.C / shape.H));
  typename Plan::Pairs weight, dscore;
#pragma unroll
  for (int r = 0; r < Plan::kOwnRows; ++r) {
#pragma unroll
    for (int c = 0; c < Plan::kPassingRows; ++c) {
      const int own = first + static_cast<int>(threadIdx.y) + r * kSide;
      const int passing = start + static_cast<int>(threadIdx.x) + c * kSide;
      const int i = kOwnIsQuery ? own : passing;
      const bool seen = sees(shape, i, kOwnIsQuery ? passing : own);
      weight[r][c] = seen ? expf(scores[r][c] * scale - log_sum_exp[i]) : 0.0f;
      dscore[r][c] = seen ? weight[r][c] * (dweights[r][c] - row_dots[i]) : 0.0f;
    }
  }
  if constexpr (!kOwnIsQuery) store_pairs<Plan>(weights, weight);
  store_pairs<Plan>(dscores, dscore);
}

// Queries and their dout are owned, keys and values pass.
template <typename Plan>
__global__ void __launch_bounds__(Plan::kThreads, 1)
    query_gradient_kernel(const float* dout, const float* qkv, const float* log_sum_exp,
                          const float* dots, float* dqkv, AttentionShape shape, bool packed) {
  extern __shared__ __align__(16) float memory[];
  float* const queries = memory;
  float* const douts = queries + Plan::kOwnNumbers;
  float* const keys = douts + Plan::kOwnNumbers;
  float* const values = keys + Plan::kPassingNumbers;
  float* const dscores = values + Plan::kPassingNumbers;

  const int T = shape.T, C = shape.C, D = shape.C / shape.H;
  const Head head(shape, static_cast<int>(blockIdx.x));
  const int first = static_cast<int>(gridDim.y - 1 - blockIdx.y) * Plan::kOwn;
  fill_with_zero<Plan>(memory, 2 * Plan::kOwnNumbers + 2 * Plan::kPassingNumbers);
  __syncthreads();
  copy_rows<Plan>(queries, qkv + head.in_qkv, Plan::kOwn, first, T, D, 3 * C, packed);
  copy_rows<Plan>(douts, dout + head.in_out, Plan::kOwn, first, T, D, C, packed);

  typename Plan::Results results = {};
  const int end = shape.causal ? min(T, first + Plan::kOwn) : T;
  for (int start = 0; start < end; start += Plan::kPassing) {
    copy_rows<Plan>(keys, qkv + head.in_qkv + C, Plan::kPassing, start, T, D, 3 * C, packed);
    copy_rows<Plan>(values, qkv + head.in_qkv + 2 * C, Plan::kPassing, start, T, D, 3 * C, packed);
    __syncthreads();
    typename Plan::Pairs scores, dweights;
    dot_pairs<Plan>(scores, queries, keys, D);
    dot_pairs<Plan>(dweights, douts, values, D);
    weigh<Plan, true>(scores, dweights, log_sum_exp + head.in_rows, dots + head.in_rows, nullptr,
                      dscores, first, start, shape);
    __syncthreads();
    add_weighted<Plan>(results, dscores, keys, end - start);
    __syncthreads();
  }

  float factor[Plan::kOwnRows];
#pragma unroll
  for (int r = 0; r < Plan::kOwnRows; ++r) factor[r] = 1 / sqrtf(static_cast<float>(D));
  write_results<Plan>(dqkv + head.in_qkv, results, factor, first, T, D, 3 * C, packed);
}

// Keys and values are owned, queries and their dout pass.
template <typename Plan>
__global__ void __launch_bounds__(Plan::kThreads, 1)
    key_and_value_gradient_kernel(const float* dout, const float* qkv, const float* log_sum_exp,
                                  const float* dots, float* dqkv, AttentionShape shape,
                                  bool packed) {
  extern __shared__ __align__(16) float memory[];
  float* const keys = memory;
  float* const values = keys + Plan::kOwnNumbers;
  float* const queries = values + Plan::kOwnNumbers;
  float* const douts = queries + Plan::kPassingNumbers;
  float* const weights = douts + Plan::kPassingNumbers;
  float* const dscores = weights + Plan::kWeightNumbers;

  const int T = shape.T, C = shape.C, D = shape.C / shape.H;
  const Head head(shape, static_cast<int>(blockIdx.x));
  const int first = static_cast<int>(blockIdx.y) * Plan::kOwn;
  fill_with_zero<Plan>(memory, 2 * Plan::kOwnNumbers + 2 * Plan::kPassingNumbers);
  __syncthreads();
  copy_rows<Plan>(keys, qkv + head.in_qkv + C, Plan::kOwn, first, T, D, 3 * C, packed);
  copy_rows<Plan>(values, qkv + head.in_qkv + 2 * C, Plan::kOwn, first, T, D, 3 * C, packed);

  typename Plan::Results dkeys = {}, dvalues = {};
  const int begin = shape.causal ? first / Plan::kPassing * Plan::kPassing : 0;
  for (int start = begin; start < T; start += Plan::kPassing) {
    copy_rows<Plan>(queries, qkv + head.in_qkv, Plan::kPassing, start, T, D, 3 * C, packed);
    copy_rows<Plan>(douts, dout + head.in_out, Plan::kPassing, start, T, D, C, packed);
    __syncthreads();
    typename Plan::Pairs scores, dweights;
    dot_pairs<Plan>(scores, keys, queries, D);
    dot_pairs<Plan>(dweights, values, douts, D);
    weigh<Plan, false>(scores, dweights, log_sum_exp + head.in_rows, dots + head.in_rows, weights,
                       dscores, first, start, shape);
    __syncthreads();
    add_weighted<Plan>(dvalues, weights, douts, T - start);
    add_weighted<Plan>(dkeys, dscores, queries, T - start);
    __syncthreads();
  }

  float scale[Plan::kOwnRows], one[Plan::kOwnRows];
#pragma unroll
  for (int r = 0; r < Plan::kOwnRows; ++r) {
    scale[r] = 1 / sqrtf(static_cast<float>(D));
    one[r] = 1.0f;
  }
  write_results<Plan>(dqkv + head.in_qkv + C, dkeys, scale, first, T, D, 3 * C, packed);
  write_results<Plan>(dqkv + head.in_qkv + 2 * C, dvalues, one, first, T, D, 3 * C, packed);
}

template <typename Plan>
void launch_backward(const float* dout, const float* qkv, const float* out,
                     const float* log_sum_exp, float* dqkv, const AttentionShape& shape,
                     const Launch& launch) {
  constexpr int kNumbers = 2 * Plan::kOwnNumbers + 2 * Plan::kPassingNumbers;
  float* const dots = static_cast<float*>(launch.scratch);
  const dim3 block(kSide, kSide);
  row_dots_kernel<<<blocks_for(shape.B * shape.T * shape.H, kSide), block, 0, launch.stream>>>(
      dout, out, dots, shape);
  CUDA_CHECK(cudaGetLastError());

  const int query_bytes = allow(query_gradient_kernel<Plan>, kNumbers + Plan::kWeightNumbers);
  query_gradient_kernel<Plan><<<grid_of<Plan>(shape), block, query_bytes, launch.stream>>>(
      dout, qkv, log_sum_exp, dots, dqkv, shape, packs(shape));
  CUDA_CHECK(cudaGetLastError());

  const int key_bytes =
      allow(key_and_value_gradient_kernel<Plan>, kNumbers + 2 * Plan::kWeightNumbers);
  key_and_value_gradient_kernel<Plan><<<grid_of<Plan>(shape), block, key_bytes, launch.stream>>>(
      dout, qkv, log_sum_exp, dots, dqkv, shape, packs(shape));
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void attention_backward(const float* dout, const float* qkv, const float* out,
                        const float* log_sum_exp, float* dqkv, const AttentionShape& shape,
                        const Launch& launch) {
  const int D = shape.head_size();
  const auto run = D <= 32    ? launch_backward<Plan<32, 64, 64>>
                   : D <= 64  ? launch_backward<Plan<64, 64, 32>>
                   : D <= 128 ? launch_backward<Plan<128, 32, 32>>
                              : launch_backward<Plan<256, 16, 16>>;
  run(dout, qkv, out, log_sum_exp, dqkv, shape, launch);
}

}  // namespace andrea::cuda
