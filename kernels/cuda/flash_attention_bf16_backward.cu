// Attention of bf16 on tensor cores, backward; the forward pass and what the two share are in
// flash_attention_bf16.cu and flash_attention_tiles.cuh. From the lesson's kernels
// (solutions/03_attention/further.cu, exercise 03.9) by the same rungs as forward, and one more:
//
//   lesson 03.9     a kernel whose blocks own queries, and one whose blocks own keys: 14 D FLOPs a
//                   pair, since each computes scores and dweights for itself
//   one kernel      blocks own keys; of the queries' gradients each adds what its keys give to sums
//                   in memory: 10 D FLOPs a pair
//
// A sum over keys is one of several blocks then. So that its order is fixed, tiles of keys take
// turns: as many as keep a card busy at once, each with sums of its own (parts), the next ones in
// the next launch, on top of these. A last kernel adds up the parts.
//
// Bytes: 4 N C for dout . out; 8 N C for keys, values and their gradients; 4 N C for queries and
// their dout, which are read again for each tile of keys that they see, mostly out of the L2 cache;
// for each part 8 N C, written and read once, with additions on the way that stay in the L2 cache;
// 2 N C for the gradient that comes of them. 34 N C with the two parts of 384 heads (B = 32).

#include <algorithm>

#include "kernels/composed/buffer_plan.h"
#include "kernels/cuda/flash_attention.h"
#include "kernels/cuda/flash_attention_gradients.cuh"
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

// Keys and values are owned, queries and their dout pass. Rows of all products but the last are
// keys: what is computed are the scores' transposes. `first_tile` is the tile of keys of the blocks
// with blockIdx.y = 0.
template <typename Tiling>
__global__ void __launch_bounds__(kThreads, 1)
    gradients_kernel(const __nv_bfloat16* dout, const __nv_bfloat16* qkv, const float* log_sum_exp,
                     const float* dots, __nv_bfloat16* dqkv,
                     float* query_sums,  // [parts, B, H, T, D]
                     int first_tile, AttentionShape shape) {
  extern __shared__ __align__(16) unsigned char memory[];
  __nv_bfloat16* const keys = reinterpret_cast<__nv_bfloat16*>(memory);
  __nv_bfloat16* const values = keys + Tiling::kOwnNumbers;
  __nv_bfloat16* const queries = values + Tiling::kOwnNumbers;         // two tiles
  __nv_bfloat16* const douts = queries + 2 * Tiling::kPassingNumbers;  // two tiles
  __nv_bfloat16* const dscores = douts + 2 * Tiling::kPassingNumbers;
  Statistics<Tiling>* const statistics = reinterpret_cast<Statistics<Tiling>*>(
      dscores + Tiling::kOwn * kPairStride<Tiling>);  // of two tiles

  const int T = shape.T, C = shape.C, stride = 3 * C;
  const Head head(shape, static_cast<int>(blockIdx.x));
  const __nv_bfloat16* const rows = qkv + head.in_qkv;
  const __nv_bfloat16* const dout_rows = dout + head.in_out;
  __nv_bfloat16* const drows = dqkv + head.in_qkv;
  const float* const log_sums = log_sum_exp + head.in_rows;
  const float* const row_dots = dots + head.in_rows;
  float* const sums =
      query_sums +
      (static_cast<std::int64_t>(blockIdx.y) * gridDim.x * T + head.in_rows) * Tiling::kHead;
  const float scale = 1 / sqrtf(static_cast<float>(Tiling::kHead));
  const int own_row = warp_index() * Tiling::kWarpRows;
  const int own_rows = own_row * Tiling::kStride;
  __nv_bfloat16* const own_dscores = dscores + own_row * kPairStride<Tiling>;

  const int first_of_block = (first_tile + static_cast<int>(blockIdx.y)) * Tiling::kOwn;
  const int first = first_of_block + own_row;
  const int begin = shape.causal ? first_of_block / Tiling::kPassing * Tiling::kPassing : 0;

  begin_copy<Tiling, Tiling::kOwn>(keys, rows + C, first_of_block, T, stride);
  begin_copy<Tiling, Tiling::kOwn>(values, rows + 2 * C, first_of_block, T, stride);
  begin_copy<Tiling, Tiling::kPassing>(queries, rows, begin, T, stride);
  begin_copy<Tiling, Tiling::kPassing>(douts, dout_rows, begin, T, C);
  begin_copy_of_statistics<Tiling>(statistics[0], log_sums, row_dots, begin, T);
  tensor_core::cp_async_commit_group();

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
    const int here = side * Tiling::kPassingNumbers;
    typename Tiling::RoundedPairs rounded_dscores = {};
    if (!shape.causal || start + Tiling::kPassing > first) {  // else no query sees the warp's keys
      typename Tiling::Pairs pairs;
      dot_pairs<Tiling>(pairs, own_keys, queries + here);
      if (max(start + Tiling::kPassing, first + Tiling::kWarpRows) > T ||
          (shape.causal && start < first + Tiling::kWarpRows)) {
        mask<Tiling, false>(pairs, first, start, shape);
      }
      typename Tiling::RoundedPairs weights;
      scores_to_weights<Tiling>(weights, pairs, statistics[side], scale);
      add_weighted<Tiling>(dvalues, weights, douts + here);
      dot_pairs<Tiling>(pairs, own_values, douts + here);
      dweights_to_dscores<Tiling>(rounded_dscores, pairs, weights, statistics[side]);
      add_weighted<Tiling>(dkeys, rounded_dscores, queries + here);
    }
    store_dscores<Tiling>(own_dscores, rounded_dscores);
    __syncthreads();
    add_query_gradients<Tiling>(sums, dscores, keys, start, T, first_tile == 0);
  }

  float factor[Tiling::kRowTiles][2], one[Tiling::kRowTiles][2];
