// Attention of bf16 on tensor cores, backward; the forward pass and what the two share are in
// flash_attention_bf16.cu and flash_attention_tiles.cuh. From the lesson's kernels
// (solutions/03_attention/further.cu, exercise 03.9) by the same rungs as forward.
//
// Every gradient is a sum over the other side, so one kernel has the queries for its own and
// another one the keys: no sum leaves its block, none needs an atomic, and the order of each is
// fixed. The price is that scores and dweights are computed in both: 14 D FLOPs a pair instead
// of 10. Bytes asked for: own rows and results once, 14 N C, and 4 N C for dout . out; passing rows
// once for each tile of own rows that sees them, 4 N C (T / 128 + 1) with the 128 rows of D = 64,
// most of which the L2 cache answers.

#include "kernels/cuda/flash_attention.h"
#include "kernels/cuda/flash_attention_tiles.cuh"
#include "kernels/cuda/vector.cuh"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"

namespace andrea::cuda {
namespace {

// The least power of two that is not below kPieces.
template <int kPieces>
inline constexpr int kLanes = kPieces <= 2   ? 2
                              : kPieces <= 4 ? 4
                              : kPieces <= 8 ? 8
                                             : 16;

// dots[b, h, i] = dout[b, i, h, :] . out[b, i, h, :]. A lane reads 16 bytes of each.
template <int kHead>
__global__ void row_dots_kernel(const __nv_bfloat16* dout, const __nv_bfloat16* out, float* dots,
                                AttentionShape shape) {
  constexpr int kPieces = kHead / 8;
  constexpr int kLanesOfRow = kLanes<kPieces>;
  const int T = shape.T, H = shape.H;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t row = thread / kLanesOfRow;  // heads of rows, as they lie in out
  const int piece = static_cast<int>(thread % kLanesOfRow);
  const bool exists = row < static_cast<std::int64_t>(shape.B) * T * H;
  float sum = 0.0f;
  if (exists && piece < kPieces) {
    const auto a = load_packed(dout + row * kHead + piece * 8);
    const auto b = load_packed(out + row * kHead + piece * 8);
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += to_float(a.values[k]) * to_float(b.values[k]);
  }
#pragma unroll
  for (int step = kLanesOfRow / 2; step > 0; step /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
  }
  if (!exists || piece != 0) return;
  const std::int64_t b = row / H / T, i = row / H % T, h = row % H;
  dots[(b * H + h) * T + i] = sum;
}

// Queries and their dout are owned, keys and values pass.
template <typename Tiling>
__global__ void __launch_bounds__(kThreads, 1)
    query_gradient_kernel(const __nv_bfloat16* dout, const __nv_bfloat16* qkv,
                          const float* log_sum_exp, const float* dots, __nv_bfloat16* dqkv,
                          AttentionShape shape) {
  extern __shared__ __align__(16) unsigned char memory[];
  __nv_bfloat16* const queries = reinterpret_cast<__nv_bfloat16*>(memory);
  __nv_bfloat16* const douts = queries + Tiling::kOwnNumbers;
  __nv_bfloat16* const keys = douts + Tiling::kOwnNumbers;           // two tiles
  __nv_bfloat16* const values = keys + 2 * Tiling::kPassingNumbers;  // two tiles

  const int T = shape.T, C = shape.C, stride = 3 * C;
  const Head head(shape, static_cast<int>(blockIdx.x));
  const __nv_bfloat16* const rows = qkv + head.in_qkv;
  // Queries at the end see the most keys: they go first, so that the last blocks are short ones.
  const int first_of_block = static_cast<int>(gridDim.y - 1 - blockIdx.y) * Tiling::kOwn;
  const int first = first_of_block + warp_index() * Tiling::kWarpRows;
  const float scale = 1 / sqrtf(static_cast<float>(Tiling::kHead));

  begin_copy<Tiling, Tiling::kOwn>(queries, rows, first_of_block, T, stride);
  begin_copy<Tiling, Tiling::kOwn>(douts, dout + head.in_out, first_of_block, T, C);
  begin_copy<Tiling, Tiling::kPassing>(keys, rows + C, 0, T, stride);
  begin_copy<Tiling, Tiling::kPassing>(values, rows + 2 * C, 0, T, stride);
  tensor_core::cp_async_commit_group();

  float log_sum[Tiling::kRowTiles][2], row_dot[Tiling::kRowTiles][2];
#pragma unroll
  for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int i = min(first + r * 16 + half * 8 + lane_index() / 4, T - 1);
      log_sum[r][half] = log_sum_exp[head.in_rows + i] * kLog2OfE;
      row_dot[r][half] = dots[head.in_rows + i];
    }
  }

