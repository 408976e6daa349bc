// Lesson 03, further exercises: further.h says what they compute.
//
//   bazel test //lessons/03_attention:further_test

#include <math_constants.h>

#include <cstdint>

#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/03_attention/further.h"
#include "lessons/reductions.cuh"

namespace andrea::lesson03 {
namespace {

// The kernels of 03.8 and 03.9 have blocks of kWarps warps, (kWarpSize, kWarps) threads. A warp has
// a row of its own, of the queries or of the keys; the block goes through the other side kTile rows
// at a time, a lane a row. A lane also has the columns lane, lane + 32, ... of its warp's result.
constexpr int kWarps = 16;
constexpr int kTile = kWarpSize;
constexpr int kLaneColumns = kMaxHeadSize / kWarpSize;

// Rows of a tile are read by the lanes at the same column: the odd length keeps them in different
// banks.
using Tile = float[kTile][kMaxHeadSize + 1];

// The whole block copies rows first .. first + kTile - 1 of D numbers, `stride` apart; where there
// is no row it writes 0.
__device__ void load_tile(Tile& tile, const float* rows, int first, int T, int D, int stride) {
  const int thread = static_cast<int>(threadIdx.y * kWarpSize + threadIdx.x);
  for (int k = thread; k < kTile * D; k += kWarps * kWarpSize) {
    const int row = k / D, d = k % D;
    const bool exists = first + row < T;
    tile[row][d] = exists ? rows[static_cast<std::int64_t>(first + row) * stride + d] : 0.0f;
  }
}

// Each warp copies row `t` of its own.
__device__ void load_own(float* own, const float* rows, int t, int T, int D, int stride) {
  for (int d = static_cast<int>(threadIdx.x); d < D; d += kWarpSize) {
    own[d] = t < T ? rows[static_cast<std::int64_t>(t) * stride + d] : 0.0f;
  }
  __syncwarp();
}

__device__ float dot(const float* a, const float* b, int D) {
  float sum = 0;
  for (int d = 0; d < D; ++d) sum += a[d] * b[d];
  return sum;
}

// columns[k] += the sum over the lanes of share * tile[lane][column k of this lane]
__device__ void add_shares(float (&columns)[kLaneColumns], float share, const Tile& tile, int D) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int row = 0; row < kTile; ++row) {
    const float of_row = __shfl_sync(kAllLanes, share, row);
    for (int k = 0; k < kLaneColumns; ++k) {
      const int column = lane + k * kWarpSize;
      if (column < D) columns[k] += of_row * tile[row][column];
    }
  }
}

// ---- 03.8 One pass: the maximum, the sum and the average of a row, mended with every tile.

__global__ void one_pass_kernel(const float* qkv,    // [B, T, 3C]
                                float* out,          // [B, T, C]
                                float* log_sum_exp,  // [B, H, T]
                                AttentionShape shape) {
  __shared__ float queries[kWarps][kMaxHeadSize];
  __shared__ Tile key, value;
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  const int head = static_cast<int>(blockIdx.x), b = head / H, h = head % H;
  const int i = static_cast<int>(blockIdx.y) * kWarps + warp;  // the warp's query; may be >= T
  const float scale = 1 / sqrtf(static_cast<float>(D));
  const float* rows = qkv + static_cast<std::int64_t>(b) * T * 3 * C + h * D;
  load_own(queries[warp], rows, i, T, D, 3 * C);

  float largest = -CUDART_INF_F;     // of the scores so far
  float sum = 0;                     // of exp(score - largest)
  float columns[kLaneColumns] = {};  // of the values, each times exp(score - largest)
  const int seen_by_block = shape.causal ? min(T, static_cast<int>(blockIdx.y + 1) * kWarps) : T;
  for (int first = 0; first < seen_by_block; first += kTile) {
    // SOLUTION(03.8): load the tiles of keys and of values, when all warps are done with the
    // last ones, and let no warp begin before they are there.
    __syncthreads();
    load_tile(key, rows + C, first, T, D, 3 * C);
    load_tile(value, rows + 2 * C, first, T, D, 3 * C);
    __syncthreads();
    // END(03.8)

    // SOLUTION(03.8): this lane's score; the new maximum; what has been summed so
    // far shrinks by how much the maximum grew; add this tile's exponentials, and
    // its values times them.
    const int j = first + lane;
    const bool seen = j < T && (!shape.causal || j <= i);
    const float score = seen ? dot(queries[warp], key[lane], D) * scale : -CUDART_INF_F;
    const float before = largest;
    largest = fmaxf(largest, warp_max(score));
    const float shrink = expf(before - largest);
    const float exponential = expf(score - largest);
    sum = sum * shrink + warp_sum(exponential);
    for (int k = 0; k < kLaneColumns; ++k) columns[k] *= shrink;
    add_shares(columns, exponential, value, D);
    // END(03.8)
  }
  if (i >= T) return;
  // SOLUTION(03.8): write this lane's columns of out, divided by the sum; and, once a warp,
  // log_sum_exp.
  const std::int64_t row = static_cast<std::int64_t>(b) * T + i;
  for (int k = 0; k < kLaneColumns; ++k) {
    const int column = lane + k * kWarpSize;
    if (column < D) out[row * C + h * D + column] = columns[k] / sum;
  }
  if (lane == 0) log_sum_exp[static_cast<std::int64_t>(head) * T + i] = largest + logf(sum);
  // END(03.8)
}

