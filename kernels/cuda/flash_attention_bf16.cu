// Attention of bf16 on tensor cores, forward. From the lesson's kernel
// (solutions/03_attention/further.cu, exercise 03.8):
//
//   lesson 03.8     a warp a query, a lane a key: 2 FLOPs an instruction of a thread
//   tensor cores    a warp 32 queries: 4096 FLOPs an instruction of a warp, 128 of a thread
//   registers       scores and weights stay where the tensor core left them
//   double buffer   the next keys and values come (cp.async) while these are multiplied
//   masks           tiles above the diagonal are not computed, those below it not masked
//
// N = B T rows, D = C / H. Products: 4 D FLOPs for each of T (T + 1) / 2 pairs a head. Bytes:
// queries, out and log_sum_exp once, 4 N C + 4 N H; keys and values once for each tile of 128
// queries that sees them, 4 N C (T / 128 + 1) / 2, which the L2 cache answers but for the first
// time. T x T numbers are nowhere.

#include <math_constants.h>

#include "kernels/cuda/flash_attention.h"
#include "kernels/cuda/flash_attention_tiles.cuh"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"

namespace andrea::cuda {
namespace {

// Over the four lanes that share a row of a fragment.
__device__ inline float row_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}

__device__ inline float row_sum(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

// The softmax of a row while its tiles come: results and sum are relative to the largest score so
// far, and shrink when a larger one comes.
template <typename Tiling>
struct RunningSoftmax {
  float largest[Tiling::kRowTiles][2];
  float sum[Tiling::kRowTiles][2];  // this lane's part

  __device__ RunningSoftmax() {
#pragma unroll
    for (int r = 0; r < Tiling::kRowTiles; ++r) {
      largest[r][0] = largest[r][1] = -CUDART_INF_F;
      sum[r][0] = sum[r][1] = 0.0f;
    }
  }

  // Scores become weights. `scale` is that of the scores, times log2(e). Every row sees a key of
  // the first tile, so that `largest` is a number from then on.
  __device__ void take(typename Tiling::Pairs& scores, typename Tiling::Results& results,
                       float scale) {
#pragma unroll
    for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float of_tile = -CUDART_INF_F;
#pragma unroll
        for (int n = 0; n < Tiling::kPassing / 8; ++n) {
          of_tile = fmaxf(of_tile, fmaxf(scores[r][n][2 * half], scores[r][n][2 * half + 1]));
        }
        const float before = largest[r][half] * scale;
        largest[r][half] = fmaxf(largest[r][half], row_max(of_tile));
        const float shift = largest[r][half] * scale;
        const float shrink = power_of_two(before - shift);
        sum[r][half] *= shrink;
#pragma unroll
        for (int n = 0; n < Tiling::kPassing / 8; ++n) {
#pragma unroll
          for (int e = 2 * half; e < 2 * half + 2; ++e) {
            scores[r][n][e] = power_of_two(scores[r][n][e] * scale - shift);
            sum[r][half] += scores[r][n][e];
          }
        }
#pragma unroll
        for (int n = 0; n < Tiling::kHead / 8; ++n) {
          results[r][n][2 * half] *= shrink;
          results[r][n][2 * half + 1] *= shrink;
        }
      }
    }
  }
};