  const int own_rows = warp_index() * Tiling::kWarpRows * Tiling::kStride;
  OwnRows<Tiling> own_queries(queries + own_rows), own_douts(douts + own_rows);
  typename Tiling::Results results = {};
  const int end = shape.causal ? min(T, first_of_block + Tiling::kOwn) : T;
  for (int start = 0, side = 0; start < end; start += Tiling::kPassing, side ^= 1) {
    tensor_core::cp_async_wait_group<0>();
    __syncthreads();  // this tile is there for all, and nobody needs the one before
    if (start == 0) {
      own_queries.fetch();
      own_douts.fetch();
    }
    if (start + Tiling::kPassing < end) {
      const int next = start + Tiling::kPassing, there = (side ^ 1) * Tiling::kPassingNumbers;
      begin_copy<Tiling, Tiling::kPassing>(keys + there, rows + C, next, T, stride);
      begin_copy<Tiling, Tiling::kPassing>(values + there, rows + 2 * C, next, T, stride);
      tensor_core::cp_async_commit_group();
    }
    if (shape.causal && start >= first + Tiling::kWarpRows) continue;  // the warp sees none of them
    const int here = side * Tiling::kPassingNumbers;
    typename Tiling::Pairs scores, dweights;
    dot_pairs<Tiling>(scores, own_queries, keys + here);
    const int last = start + Tiling::kPassing - 1;
    if (last >= T || (shape.causal && last > first)) {
      mask<Tiling, true>(scores, first, start, shape);
    }
    dot_pairs<Tiling>(dweights, own_douts, values + here);
#pragma unroll
    for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
      for (int n = 0; n < Tiling::kPassing / 8; ++n) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const float weight =
              power_of_two(scores[r][n][e] * (scale * kLog2OfE) - log_sum[r][e / 2]);
          scores[r][n][e] = weight * (dweights[r][n][e] - row_dot[r][e / 2]);  // dscores now
        }
      }
    }
    add_weighted<Tiling>(results, scores, keys + here);
  }

  float factor[Tiling::kRowTiles][2];
#pragma unroll
  for (int r = 0; r < Tiling::kRowTiles; ++r) factor[r][0] = factor[r][1] = scale;
  write_results<Tiling>(dqkv + head.in_qkv, results, factor, queries + own_rows, first, T, stride);
}

// What the passing queries bring along, a number each.
template <typename Tiling>
struct Statistics {
  float log_sum[Tiling::kPassing];
  float row_dot[Tiling::kPassing];
};

template <typename Tiling>
__device__ inline void begin_copy_of_statistics(Statistics<Tiling>& to, const float* log_sum_exp,
                                                const float* dots, int first, int T) {
  static_assert(2 * Tiling::kPassing <= kThreads);
  const int thread = static_cast<int>(threadIdx.x), k = thread % Tiling::kPassing;
  if (thread >= 2 * Tiling::kPassing) return;
  const bool sums = thread < Tiling::kPassing;
  tensor_core::cp_async<4>(sums ? &to.log_sum[k] : &to.row_dot[k],
                           (sums ? log_sum_exp : dots) + min(first + k, T - 1));
}

