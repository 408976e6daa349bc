// Attention of floats on CUDA cores. From the lesson's kernel (solutions/03_attention/further.cu,
// exercises 03.8 and 03.9) two rungs up:
//
//   lesson 03.8   a warp a query, a lane a key: a number from shared memory for each product
//   tiles         16 x 16 threads, a thread up to 4 x 4 pairs of rows: half a number
//   16 bytes      four numbers are read at once: an eighth of an instruction a product
//
// N = B T rows, D = C / H, P = T (T + 1) / 2 pairs a head. Products: 4 D P B H FLOPs forward,
// 14 D P B H backward, of which 4 compute the scores and dweights a second time: the price of sums
// without atomics. Bytes from and to memory, with tiles of Q rows: queries, out and log_sum_exp
// once, 8 N C + 4 N H; keys and values once for each tile of queries that sees them, 8 N C (T / Q +
// 1) / 2, most of which the L2 cache answers. T x T numbers are nowhere.

#include <math_constants.h>

#include <cstdint>

#include "kernels/cuda/flash_attention.h"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"

namespace andrea::cuda {
namespace {

// A block is kSide x kSide threads. It owns some rows, queries or keys, and the rows of the other
// side pass by, a tile at a time. Thread (x, y) has the pairs of the own rows y, y + kSide, ...
// with the passing rows x, x + kSide, ...
constexpr int kSide = 16;
constexpr int kThreads = kSide * kSide;

template <int kColumnsOfRow, int kOwnOfBlock, int kPassingOfTile>
struct Plan {
  static constexpr int kColumns = kColumnsOfRow;  // D, rounded up: the rest is zero
  static constexpr int kOwn = kOwnOfBlock;
  static constexpr int kPassing = kPassingOfTile;
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
  using Results = float[kOwnRows][kPieces][kPiece];
  using Pairs = float[kOwnRows][kPassingRows];
};

// The first column of a piece.
template <typename Plan>
__device__ inline int column_of(int piece) {
  return (piece * kSide + static_cast<int>(threadIdx.x)) * Plan::kPiece;
}

// Where one head of one sequence begins.
struct Head {
  __device__ explicit Head(const AttentionShape& shape) {
    const int index = static_cast<int>(blockIdx.x);
    const std::int64_t row = static_cast<std::int64_t>(index / shape.H) * shape.T;
    const int column = index % shape.H * (shape.C / shape.H);
    in_qkv = row * 3 * shape.C + column;
    in_out = row * shape.C + column;
    in_rows = static_cast<std::int64_t>(index) * shape.T;
  }

