// File: flash_attention_tiles.cuh
//
// What the bf16 attention kernels are made of: tiles of rows in shared memory, and the two products
// of attention on tensor cores. Letters of the fragments are those of tensor_core.h: group = lane /
// 4, pair = lane % 4.
//
// A block owns some rows, queries or keys, and the rows of the other side pass by, a tile at a
// time. Scores of the own rows with a tile come out of the first product just as the second one
// takes them, if the own rows are the rows of both: nothing of them goes through shared memory.

#ifndef ANDREA_KERNELS_CUDA_FLASH_ATTENTION_TILES_CUH_
#define ANDREA_KERNELS_CUDA_FLASH_ATTENTION_TILES_CUH_

#include <cuda_bf16.h>
#include <math_constants.h>
#include <tensor_core.h>

#include <cstdint>
#include <cstring>

#include "kernels/attention.h"
#include "kernels/cuda/attention_head.cuh"

namespace andrea::cuda {

inline constexpr float kLog2OfE = 1.44269504f;

inline constexpr int kWarps = 4;
inline constexpr int kThreads = kWarps * 32;

// A warp owns kRowTilesOfWarp times 16 rows: what it reads of a passing tile serves that many
// products. kKeepsOwn: it keeps its own rows in registers, instead of reading them again for each
// tile.
template <int kHeadSize, int kRowTilesOfWarp, int kPassingOfTile, bool kKeepsOwn>
struct Tiling {
  static constexpr int kHead = kHeadSize;  // numbers of a head, a multiple of 16
  static constexpr int kRowTiles = kRowTilesOfWarp;
  static constexpr int kPassing = kPassingOfTile;  // rows of a tile, a multiple of 16
  static constexpr bool kKeeps = kKeepsOwn;

  static constexpr int kWarpRows = kRowTiles * 16;
  static constexpr int kOwn = kWarps * kWarpRows;

  // Numbers from row to row in shared memory. In pieces of 16 bytes it is odd, so that a piece of
  // each of 8 rows, which is what ldmatrix reads at once, touches every bank once.
  static constexpr int kStride = kHead + 8;
  static constexpr int kOwnNumbers = kOwn * kStride;
  static constexpr int kPassingNumbers = kPassing * kStride;

  // Own rows by passing rows, and own rows by the numbers of a head: as tensor_core.h has c.
  using Pairs = float[kRowTiles][kPassing / 8][4];
  using RoundedPairs = unsigned[kRowTiles][kPassing / 8][2];  // two bf16 each
  using Results = float[kRowTiles][kHead / 8][4];
};

__device__ inline int lane_index() { return static_cast<int>(threadIdx.x) % 32; }
__device__ inline int warp_index() { return static_cast<int>(threadIdx.x) / 32; }

// 2 to the x, within 2 units in the last place; what is below 2^-126 is zero. exp2f takes three
// more instructions for that.
__device__ inline float power_of_two(float x) {
#ifdef __NVCC__
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return exp2f(x);
#endif
}

// Two floats as one register of two bf16, the first in the lower half.
__device__ inline unsigned pack(float first, float second) {
  const __nv_bfloat162 two = __floats2bfloat162_rn(first, second);
  unsigned bits;
  memcpy(&bits, &two, sizeof(bits));
  return bits;
}

// The first (0) or the second (1) of them.
__device__ inline float unpack(unsigned two, int which) {
  return __uint_as_float(which == 0 ? two << 16 : two & 0xffff0000u);
}

// All threads begin to copy kRows rows from row `first` on. For rows behind the last one it is
// copied again: finite numbers, which whoever uses the tile leaves out.
template <typename Tiling, int kRows>
__device__ inline void begin_copy(__nv_bfloat16* to, const __nv_bfloat16* from, int first, int T,
                                  int stride) {
  constexpr int kPieces = Tiling::kHead / 8;
#pragma unroll
  for (int begin = 0; begin < kRows * kPieces; begin += kThreads) {
    const int k = begin + static_cast<int>(threadIdx.x);
    if (kRows * kPieces % kThreads != 0 && k >= kRows * kPieces) break;
    const int row = k / kPieces, column = k % kPieces * 8;
    tensor_core::cp_async<16>(
        to + row * Tiling::kStride + column,
        from + static_cast<std::int64_t>(min(first + row, T - 1)) * stride + column);
  }
}

// A warp's own rows, as the left factor of the first product.
template <typename Tiling>
class OwnRows {
 public:
  // `rows`: the warp's first.
  __device__ explicit OwnRows(const __nv_bfloat16* rows) : rows_(rows) {}