// ---- 03.9 Its backward: a weight is exp(score - log_sum_exp), whenever it is needed.

// dots[b, h, i] = dout[b, i, h, :] . out[b, i, h, :], the softmax's row sum
__global__ void row_dots_kernel(const float* dout, const float* out, float* dots,
                                AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);  // of B * H * T
  if (row >= shape.B * H * T) return;
  const int i = row % T, h = row / T % H, b = row / T / H;
  const std::int64_t at = (static_cast<std::int64_t>(b) * T + i) * C + h * D;
  dots[row] = dot(dout + at, out + at, D);
}

// A warp has a query, the tiles have keys and values.
__global__ void query_gradient_kernel(const float* dout, const float* qkv, const float* log_sum_exp,
                                      const float* dots, float* dqkv, AttentionShape shape) {
  __shared__ float queries[kWarps][kMaxHeadSize], douts[kWarps][kMaxHeadSize];
  __shared__ Tile key, value;
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  const int head = static_cast<int>(blockIdx.x), b = head / H, h = head % H;
  const int i = static_cast<int>(blockIdx.y) * kWarps + warp;
  const float scale = 1 / sqrtf(static_cast<float>(D));
  const float* rows = qkv + static_cast<std::int64_t>(b) * T * 3 * C + h * D;
  load_own(queries[warp], rows, i, T, D, 3 * C);
  load_own(douts[warp], dout + static_cast<std::int64_t>(b) * T * C + h * D, i, T, D, C);
  const std::int64_t row = static_cast<std::int64_t>(head) * T + i;
  const float log_sum = i < T ? log_sum_exp[row] : 0.0f;
  const float row_dot = i < T ? dots[row] : 0.0f;

  float columns[kLaneColumns] = {};
  const int seen_by_block = shape.causal ? min(T, static_cast<int>(blockIdx.y + 1) * kWarps) : T;
  for (int first = 0; first < seen_by_block; first += kTile) {
    // SOLUTION(03.9): load the tiles as in 03.8; this lane's weight once more, 0 where not seen;
    // its dscore; and that, for all lanes, times the keys.
    __syncthreads();
    load_tile(key, rows + C, first, T, D, 3 * C);
    load_tile(value, rows + 2 * C, first, T, D, 3 * C);
    __syncthreads();
    const int j = first + lane;
    const bool seen = i < T && j < T && (!shape.causal || j <= i);
    const float weight = seen ? expf(dot(queries[warp], key[lane], D) * scale - log_sum) : 0.0f;
    const float dscore = weight * (dot(douts[warp], value[lane], D) - row_dot);
    add_shares(columns, dscore, key, D);
    // END(03.9)
  }
  if (i >= T) return;
  // SOLUTION(03.9): write this lane's columns of the query's gradient.
  float* dquery = dqkv + (static_cast<std::int64_t>(b) * T + i) * 3 * C + h * D;
  for (int k = 0; k < kLaneColumns; ++k) {
    const int column = lane + k * kWarpSize;
    if (column < D) dquery[column] = columns[k] * scale;
  }
  // END(03.9)
}

// A warp has a key and its value, the tiles have queries and rows of dout.
__global__ void key_and_value_gradient_kernel(const float* dout, const float* qkv,
                                              const float* log_sum_exp, const float* dots,
                                              float* dqkv, AttentionShape shape) {
  __shared__ float keys[kWarps][kMaxHeadSize], values[kWarps][kMaxHeadSize];
  __shared__ float log_sum[kTile], row_dot[kTile];
  __shared__ Tile query, dhead;
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  const int head = static_cast<int>(blockIdx.x), b = head / H, h = head % H;
  const int j = static_cast<int>(blockIdx.y) * kWarps + warp;
  const float scale = 1 / sqrtf(static_cast<float>(D));
  const float* rows = qkv + static_cast<std::int64_t>(b) * T * 3 * C + h * D;
  load_own(keys[warp], rows + C, j, T, D, 3 * C);
  load_own(values[warp], rows + 2 * C, j, T, D, 3 * C);

  float key_columns[kLaneColumns] = {}, value_columns[kLaneColumns] = {};
  const int first_of_block = static_cast<int>(blockIdx.y) * kWarps / kTile * kTile;
  for (int first = shape.causal ? first_of_block : 0; first < T; first += kTile) {
    __syncthreads();
    load_tile(query, rows, first, T, D, 3 * C);
    load_tile(dhead, dout + static_cast<std::int64_t>(b) * T * C + h * D, first, T, D, C);
    const std::int64_t row = static_cast<std::int64_t>(head) * T + first + lane;
    if (warp == 0) log_sum[lane] = first + lane < T ? log_sum_exp[row] : 0.0f;
    if (warp == 1) row_dot[lane] = first + lane < T ? dots[row] : 0.0f;
    __syncthreads();
    // SOLUTION(03.9): the lane has query i = first + lane, whose log_sum and
    // row_dot are in shared memory: its weight for this warp's key; its dscore;
    // add to both sums.
    const int i = first + lane;
    const bool seen = i < T && j < T && (!shape.causal || j <= i);
    const float weight =
        seen ? expf(dot(query[lane], keys[warp], D) * scale - log_sum[lane]) : 0.0f;
    const float dscore = weight * (dot(dhead[lane], values[warp], D) - row_dot[lane]);
    add_shares(value_columns, weight, dhead, D);
    add_shares(key_columns, dscore, query, D);
    // END(03.9)
  }
  if (j >= T) return;
  // SOLUTION(03.9): write this lane's columns of the key's and the value's
  // gradient.
  float* dkey = dqkv + (static_cast<std::int64_t>(b) * T + j) * 3 * C + C + h * D;
  for (int k = 0; k < kLaneColumns; ++k) {
    const int column = lane + k * kWarpSize;
    if (column >= D) continue;
    dkey[column] = key_columns[k] * scale;
    dkey[C + column] = value_columns[k];
  }
  // END(03.9)
}