#pragma unroll
  for (int r = 0; r < Tiling::kRowTiles; ++r) {
    factor[r][0] = factor[r][1] = scale;
    one[r][0] = one[r][1] = 1.0f;
  }
  __syncthreads();  // nobody needs the keys
  write_results<Tiling>(drows + C, dkeys, factor, keys + own_rows, first, T, stride);
  write_results<Tiling>(drows + 2 * C, dvalues, one, values + own_rows, first, T, stride);
}

// The gradient of the queries, of what the blocks of each head have summed up. A thread has 4
// numbers.
template <typename Tiling>
__global__ void sum_of_parts_kernel(const float* query_sums,  // [parts, B, H, T, D]
                                    __nv_bfloat16* dqkv, int parts, AttentionShape shape) {
  constexpr int kPieces = Tiling::kHead / 4;
  const std::int64_t rows = static_cast<std::int64_t>(shape.B) * shape.H * shape.T;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t row = thread / kPieces;
  if (row >= rows) return;
  const int column = static_cast<int>(thread % kPieces) * 4;
  const int i = static_cast<int>(row % shape.T);
  const Head head(shape, static_cast<int>(row / shape.T));
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int part = 0; part < parts; ++part) {
    if (shape.causal && part * Tiling::kOwn > i) break;  // none of its keys is seen
    const float4 term =
        *reinterpret_cast<const float4*>(query_sums + (part * rows + row) * Tiling::kHead + column);
    sum = make_float4(sum.x + term.x, sum.y + term.y, sum.z + term.z, sum.w + term.w);
  }
  const float scale = 1 / sqrtf(static_cast<float>(Tiling::kHead));
  __nv_bfloat16* const to = dqkv + head.in_qkv + static_cast<std::int64_t>(i) * 3 * shape.C;
  *reinterpret_cast<uint2*>(to + column) =
      make_uint2(pack(sum.x * scale, sum.y * scale), pack(sum.z * scale, sum.w * scale));
}

// ---- The launches.

// Of shared memory: two own tiles, four that pass, one of dscores, and two statistics.
template <typename Tiling>
constexpr int bytes_of_block() {
  constexpr int kNumbers =
      2 * Tiling::kOwnNumbers + 4 * Tiling::kPassingNumbers + Tiling::kOwn * kPairStride<Tiling>;
  return kNumbers * static_cast<int>(sizeof(__nv_bfloat16)) +
         2 * static_cast<int>(sizeof(Statistics<Tiling>));
}