// Keys and values are owned, queries and their dout pass. Rows of all products are keys: what is
// computed are the scores' transposes.
template <typename Tiling>
__global__ void __launch_bounds__(kThreads, 1)
    key_and_value_gradient_kernel(const __nv_bfloat16* dout, const __nv_bfloat16* qkv,
                                  const float* log_sum_exp, const float* dots, __nv_bfloat16* dqkv,
                                  AttentionShape shape) {
  extern __shared__ __align__(16) unsigned char memory[];
  __nv_bfloat16* const keys = reinterpret_cast<__nv_bfloat16*>(memory);
  __nv_bfloat16* const values = keys + Tiling::kOwnNumbers;
  __nv_bfloat16* const queries = values + Tiling::kOwnNumbers;         // two tiles
  __nv_bfloat16* const douts = queries + 2 * Tiling::kPassingNumbers;  // two tiles
  Statistics<Tiling>* const statistics =
      reinterpret_cast<Statistics<Tiling>*>(douts + 2 * Tiling::kPassingNumbers);  // of two tiles

  const int T = shape.T, C = shape.C, stride = 3 * C;
  const Head head(shape, static_cast<int>(blockIdx.x));
  const __nv_bfloat16* const rows = qkv + head.in_qkv;
  const __nv_bfloat16* const dout_rows = dout + head.in_out;
  const float* const log_sums = log_sum_exp + head.in_rows;
  const float* const row_dots = dots + head.in_rows;
  const int first_of_block = static_cast<int>(blockIdx.y) * Tiling::kOwn;
  const int first = first_of_block + warp_index() * Tiling::kWarpRows;
  const float scale = 1 / sqrtf(static_cast<float>(Tiling::kHead));
  const int begin = shape.causal ? first_of_block / Tiling::kPassing * Tiling::kPassing : 0;

  begin_copy<Tiling, Tiling::kOwn>(keys, rows + C, first_of_block, T, stride);
  begin_copy<Tiling, Tiling::kOwn>(values, rows + 2 * C, first_of_block, T, stride);
  begin_copy<Tiling, Tiling::kPassing>(queries, rows, begin, T, stride);
  begin_copy<Tiling, Tiling::kPassing>(douts, dout_rows, begin, T, C);
  begin_copy_of_statistics<Tiling>(statistics[0], log_sums, row_dots, begin, T);
  tensor_core::cp_async_commit_group();

  const int own_rows = warp_index() * Tiling::kWarpRows * Tiling::kStride;
  OwnRows<Tiling> own_keys(keys + own_rows), own_values(values + own_rows);
  typename Tiling::Results dkeys = {}, dvalues = {};
  for (int start = begin, side = 0; start < T; start += Tiling::kPassing, side ^= 1) {
    tensor_core::cp_async_wait_group<0>();
    __syncthreads();  // this tile is there for all, and nobody needs the one before
    if (start == begin) {
      own_keys.fetch();
      own_values.fetch();
    }
    if (start + Tiling::kPassing < T) {
      const int next = start + Tiling::kPassing, there = (side ^ 1) * Tiling::kPassingNumbers;
      begin_copy<Tiling, Tiling::kPassing>(queries + there, rows, next, T, stride);
      begin_copy<Tiling, Tiling::kPassing>(douts + there, dout_rows, next, T, C);
      begin_copy_of_statistics<Tiling>(statistics[side ^ 1], log_sums, row_dots, next, T);
      tensor_core::cp_async_commit_group();
    }
    if (shape.causal && start + Tiling::kPassing <= first)
      continue;  // none of them sees the warp's
    const int here = side * Tiling::kPassingNumbers;
    typename Tiling::Pairs pairs;
    dot_pairs<Tiling>(pairs, own_keys, queries + here);
    if (start + Tiling::kPassing > T || (shape.causal && start < first + Tiling::kWarpRows)) {
      mask<Tiling, false>(pairs, first, start, shape);
    }
#pragma unroll
    for (int n = 0; n < Tiling::kPassing / 8; ++n) {
      const int column = n * 8 + lane_index() % 4 * 2;
      const float2 two = *reinterpret_cast<const float2*>(&statistics[side].log_sum[column]);
      const float log_sum[2] = {two.x * kLog2OfE, two.y * kLog2OfE};
#pragma unroll
      for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          pairs[r][n][e] = power_of_two(pairs[r][n][e] * (scale * kLog2OfE) - log_sum[e % 2]);
        }
      }
    }
    // Kept as they were rounded for dvalues, weights leave registers to the sums.
    typename Tiling::RoundedPairs weights;
    round_pairs<Tiling>(weights, pairs);
    add_weighted<Tiling>(dvalues, weights, douts + here);
    dot_pairs<Tiling>(pairs, own_values, douts + here);
#pragma unroll
    for (int n = 0; n < Tiling::kPassing / 8; ++n) {
      const int column = n * 8 + lane_index() % 4 * 2;
      const float2 two = *reinterpret_cast<const float2*>(&statistics[side].row_dot[column]);
      const float row_dot[2] = {two.x, two.y};
#pragma unroll
      for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          pairs[r][n][e] = unpack(weights[r][n][e / 2], e % 2) * (pairs[r][n][e] - row_dot[e % 2]);
        }
      }
    }
    add_weighted<Tiling>(dkeys, pairs, queries + here);
  }

  float factor[Tiling::kRowTiles][2], one[Tiling::kRowTiles][2];