// ---- 03.10 Rotary positions: a pair of numbers is a point in the plane, and is turned.

// direction: 1 or -1.
__global__ void rotate_kernel(const float* in,  // [B, T, 3C]
                              float* out,       // [B, T, 3C]
                              int direction, AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, half = C / H / 2;
  const int pair = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);  // of B * T * C / 2
  if (pair >= shape.B * T * H * half) return;
  const int d = pair % half, h = pair / half % H, n = pair / half / H;  // n counts B * T rows
  const std::int64_t query = static_cast<std::int64_t>(n) * 3 * C + h * 2 * half + d;
  // SOLUTION(03.10): the angle, in the direction given; turn the pair of the query, which
  // begins at `query`, and that of the key; copy that of the value.
  const float frequency = powf(10000.0f, -static_cast<float>(d) / static_cast<float>(half));
  const float angle = static_cast<float>(direction * (n % T)) * frequency;
  const float c = cosf(angle), s = sinf(angle);
  for (std::int64_t at = query; at <= query + C; at += C) {
    const float first = in[at], second = in[at + half];
    out[at] = c * first - s * second;
    out[at + half] = s * first + c * second;
  }
  const std::int64_t value = query + 2 * C;
  out[value] = in[value];
  out[value + half] = in[value + half];
  // END(03.10)
}

}  // namespace

// ---- The launches.

// A row of the grid is a head, its blocks take kWarps queries (or keys) each.
static dim3 grid_of(const AttentionShape& shape) {
  return dim3(static_cast<unsigned>(shape.B * shape.H),
              static_cast<unsigned>(blocks_for(shape.T, kWarps)));
}

void one_pass(const float* qkv, float* out, float* log_sum_exp, const AttentionShape& shape,
              const Launch& launch) {
  one_pass_kernel<<<grid_of(shape), dim3(kWarpSize, kWarps), 0, launch.stream>>>(
      qkv, out, log_sum_exp, shape);
  CUDA_CHECK(cudaGetLastError());
}

std::size_t one_pass_backward_scratch_bytes(const AttentionShape& shape) {
  return align_up(static_cast<std::size_t>(shape.B) * static_cast<std::size_t>(shape.H) *
                  static_cast<std::size_t>(shape.T) * sizeof(float));
}

void one_pass_backward(const float* dout, const float* qkv, const float* out,
                       const float* log_sum_exp, float* dqkv, const AttentionShape& shape,
                       const Launch& launch) {
  float* const dots = static_cast<float*>(launch.scratch);
  const int rows = shape.B * shape.H * shape.T;
  const dim3 block(kWarpSize, kWarps);
  row_dots_kernel<<<blocks_for(rows, 128), 128, 0, launch.stream>>>(dout, out, dots, shape);
  query_gradient_kernel<<<grid_of(shape), block, 0, launch.stream>>>(dout, qkv, log_sum_exp, dots,
                                                                     dqkv, shape);
  key_and_value_gradient_kernel<<<grid_of(shape), block, 0, launch.stream>>>(dout, qkv, log_sum_exp,
                                                                             dots, dqkv, shape);
  CUDA_CHECK(cudaGetLastError());
}

void rotate(const float* qkv, float* rotated, const AttentionShape& shape, const Launch& launch) {
  const int pairs = shape.B * shape.T * shape.C / 2;
  rotate_kernel<<<blocks_for(pairs, 128), 128, 0, launch.stream>>>(qkv, rotated, 1, shape);
  CUDA_CHECK(cudaGetLastError());
}

void rotate_backward(const float* drotated, float* dqkv, const AttentionShape& shape,
                     const Launch& launch) {
  const int pairs = shape.B * shape.T * shape.C / 2;
  // SOLUTION(03.10): launch rotate_kernel so that it does to gradients what the transpose of a
  // rotation does.
  rotate_kernel<<<blocks_for(pairs, 128), 128, 0, launch.stream>>>(drotated, dqkv, -1, shape);
  // END(03.10)
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson03