  // When they are there.
  __device__ void fetch() {
    if constexpr (Tiling::kKeeps) {
#pragma unroll
      for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
        for (int k = 0; k < Tiling::kHead / 16; ++k) load(kept_[r][k], r, k);
      }
    }
  }

  // Columns 16 k to 16 k + 15 of row tile r.
  __device__ void get(unsigned (&fragment)[4], int r, int k) const {
    if constexpr (Tiling::kKeeps) {
#pragma unroll
      for (int i = 0; i < 4; ++i) fragment[i] = kept_[r][k][i];
    } else {
      load(fragment, r, k);
    }
  }

 private:
  __device__ void load(unsigned (&fragment)[4], int r, int k) const {
    const int row = r * 16 + lane_index() % 16, column = k * 16 + lane_index() / 16 * 8;
    tensor_core::ldmatrix_x4(fragment, rows_ + row * Tiling::kStride + column);
  }

  const __nv_bfloat16* rows_;
  unsigned kept_[Tiling::kKeeps ? Tiling::kRowTiles : 1][Tiling::kHead / 16][4];
};

// c += a b, where b is two neighbouring fragments, for two tiles of 8 columns.
__device__ inline void multiply(float (&c)[4], float (&c_behind)[4], const unsigned (&a)[4],
                                const unsigned (&b)[4]) {
  const unsigned left[2] = {b[0], b[1]};
  const unsigned right[2] = {b[2], b[3]};
  tensor_core::mma_m16n8k16<__nv_bfloat16>(c, a, left, c);
  tensor_core::mma_m16n8k16<__nv_bfloat16>(c_behind, a, right, c_behind);
}

// pairs = own row . passing row
template <typename Tiling>
__device__ inline void dot_pairs(typename Tiling::Pairs& pairs, const OwnRows<Tiling>& own,
                                 const __nv_bfloat16* passing) {
  const int lane = lane_index();
  passing += (lane % 8 + lane / 16 * 8) * Tiling::kStride + lane / 8 % 2 * 8;
#pragma unroll
  for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
    for (int n = 0; n < Tiling::kPassing / 8; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) pairs[r][n][e] = 0.0f;
    }
  }
#pragma unroll
  for (int k = 0; k < Tiling::kHead / 16; ++k) {
    unsigned a[Tiling::kRowTiles][4];
#pragma unroll
    for (int r = 0; r < Tiling::kRowTiles; ++r) own.get(a[r], r, k);
#pragma unroll
    for (int n = 0; n < Tiling::kPassing / 16; ++n) {
      unsigned b[4];
      tensor_core::ldmatrix_x4(b, passing + n * 16 * Tiling::kStride + k * 16);
#pragma unroll
      for (int r = 0; r < Tiling::kRowTiles; ++r) {
        multiply(pairs[r][2 * n], pairs[r][2 * n + 1], a[r], b);
      }
    }
  }
}

// To bf16, as the second product takes them.
template <typename Tiling>
__device__ inline void round_pairs(typename Tiling::RoundedPairs& rounded,
                                   const typename Tiling::Pairs& pairs) {
#pragma unroll
  for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
    for (int n = 0; n < Tiling::kPassing / 8; ++n) {
      rounded[r][n][0] = pack(pairs[r][n][0], pairs[r][n][1]);
      rounded[r][n][1] = pack(pairs[r][n][2], pairs[r][n][3]);
    }
  }
}

// Weights of the passing rows 16 k to 16 k + 15, as the left factor of the second product.
__device__ inline void get_weights(unsigned (&fragment)[4], const unsigned (&left)[2],
                                   const unsigned (&right)[2]) {
  fragment[0] = left[0];
  fragment[1] = left[1];
  fragment[2] = right[0];
  fragment[3] = right[1];
}