#pragma unroll
  for (int r = 0; r < Tiling::kRowTiles; ++r) {
    factor[r][0] = factor[r][1] = scale;
    one[r][0] = one[r][1] = 1.0f;
  }
  __nv_bfloat16* const drows = dqkv + head.in_qkv;
  write_results<Tiling>(drows + C, dkeys, factor, keys + own_rows, first, T, stride);
  write_results<Tiling>(drows + 2 * C, dvalues, one, values + own_rows, first, T, stride);
}

// ---- The launches.

// Of two own and four passing tiles.
template <typename Tiling>
constexpr int bytes_of_tiles() {
  return (2 * Tiling::kOwnNumbers + 4 * Tiling::kPassingNumbers) *
         static_cast<int>(sizeof(__nv_bfloat16));
}

template <typename Tiling>
dim3 grid_of(const AttentionShape& shape) {
  return dim3(static_cast<unsigned>(shape.B * shape.H),
              static_cast<unsigned>(blocks_for(shape.T, Tiling::kOwn)));
}

template <typename OfQueries, typename OfKeys>
void launch_backward(const __nv_bfloat16* dout, const __nv_bfloat16* qkv, const __nv_bfloat16* out,
                     const float* log_sum_exp, __nv_bfloat16* dqkv, const AttentionShape& shape,
                     const Launch& launch) {
  constexpr int kHead = OfQueries::kHead;
  float* const dots = static_cast<float*>(launch.scratch);  // [B, H, T]
  const int heads_of_rows = shape.B * shape.T * shape.H;
  row_dots_kernel<kHead>
      <<<blocks_for(heads_of_rows, kThreads / kLanes<kHead / 8>), kThreads, 0, launch.stream>>>(
          dout, out, dots, shape);
  CUDA_CHECK(cudaGetLastError());

  constexpr int kQueryBytes = bytes_of_tiles<OfQueries>();
  CUDA_CHECK(cudaFuncSetAttribute(query_gradient_kernel<OfQueries>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, kQueryBytes));
  query_gradient_kernel<OfQueries>
      <<<grid_of<OfQueries>(shape), kThreads, kQueryBytes, launch.stream>>>(dout, qkv, log_sum_exp,
                                                                            dots, dqkv, shape);
  CUDA_CHECK(cudaGetLastError());

  constexpr int kKeyBytes =
      bytes_of_tiles<OfKeys>() + 2 * static_cast<int>(sizeof(Statistics<OfKeys>));
  CUDA_CHECK(cudaFuncSetAttribute(key_and_value_gradient_kernel<OfKeys>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, kKeyBytes));
  key_and_value_gradient_kernel<OfKeys>
      <<<grid_of<OfKeys>(shape), kThreads, kKeyBytes, launch.stream>>>(dout, qkv, log_sum_exp, dots,
                                                                       dqkv, shape);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void attention_backward(const __nv_bfloat16* dout, const __nv_bfloat16* qkv,
                        const __nv_bfloat16* out, const float* log_sum_exp, __nv_bfloat16* dqkv,
                        const AttentionShape& shape, const Launch& launch) {
  const auto run = [&] {
    switch (shape.head_size()) {
      case 16:
        return launch_backward<Tiling<16, 1, 64, true>, Tiling<16, 1, 64, true>>;
      case 32:
        return launch_backward<Tiling<32, 1, 64, true>, Tiling<32, 1, 64, true>>;
      case 48:
        return launch_backward<Tiling<48, 1, 64, true>, Tiling<48, 1, 64, true>>;
      case 64:
        return launch_backward<Tiling<64, 2, 32, true>, Tiling<64, 2, 32, false>>;
      case 80:
        return launch_backward<Tiling<80, 1, 64, true>, Tiling<80, 1, 32, true>>;
      case 96:
        return launch_backward<Tiling<96, 1, 32, true>, Tiling<96, 1, 32, true>>;
      default:
        return launch_backward<Tiling<128, 1, 32, true>, Tiling<128, 1, 32, false>>;
    }
  }();
  run(dout, qkv, out, log_sum_exp, dqkv, shape, launch);
}

}  // namespace andrea::cuda