// Calls work(Tiling()) with the tiling for heads of so many numbers.
template <typename Work>
auto with_tiling(int head_size, const Work& work) {
  switch (head_size) {
    case 16:
      return work(Tiling<16, 1, 64, true>());
    case 32:
      return work(Tiling<32, 1, 64, true>());
    case 48:
      return work(Tiling<48, 1, 64, true>());
    case 64:
      return work(Tiling<64, 2, 32, false>());
    case 80:
      return work(Tiling<80, 1, 32, true>());
    case 96:
      return work(Tiling<96, 1, 32, true>());
    default:
      return work(Tiling<128, 1, 32, false>());
  }
}

// The tiles of keys that are taken at once.
int parts_of(const AttentionShape& shape) {
  const int tiles = with_tiling(
      shape.head_size(), [&](auto tiling) { return blocks_for(shape.T, decltype(tiling)::kOwn); });
  return attention_parts(tiles, shape.B * shape.H);
}

// Parts of the working memory; of null only their size.
struct Scratch {
  Scratch(void* memory, const AttentionShape& shape) {
    BufferPlan plan(memory);
    const std::int64_t rows = static_cast<std::int64_t>(shape.B) * shape.H * shape.T;
    dots = plan.numbers(rows);
    query_sums = plan.numbers(parts_of(shape) * rows * shape.head_size());
    bytes = plan.total();
  }

  float* dots;        // [B, H, T]
  float* query_sums;  // [parts, B, H, T, D]
  std::size_t bytes;
};

template <typename Tiling>
void launch_backward(const __nv_bfloat16* dout, const __nv_bfloat16* qkv, const __nv_bfloat16* out,
                     const float* log_sum_exp, __nv_bfloat16* dqkv, const AttentionShape& shape,
                     const Launch& launch) {
  constexpr int kHead = Tiling::kHead;
  const Scratch scratch(launch.scratch, shape);
  const int rows = shape.B * shape.T * shape.H, parts = parts_of(shape);
  row_dots_kernel<kHead>
      <<<blocks_for(rows, kThreads / kLanes<kHead / 8>), kThreads, 0, launch.stream>>>(
          dout, out, scratch.dots, shape);
  CUDA_CHECK(cudaGetLastError());

  constexpr int kBytes = bytes_of_block<Tiling>();
  CUDA_CHECK(cudaFuncSetAttribute(gradients_kernel<Tiling>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const int tiles = blocks_for(shape.T, Tiling::kOwn);
  for (int tile = 0; tile < tiles; tile += parts) {
    const dim3 grid(static_cast<unsigned>(shape.B * shape.H),
                    static_cast<unsigned>(std::min(parts, tiles - tile)));
    gradients_kernel<Tiling><<<grid, kThreads, kBytes, launch.stream>>>(
        dout, qkv, log_sum_exp, scratch.dots, dqkv, scratch.query_sums, tile, shape);
    CUDA_CHECK(cudaGetLastError());
  }

  sum_of_parts_kernel<Tiling>
      <<<blocks_for(rows * (kHead / 4), kThreads), kThreads, 0, launch.stream>>>(
          scratch.query_sums, dqkv, parts, shape);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

std::size_t attention_backward_bf16_scratch_bytes(const AttentionShape& shape) {
  return Scratch(nullptr, shape).bytes;
}

void attention_backward(const __nv_bfloat16* dout, const __nv_bfloat16* qkv,
                        const __nv_bfloat16* out, const float* log_sum_exp, __nv_bfloat16* dqkv,
                        const AttentionShape& shape, const Launch& launch) {
  with_tiling(shape.head_size(), [&]<typename Tiling>(Tiling) {
    launch_backward<Tiling>(dout, qkv, out, log_sum_exp, dqkv, shape, launch);
  });
}

}  // namespace andrea::cuda
