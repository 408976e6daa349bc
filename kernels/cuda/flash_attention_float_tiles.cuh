// File: flash_attention_float_tiles.cuh
//
// What the attention kernels of floats are made of: tiles of rows in shared memory, and the two
// products of attention on CUDA cores.
//
// A block owns some rows, queries or keys, and the rows of the other side pass by, a tile at a
// time. A thread has some pairs of rows for the first product, and some columns of its own rows for
// the second; between them the pairs' weights go through shared memory.

#ifndef ANDREA_KERNELS_CUDA_FLASH_ATTENTION_FLOAT_TILES_CUH_
#define ANDREA_KERNELS_CUDA_FLASH_ATTENTION_FLOAT_TILES_CUH_

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/attention.h"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"

namespace andrea::cuda {

// A block is kSide x kSide threads. Thread (x, y) has the pairs of the own rows y, y + kSide, ...
// with the passing rows x, x + kSide, ...
inline constexpr int kSide = 16;

// How the rows are divided.
template <int kColumnsOfRow, int kOwnOfBlock, int kPassingOfTile>
struct Plan {
  static constexpr int kColumns = kColumnsOfRow;  // D, rounded up: the rest is zero
  static constexpr int kOwn = kOwnOfBlock;
  static constexpr int kPassing = kPassingOfTile;
  static constexpr int kThreads = kSide * kSide;
  static constexpr int kOwnRows = kOwn / kSide;  // of a thread
  static constexpr int kPassingRows = kPassing / kSide;

  // Of rows in shared memory. Reading 16 bytes of each of 8 rows touches every bank once.
  static constexpr int kStride = kColumns + 4;
  // Of the weights: what two neighbours in y write lies in different banks.
  static constexpr int kWeightStride = kPassing % 32 == 0 ? kPassing + 16 : kPassing;

  static constexpr int kOwnNumbers = kOwn * kStride;
  static constexpr int kPassingNumbers = kPassing * kStride;
  static constexpr int kWeightNumbers = kOwn * kWeightStride;

  // Of the results, [kOwn, kColumns], a thread has pieces of its own rows.
  static constexpr int kPiece = kColumns / kSide < 4 ? kColumns / kSide : 4;
  static constexpr int kPieces = kColumns / kSide / kPiece;
  struct alignas(4 * kPiece) Piece {
    float numbers[kPiece];
  };
  using Results = float[kOwnRows][kPieces][kPiece];
  using Pairs = float[kOwnRows][kPassingRows];
};

// The first column of a piece.
template <typename Plan>
__device__ inline int column_of(int piece) {
  return (piece * kSide + static_cast<int>(threadIdx.x)) * Plan::kPiece;
}

// All threads: rows first .. first + rows - 1 of D numbers; what lies behind row T - 1 is zero.
template <typename Plan>
__device__ inline void copy_rows(float* to, const float* from, int rows, int first, int T, int D,
                                 int stride, bool packed) {
  const int thread = static_cast<int>(threadIdx.y * kSide + threadIdx.x);
  const int width = packed ? 4 : 1;
  const int pieces = D / width;
  for (int k = thread; k < rows * pieces; k += Plan::kThreads) {
    const int row = k / pieces, column = k % pieces * width;
    const float* source = from + static_cast<std::int64_t>(first + row) * stride + column;
    float* target = to + row * Plan::kStride + column;
    const bool exists = first + row < T;
    if (packed) {
      *reinterpret_cast<float4*>(target) =
          exists ? *reinterpret_cast<const float4*>(source) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    } else {
      *target = exists ? *source : 0.0f;
    }
  }
}

// All threads: the columns behind D stay zero.
template <typename Plan>
__device__ inline void fill_with_zero(float* numbers, int count) {
  const int thread = static_cast<int>(threadIdx.y * kSide + threadIdx.x);
  for (int k = thread * 4; k < count; k += Plan::kThreads * 4) {
    *reinterpret_cast<float4*>(numbers + k) = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  }
}

// sums[r][c] = own row . passing row
template <typename Plan>
__device__ inline void dot_pairs(typename Plan::Pairs& sums, const float* own, const float* passing,
                                 int D) {
  own += threadIdx.y * Plan::kStride;
  passing += threadIdx.x * Plan::kStride;
#pragma unroll
  for (int r = 0; r < Plan::kOwnRows; ++r) {
#pragma unroll
    for (int c = 0; c < Plan::kPassingRows; ++c) sums[r][c] = 0.0f;
  }
#pragma unroll 2
  for (int d = 0; d < D; d += 4) {
    float4 b[Plan::kPassingRows];
#pragma unroll
    for (int c = 0; c < Plan::kPassingRows; ++c) {
      b[c] = *reinterpret_cast<const float4*>(passing + c * kSide * Plan::kStride + d);
    }
#pragma unroll
    for (int r = 0; r < Plan::kOwnRows; ++r) {
      const float4 a = *reinterpret_cast<const float4*>(own + r * kSide * Plan::kStride + d);
#pragma unroll
      for (int c = 0; c < Plan::kPassingRows; ++c) {
        sums[r][c] += a.x * b[c].x;
        sums[r][c] += a.y * b[c].y;
        sums[r][c] += a.z * b[c].z;
        sums[r][c] += a.w * b[c].w;
      }
    }
  }
}

template <typename Plan>
__device__ inline void store_pairs(float* weights, const typename Plan::Pairs& pairs) {
#pragma unroll
  for (int r = 0; r < Plan::kOwnRows; ++r) {
#pragma unroll
    for (int c = 0; c < Plan::kPassingRows; ++c) {
      const unsigned row = threadIdx.y + r * kSide, column = threadIdx.x + c * kSide;
      weights[row * Plan::kWeightStride + column] = pairs[r][c];
    }
  }
}

// results[own row] += the sum over the passing rows, of which there are `count`, of weight * row
template <typename Plan>
__device__ inline void add_weighted(typename Plan::Results& results, const float* weights,
                                    const float* passing, int count) {
  using Piece = typename Plan::Piece;
  weights += threadIdx.y * Plan::kWeightStride;
  count = min(count, Plan::kPassing);
  for (int j = 0; j < count; j += 4) {
    float of_row[Plan::kOwnRows][4];
#pragma unroll
    for (int r = 0; r < Plan::kOwnRows; ++r) {
      const float4 four =
          *reinterpret_cast<const float4*>(weights + r * kSide * Plan::kWeightStride + j);
      of_row[r][0] = four.x;
      of_row[r][1] = four.y;
      of_row[r][2] = four.z;
      of_row[r][3] = four.w;
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int p = 0; p < Plan::kPieces; ++p) {
        const Piece piece =
            *reinterpret_cast<const Piece*>(passing + (j + k) * Plan::kStride + column_of<Plan>(p));
#pragma unroll
        for (int r = 0; r < Plan::kOwnRows; ++r) {
#pragma unroll
          for (int c = 0; c < Plan::kPiece; ++c) {
            results[r][p][c] += of_row[r][k] * piece.numbers[c];
          }
        }
      }
    }
  }
}