__device__ inline void get_weights(unsigned (&fragment)[4], const float (&left)[4],
                                   const float (&right)[4]) {
  fragment[0] = pack(left[0], left[1]);
  fragment[1] = pack(left[2], left[3]);
  fragment[2] = pack(right[0], right[1]);
  fragment[3] = pack(right[2], right[3]);
}

// results += weights, in bf16, times the passing rows. Weights are Pairs or RoundedPairs.
template <typename Tiling, typename Weights>
__device__ inline void add_weighted(typename Tiling::Results& results, const Weights& weights,
                                    const __nv_bfloat16* passing) {
  const int lane = lane_index();
  passing += lane % 16 * Tiling::kStride + lane / 16 * 8;
#pragma unroll
  for (int k = 0; k < Tiling::kPassing / 16; ++k) {
    unsigned a[Tiling::kRowTiles][4];
#pragma unroll
    for (int r = 0; r < Tiling::kRowTiles; ++r) {
      get_weights(a[r], weights[r][2 * k], weights[r][2 * k + 1]);
    }
#pragma unroll
    for (int n = 0; n < Tiling::kHead / 16; ++n) {
      unsigned b[4];
      tensor_core::ldmatrix_x4_transposed(b, passing + k * 16 * Tiling::kStride + n * 16);
#pragma unroll
      for (int r = 0; r < Tiling::kRowTiles; ++r) {
        multiply(results[r][2 * n], results[r][2 * n + 1], a[r], b);
      }
    }
  }
}

// Scores that do not count become minus infinity; with a query behind the last one for its own row,
// all count. `first` is the warp's own first row, `start` that of the tile; the queries are the own
// rows or those that pass.
template <typename Tiling, bool kOwnIsQuery>
__device__ inline void mask(typename Tiling::Pairs& scores, int first, int start,
                            const AttentionShape& shape) {
  const int group = lane_index() / 4, pair = lane_index() % 4;
#pragma unroll
  for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
    for (int n = 0; n < Tiling::kPassing / 8; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int own = first + r * 16 + e / 2 * 8 + group;
        const int passing = start + n * 8 + pair * 2 + e % 2;
        const int i = kOwnIsQuery ? own : passing, j = kOwnIsQuery ? passing : own;
        if (passing >= shape.T || j >= shape.T || (shape.causal && j > i)) {
          scores[r][n][e] = -CUDART_INF_F;
        }
      }
    }
  }
}

// The warp writes its own rows `first`, first + 1, ..., as many as there are up to T; element e of
// a tile times factor[r][e / 2]. On their way they lie in `rows`, the warp's part of a tile that
// nobody needs any more: so that 16 bytes are written at once.
template <typename Tiling>
__device__ inline void write_results(__nv_bfloat16* to, const typename Tiling::Results& results,
                                     const float (&factor)[Tiling::kRowTiles][2],
                                     __nv_bfloat16* rows, int first, int T, int stride) {
  const int lane = lane_index(), group = lane / 4, pair = lane % 4;
  __syncwarp();
#pragma unroll
  for (int r = 0; r < Tiling::kRowTiles; ++r) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      __nv_bfloat16* const row = rows + (r * 16 + half * 8 + group) * Tiling::kStride + pair * 2;
#pragma unroll
      for (int n = 0; n < Tiling::kHead / 8; ++n) {
        *reinterpret_cast<unsigned*>(row + n * 8) =
            pack(results[r][n][2 * half] * factor[r][half],
                 results[r][n][2 * half + 1] * factor[r][half]);
      }
    }
  }
  __syncwarp();
  constexpr int kPieces = Tiling::kHead / 8;
#pragma unroll
  for (int k = lane; k < Tiling::kWarpRows * kPieces; k += 32) {
    const int row = k / kPieces, column = k % kPieces * 8;
    if (first + row >= T) break;
    *reinterpret_cast<uint4*>(to + static_cast<std::int64_t>(first + row) * stride + column) =
        *reinterpret_cast<const uint4*>(rows + row * Tiling::kStride + column);
  }
}

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_FLASH_ATTENTION_TILES_CUH_