  std::int64_t in_qkv;   // [B, T, 3C]
  std::int64_t in_out;   // [B, T, C]
  std::int64_t in_rows;  // [B, H, T]
};

// All threads: rows first .. first + rows - 1 of D numbers; what lies behind row T - 1 is zero.
template <typename Plan>
__device__ void copy_rows(float* to, const float* from, int rows, int first, int T, int D,
                          int stride, bool packed) {
  const int thread = static_cast<int>(threadIdx.y * kSide + threadIdx.x);
  const int width = packed ? 4 : 1;
  const int pieces = D / width;
  for (int k = thread; k < rows * pieces; k += kThreads) {
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
__device__ inline void fill_with_zero(float* numbers, int count) {
  const int thread = static_cast<int>(threadIdx.y * kSide + threadIdx.x);
  for (int k = thread * 4; k < count; k += kThreads * 4) {
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
  struct alignas(4 * Plan::kPiece) Piece {
    float numbers[Plan::kPiece];
  };
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

// Of the own rows of which there are T, times `factor` a row.
template <typename Plan>
__device__ inline void write_results(float* to, const typename Plan::Results& results,
                                     const float (&factor)[Plan::kOwnRows], int first, int T, int D,
                                     int stride) {
#pragma unroll
  for (int r = 0; r < Plan::kOwnRows; ++r) {
    const int row = first + static_cast<int>(threadIdx.y) + r * kSide;
    if (row >= T) continue;
#pragma unroll
    for (int p = 0; p < Plan::kPieces; ++p) {
#pragma unroll
      for (int c = 0; c < Plan::kPiece; ++c) {
        const int column = column_of<Plan>(p) + c;
        if (column < D) {
          to[static_cast<std::int64_t>(row) * stride + column] = results[r][p][c] * factor[r];
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

// Forward: queries are owned, keys and values pass. A row's sum and results are relative to the
// largest score so far, and shrink when a larger one comes.
template <typename Plan>
__global__ void __launch_bounds__(kThreads, 1)
    forward_kernel(const float* qkv, float* out, float* log_sum_exp, AttentionShape shape,
                   bool packed) {
  extern __shared__ __align__(16) float memory[];
  float* const queries = memory;
  float* const keys = queries + Plan::kOwnNumbers;
  float* const values = keys + Plan::kPassingNumbers;
  float* const weights = values + Plan::kPassingNumbers;

  const int T = shape.T, C = shape.C, D = shape.C / shape.H;
  const Head head(shape);
  // Queries at the end see the most keys: they go first, so that the last blocks are short ones.
  const int first = static_cast<int>(gridDim.y - 1 - blockIdx.y) * Plan::kOwn;
  const float scale = 1 / sqrtf(static_cast<float>(D));
  fill_with_zero(memory, Plan::kOwnNumbers + 2 * Plan::kPassingNumbers);
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
  write_results<Plan>(out + head.in_out, results, factor, first, T, D, C);
}

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
__global__ void __launch_bounds__(kThreads, 1)
    query_gradient_kernel(const float* dout, const float* qkv, const float* log_sum_exp,
                          const float* dots, float* dqkv, AttentionShape shape, bool packed) {
  extern __shared__ __align__(16) float memory[];
  float* const queries = memory;
  float* const douts = queries + Plan::kOwnNumbers;
  float* const keys = douts + Plan::kOwnNumbers;
  float* const values = keys + Plan::kPassingNumbers;
  float* const dscores = values + Plan::kPassingNumbers;

  const int T = shape.T, C = shape.C, D = shape.C / shape.H;
  const Head head(shape);
  const int first = static_cast<int>(gridDim.y - 1 - blockIdx.y) * Plan::kOwn;
  fill_with_zero(memory, 2 * Plan::kOwnNumbers + 2 * Plan::kPassingNumbers);
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
  write_results<Plan>(dqkv + head.in_qkv, results, factor, first, T, D, 3 * C);
}

// Keys and values are owned, queries and their dout pass.
template <typename Plan>
__global__ void __launch_bounds__(kThreads, 1)
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
  const Head head(shape);
  const int first = static_cast<int>(blockIdx.y) * Plan::kOwn;
  fill_with_zero(memory, 2 * Plan::kOwnNumbers + 2 * Plan::kPassingNumbers);
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
  write_results<Plan>(dqkv + head.in_qkv + C, dkeys, scale, first, T, D, 3 * C);
  write_results<Plan>(dqkv + head.in_qkv + 2 * C, dvalues, one, first, T, D, 3 * C);
}

// ---- The launches.

// Grid and shared memory of a kernel in which a block owns kOwn rows.
template <typename Plan>
dim3 grid_of(const AttentionShape& shape) {
  return dim3(static_cast<unsigned>(shape.B * shape.H),
              static_cast<unsigned>(blocks_for(shape.T, Plan::kOwn)));
}

template <typename Kernel>
int allow(Kernel* kernel, int numbers) {
  const int bytes = numbers * static_cast<int>(sizeof(float));
  CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  return bytes;
}

// Whether rows begin at multiples of 16 bytes.
bool packs(const AttentionShape& shape) { return shape.head_size() % 4 == 0; }

template <typename Plan>
void launch_forward(const float* qkv, float* out, float* log_sum_exp, const AttentionShape& shape,
                    const Launch& launch) {
  const int bytes = allow(forward_kernel<Plan>,
                          Plan::kOwnNumbers + 2 * Plan::kPassingNumbers + Plan::kWeightNumbers);
  forward_kernel<Plan><<<grid_of<Plan>(shape), dim3(kSide, kSide), bytes, launch.stream>>>(
      qkv, out, log_sum_exp, shape, packs(shape));
  CUDA_CHECK(cudaGetLastError());
}

template <typename Plan>
void launch_backward(const float* dout, const float* qkv, const float* out,
                     const float* log_sum_exp, float* dqkv, const AttentionShape& shape,
                     const Launch& launch) {
  constexpr int kNumbers = 2 * Plan::kOwnNumbers + 2 * Plan::kPassingNumbers;
  float* const dots = static_cast<float*>(launch.scratch);  // [B, H, T]
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

// The plans keep a block below the 99 KB of shared memory that the smallest cards have.

void attention_forward(const float* qkv, float* out, float* log_sum_exp,
                       const AttentionShape& shape, const Launch& launch) {
  const int D = shape.head_size();
  const auto run = D <= 32    ? launch_forward<Plan<32, 64, 64>>
                   : D <= 64  ? launch_forward<Plan<64, 64, 64>>
                   : D <= 128 ? launch_forward<Plan<128, 64, 32>>
                              : launch_forward<Plan<256, 32, 16>>;
  run(qkv, out, log_sum_exp, shape, launch);
}

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
