// File: flash_attention_gradients.cuh
//
// The parts of the bf16 attention's backward pass: from scores and dweights of a tile, which tensor
// cores left in registers, to the sums that are the gradients. A block owns keys, and queries pass;
// rows and letters are those of flash_attention_tiles.cuh.

#ifndef ANDREA_KERNELS_CUDA_FLASH_ATTENTION_GRADIENTS_CUH_
#define ANDREA_KERNELS_CUDA_FLASH_ATTENTION_GRADIENTS_CUH_

#include "kernels/cuda/flash_attention_tiles.cuh"

namespace andrea::cuda {

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

// Numbers from row to row of a tile of dscores, own rows by passing rows. In pieces of 16 bytes it
// is odd, as Tiling::kStride.
template <typename Tiling>
inline constexpr int kPairStride = Tiling::kPassing + 8;

// The weights of scores, rounded as they are used.
template <typename Tiling>
__device__ inline void scores_to_weights(typename Tiling::RoundedPairs& weights,
                                         typename Tiling::Pairs& scores,
                                         const Statistics<Tiling>& statistics, float scale) {
#pragma unroll
  for (int n = 0; n < Tiling::kPassing / 8; ++n) {
    const int column = n * 8 + lane_index() % 4 * 2;
    const float2 two = *reinterpret_cast<const float2*>(&statistics.log_sum[column]);
    const float log_sum[2] = {two.x * kLog2OfE, two.y * kLog2OfE};
#pragma unroll
    for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        scores[r][n][e] = power_of_two(scores[r][n][e] * (scale * kLog2OfE) - log_sum[e % 2]);
      }
    }
  }
  round_pairs<Tiling>(weights, scores);
}

// The gradients of scores, without their scale, from those of their weights.
template <typename Tiling>
__device__ inline void dweights_to_dscores(typename Tiling::RoundedPairs& dscores,
                                           typename Tiling::Pairs& dweights,
                                           const typename Tiling::RoundedPairs& weights,
                                           const Statistics<Tiling>& statistics) {
#pragma unroll
  for (int n = 0; n < Tiling::kPassing / 8; ++n) {
    const int column = n * 8 + lane_index() % 4 * 2;
    const float2 two = *reinterpret_cast<const float2*>(&statistics.row_dot[column]);
    const float row_dot[2] = {two.x, two.y};
#pragma unroll
    for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        dweights[r][n][e] =
            unpack(weights[r][n][e / 2], e % 2) * (dweights[r][n][e] - row_dot[e % 2]);
      }
    }
  }
  round_pairs<Tiling>(dscores, dweights);
}

// The warp's own rows of dscores, for all warps to read.
template <typename Tiling>
__device__ inline void store_dscores(__nv_bfloat16* rows,
                                     const typename Tiling::RoundedPairs& dscores) {
  const int group = lane_index() / 4, pair = lane_index() % 4;
#pragma unroll
  for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      __nv_bfloat16* const row = rows + (r * 16 + half * 8 + group) * kPairStride<Tiling>;
#pragma unroll
      for (int n = 0; n < Tiling::kPassing / 8; ++n) {
        *reinterpret_cast<unsigned*>(row + n * 8 + pair * 2) = dscores[r][n][half];
      }
    }
  }
}

// sums, of the queries from row `start` on, += dscores times the block's keys. The warps share the
// queries, 16 each, and where there are fewer of these than warps also the columns. A thread comes
// to the same numbers for each tile of keys, so none of them is added to by two, and the order of
// additions is the program's; the atomic is one without an answer, for which nobody waits.
// `is_first`: there is nothing yet to add to.
template <typename Tiling>
__device__ inline void add_query_gradients(float* sums, const __nv_bfloat16* dscores,
                                           const __nv_bfloat16* keys, int start, int T,
                                           bool is_first) {
  constexpr int kQueryTiles = Tiling::kPassing / 16, kColumnTiles = Tiling::kHead / 16;
  constexpr int kSharers = kWarps / kQueryTiles;  // warps with the same queries
  constexpr int kOfWarp = (kColumnTiles + kSharers - 1) / kSharers;
  static_assert(kQueryTiles * kSharers == kWarps);
  const int lane = lane_index();
  const int query_tile = warp_index() % kQueryTiles, first_column = warp_index() / kQueryTiles;
  dscores += (lane % 8 + lane / 16 * 8) * kPairStride<Tiling> + query_tile * 16 + lane / 8 % 2 * 8;
  keys += lane % 16 * Tiling::kStride + lane / 16 * 8;
  float results[kOfWarp][2][4] = {};
#pragma unroll
  for (int k = 0; k < Tiling::kOwn / 16; ++k) {
    unsigned a[4];
    tensor_core::ldmatrix_x4_transposed(a, dscores + k * 16 * kPairStride<Tiling>);
#pragma unroll
    for (int n = 0; n < kOfWarp; ++n) {
      const int column = first_column + n * kSharers;
      if (kColumnTiles % kSharers != 0 && column >= kColumnTiles) break;
      unsigned b[4];
      tensor_core::ldmatrix_x4_transposed(b, keys + k * 16 * Tiling::kStride + column * 16);
      multiply(results[n][0], results[n][1], a, b);
    }
  }
  const int group = lane / 4, pair = lane % 4;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int i = start + query_tile * 16 + half * 8 + group;
    if (i >= T) continue;
    float* const row = sums + static_cast<std::int64_t>(i) * Tiling::kHead + pair * 2;
#pragma unroll
    for (int n = 0; n < kOfWarp; ++n) {
      const int column = first_column + n * kSharers;
      if (kColumnTiles % kSharers != 0 && column >= kColumnTiles) break;
#pragma unroll
      for (int side = 0; side < 2; ++side) {
        float* const at = row + column * 16 + side * 8;
        const float first = results[n][side][2 * half], second = results[n][side][2 * half + 1];
        if (is_first) {
          *reinterpret_cast<float2*>(at) = make_float2(first, second);
        } else {
          atomicAdd(at, first);
          atomicAdd(at + 1, second);
        }
      }
    }
  }
}

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_FLASH_ATTENTION_GRADIENTS_CUH_