// Of the own rows of which there are T, times `factor` a row. Where rows are packed, D is a number
// of whole pieces, and each is written at once.
template <typename Plan>
__device__ inline void write_results(float* to, const typename Plan::Results& results,
                                     const float (&factor)[Plan::kOwnRows], int first, int T, int D,
                                     int stride, bool packed) {
  using Piece = typename Plan::Piece;
#pragma unroll
  for (int r = 0; r < Plan::kOwnRows; ++r) {
    const int row = first + static_cast<int>(threadIdx.y) + r * kSide;
    if (row >= T) continue;
    float* const to_row = to + static_cast<std::int64_t>(row) * stride;
#pragma unroll
    for (int p = 0; p < Plan::kPieces; ++p) {
      const int column = column_of<Plan>(p);
      Piece piece;
#pragma unroll
      for (int c = 0; c < Plan::kPiece; ++c) piece.numbers[c] = results[r][p][c] * factor[r];
      if (packed) {
        if (column < D) *reinterpret_cast<Piece*>(to_row + column) = piece;
      } else {
#pragma unroll
        for (int c = 0; c < Plan::kPiece; ++c) {
          if (column + c < D) to_row[column + c] = piece.numbers[c];
        }
      }
    }
  }
}

// Over the kSide threads of one y, which are half a warp.
__device__ inline float row_max(float x) {
  for (int step = kSide / 2; step > 0; step /= 2) {
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, step));
  }
  return x;
}

__device__ inline float row_sum(float x) {
  for (int step = kSide / 2; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
  return x;
}

__device__ inline bool sees(const AttentionShape& shape, int query, int key) {
  return query < shape.T && key < shape.T && (!shape.causal || key <= query);
}

// ---- Of the launches. Plans keep a block below the 99 KB of shared memory that the smallest cards
// have.

// A block owns kOwn rows of a head.
template <typename Plan>
inline dim3 grid_of(const AttentionShape& shape) {
  return dim3(static_cast<unsigned>(shape.B * shape.H),
              static_cast<unsigned>(blocks_for(shape.T, Plan::kOwn)));
}

// Lets the kernel have shared memory for so many numbers; returns their bytes.
template <typename Kernel>
inline int allow(Kernel* kernel, int numbers) {
  const int bytes = numbers * static_cast<int>(sizeof(float));
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  return bytes;
}

// Whether rows begin at multiples of 16 bytes.
inline bool packs(const AttentionShape& shape) { return shape.head_size() % 4 == 0; }

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_FLASH_ATTENTION_FLOAT_TILES_CUH_