template <typename Tiling>
__global__ void __launch_bounds__(kThreads, 1)
    forward_kernel(const __nv_bfloat16* qkv, __nv_bfloat16* out, float* log_sum_exp,
                   AttentionShape shape) {
  extern __shared__ __align__(16) __nv_bfloat16 memory[];
  __nv_bfloat16* const queries = memory;
  __nv_bfloat16* const keys = queries + Tiling::kOwnNumbers;         // two tiles
  __nv_bfloat16* const values = keys + 2 * Tiling::kPassingNumbers;  // two tiles

  const int T = shape.T, C = shape.C, stride = 3 * C;
  const Head head(shape, static_cast<int>(blockIdx.x));
  const __nv_bfloat16* const rows = qkv + head.in_qkv;
  // Queries at the end see the most keys: they go first, so that the last blocks are short ones.
  const int first_of_block = static_cast<int>(gridDim.y - 1 - blockIdx.y) * Tiling::kOwn;
  const int first = first_of_block + warp_index() * Tiling::kWarpRows;
  const float scale = 1 / sqrtf(static_cast<float>(Tiling::kHead));

  begin_copy<Tiling, Tiling::kOwn>(queries, rows, first_of_block, T, stride);
  begin_copy<Tiling, Tiling::kPassing>(keys, rows + C, 0, T, stride);
  begin_copy<Tiling, Tiling::kPassing>(values, rows + 2 * C, 0, T, stride);
  tensor_core::cp_async_commit_group();

  __nv_bfloat16* const own_rows = queries + warp_index() * Tiling::kWarpRows * Tiling::kStride;
  OwnRows<Tiling> own(own_rows);
  RunningSoftmax<Tiling> softmax;
  typename Tiling::Results results = {};
  const int end = shape.causal ? min(T, first_of_block + Tiling::kOwn) : T;
  for (int start = 0, side = 0; start < end; start += Tiling::kPassing, side ^= 1) {
    tensor_core::cp_async_wait_group<0>();
    __syncthreads();  // this tile is there for all, and nobody needs the one before
    if (start == 0) own.fetch();
    if (start + Tiling::kPassing < end) {
      const int next = start + Tiling::kPassing, there = (side ^ 1) * Tiling::kPassingNumbers;
      begin_copy<Tiling, Tiling::kPassing>(keys + there, rows + C, next, T, stride);
      begin_copy<Tiling, Tiling::kPassing>(values + there, rows + 2 * C, next, T, stride);
      tensor_core::cp_async_commit_group();
    }
    if (shape.causal && start >= first + Tiling::kWarpRows) continue;  // the warp sees none of them
    typename Tiling::Pairs scores;
    dot_pairs<Tiling>(scores, own, keys + side * Tiling::kPassingNumbers);
    const int last = start + Tiling::kPassing - 1;
    if (last >= T || (shape.causal && last > first))
      mask<Tiling, true>(scores, first, start, shape);
    softmax.take(scores, results, scale * kLog2OfE);
    add_weighted<Tiling>(results, scores, values + side * Tiling::kPassingNumbers);
  }

  float factor[Tiling::kRowTiles][2];
#pragma unroll
  for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float sum = row_sum(softmax.sum[r][half]);
      factor[r][half] = 1 / sum;
      const int i = first + r * 16 + half * 8 + lane_index() / 4;
      if (log_sum_exp != nullptr && lane_index() % 4 == 0 && i < T) {
        log_sum_exp[head.in_rows + i] = softmax.largest[r][half] * scale + logf(sum);
      }
    }
  }
  write_results<Tiling>(out + head.in_out, results, factor, own_rows, first, T, C);
}

// ---- The launches.

template <typename Tiling>
void launch_forward(const __nv_bfloat16* qkv, __nv_bfloat16* out, float* log_sum_exp,
                    const AttentionShape& shape, const Launch& launch) {
  constexpr int kBytes =
      (Tiling::kOwnNumbers + 4 * Tiling::kPassingNumbers) * static_cast<int>(sizeof(__nv_bfloat16));
  CUDA_CHECK(cudaFuncSetAttribute(forward_kernel<Tiling>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const dim3 grid(static_cast<unsigned>(shape.B * shape.H),
                  static_cast<unsigned>(blocks_for(shape.T, Tiling::kOwn)));
  forward_kernel<Tiling><<<grid, kThreads, kBytes, launch.stream>>>(qkv, out, log_sum_exp, shape);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void attention_forward(const __nv_bfloat16* qkv, __nv_bfloat16* out, float* log_sum_exp,
                       const AttentionShape& shape, const Launch& launch) {
  const auto run = [&] {
    switch (shape.head_size()) {
      case 16:
        return launch_forward<Tiling<16, 2, 64, true>>;
      case 32:
        return launch_forward<Tiling<32, 2, 64, true>>;
      case 48:
        return launch_forward<Tiling<48, 2, 64, true>>;
      case 64:
        return launch_forward<Tiling<64, 2, 64, true>>;
      case 80:
        return launch_forward<Tiling<80, 2, 32, true>>;
      case 96:
        return launch_forward<Tiling<96, 2, 32, true>>;
      default:
        return launch_forward<Tiling<128, 2, 32, false>>;
    }
  }();
  run(qkv, out, log_sum_exp, shape, launch);
}

}  // namespace andrea::cuda
