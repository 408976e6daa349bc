// kernels/decode.h for a card: the keys and values of earlier positions are kept, and a token meets
// every weight once. That is what decoding costs: 4 bytes a parameter and 8 L C bytes of the cache
// a position, at the speed of memory; arithmetic is hidden behind it.
//
// Up to kMostRows tokens go through together, which a prompt is cut into: so many use a weight that
// was read once.

#include <math_constants.h>

#include <algorithm>
#include <cstdint>

#include "kernels/composed/buffer_plan.h"
#include "kernels/cuda/embed.h"
#include "kernels/cuda/gelu_function.cuh"
#include "kernels/cuda/norm.h"
#include "kernels/cuda/sums.cuh"
#include "kernels/cuda_check.h"
#include "kernels/decode.h"
#include "kernels/key_value_cache.h"
#include "kernels/launch_size.h"

namespace andrea {
namespace {

using cuda::kWarp;
using cuda::warp_sum;

constexpr int kMostRows = 8;

// ---- Rows times a matrix.

// What becomes of a sum before it is written.
enum class After { nothing, add, gelu, gelu_erf, relu };

// Where the columns of a result go: each `width` of them to a buffer of their own, whose rows are
// `width` numbers too.
struct Destination {
  float* parts[3];
  int width;
};

// What `then` makes of x; `there` is what the destination holds.
__device__ float finished(float x, After then, const float* there) {
  switch (then) {
    case After::add:
      return x + *there;
    case After::gelu:
      return cuda::Gelu::value(x);
    case After::gelu_erf:
      return 0.5f * x * (1.0f + erff(x * 0.7071067812f));  // sqrt(1 / 2)
    case After::relu:
      return x < 0.0f ? 0.0f : x;
    case After::nothing:
      break;
  }
  return x;
}

// A block has kColumns columns, whose sums are cut into kSlices: the columns of 16 threads are two
// whole sectors of a row of weights, and narrow blocks are many.
constexpr int kColumns = 16;
constexpr int kSlices = 32;

// y = x W + bias for up to kRows rows.
template <int kRows>
__global__ void __launch_bounds__(kColumns* kSlices)
    rows_times_matrix_kernel(const float* x,       // [rows, in]
                             const float* weight,  // [in, out]
                             const float* bias,    // [out], or null
                             Destination y, int rows, int in, int out, After then) {
  __shared__ float slices[kRows][kSlices][kColumns];
  const int x_thread = static_cast<int>(threadIdx.x), slice = static_cast<int>(threadIdx.y);
  const int first = static_cast<int>(blockIdx.x) * kColumns;
  float sums[kRows] = {};
  if (first + x_thread < out) {
#pragma unroll 4
    for (int i = slice; i < in; i += kSlices) {
      const float w = weight[static_cast<std::int64_t>(i) * out + first + x_thread];
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        // Where there is no row the last one is taken again, and not written.
        sums[r] += x[static_cast<std::int64_t>(min(r, rows - 1)) * in + i] * w;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r) slices[r][slice][x_thread] = sums[r];
  __syncthreads();

  const int thread = slice * kColumns + x_thread;
  const int row = thread / kColumns, column = first + thread % kColumns;
  if (row >= rows || column >= out) return;
  float sum = bias == nullptr ? 0.0f : bias[column];
  for (int s = 0; s < kSlices; ++s) sum += slices[row][s][thread % kColumns];
  const int part = column / y.width;
  float* const begin = part == 0 ? y.parts[0] : part == 1 ? y.parts[1] : y.parts[2];
  float* const to = begin + static_cast<std::int64_t>(row) * y.width + column % y.width;
  *to = finished(sum, then, to);
}

void rows_times_matrix(const float* x, const float* weight, const float* bias, const Destination& y,
                       int rows, int in, int out, After then, const Launch& launch) {
  const dim3 block(kColumns, kSlices);
  const auto kernel = rows == 1 ? rows_times_matrix_kernel<1> : rows_times_matrix_kernel<kMostRows>;
  kernel<<<blocks_for(out, kColumns), block, 0, launch.stream>>>(x, weight, bias, y, rows, in, out,
                                                                 then);
  CUDA_CHECK(cudaGetLastError());
}

// y[r, c] = silu(x[r, c]) * x[r, width + c]
__global__ void swiglu_kernel(const float* x,  // [rows, 2 width]
                              float* y,        // [rows, width]
                              int width) {
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= width) return;
  const float* const row = x + static_cast<std::int64_t>(blockIdx.y) * 2 * width;
  const float a = row[c];
  y[static_cast<std::int64_t>(blockIdx.y) * width + c] = a * cuda::sigmoid(a) * row[width + c];
}

// y[m] = x . table[m, :], a warp each.
constexpr int kWarpsOfTable = 8;

__global__ void dot_with_rows_kernel(const float* x,      // [C]
                                     const float* table,  // [M, C]
                                     float* y,            // [M]
                                     int M, int C) {
  const int m = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (m >= M) return;  // the whole warp
  const float* const row = table + static_cast<std::int64_t>(m) * C;
  float sum = 0.0f;
#pragma unroll 8
  for (int c = static_cast<int>(threadIdx.x); c < C; c += kWarp) sum += x[c] * row[c];
  sum = warp_sum(sum);
  if (threadIdx.x == 0) y[m] = sum;
}

// ---- Attention with the cache.

// A block has one head of one query. Its warps take the keys in turn, kTogether of them at once so
// that as many reads are on their way, and meet at the end.
constexpr int kWarpsOfHead = 16;
constexpr int kTogether = 4;
constexpr int kLargestHead = 256;

// kLaneColumns: the numbers of a head that a lane has, lane, lane + 32, ...
template <int kLaneColumns>
__global__ void __launch_bounds__(kWarp* kWarpsOfHead)
    attend_kernel(const float* queries,  // [rows, C]
                  const float* keys,     // [position + rows, C]
                  const float* values,   // [position + rows, C]
                  float* out,            // [rows, C]
                  int position, int C, int D) {
  __shared__ float columns_of[kWarpsOfHead][kLaneColumns * kWarp];
  __shared__ float largest_of[kWarpsOfHead], sum_of[kWarpsOfHead];
  const int lane = static_cast<int>(threadIdx.x), warp = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y), seen = position + row + 1;
  const int head = static_cast<int>(blockIdx.x) * D;
  const std::int64_t query_at = static_cast<std::int64_t>(row) * C + head;
  const float scale = 1 / sqrtf(static_cast<float>(D));
  float query[kLaneColumns];
#pragma unroll
  for (int k = 0; k < kLaneColumns; ++k) {
    const int c = lane + k * kWarp;
    query[k] = c < D ? queries[query_at + c] * scale : 0.0f;
  }

  float largest = -CUDART_INF_F, sum = 0.0f;
  float columns[kLaneColumns] = {};
  for (int first = warp; first < seen; first += kWarpsOfHead * kTogether) {
    float score[kTogether] = {}, value[kTogether][kLaneColumns];
#pragma unroll
    for (int b = 0; b < kTogether; ++b) {
      // The last position again where there is none: its score is then taken back.
      const int t = min(first + b * kWarpsOfHead, seen - 1);
      const std::int64_t at = static_cast<std::int64_t>(t) * C + head;
#pragma unroll
      for (int k = 0; k < kLaneColumns; ++k) {
        const int c = lane + k * kWarp;
        if (c < D) score[b] += query[k] * keys[at + c];
        value[b][k] = c < D ? values[at + c] : 0.0f;
      }
    }
    float before = largest;
#pragma unroll
    for (int b = 0; b < kTogether; ++b) {
      score[b] = warp_sum(score[b]);
      if (first + b * kWarpsOfHead >= seen) score[b] = -CUDART_INF_F;
      largest = fmaxf(largest, score[b]);
    }
    const float shrink = expf(before - largest);
    sum *= shrink;
#pragma unroll
    for (int k = 0; k < kLaneColumns; ++k) columns[k] *= shrink;
#pragma unroll
    for (int b = 0; b < kTogether; ++b) {
      const float weight = expf(score[b] - largest);
      sum += weight;
#pragma unroll
      for (int k = 0; k < kLaneColumns; ++k) columns[k] += weight * value[b][k];
    }
  }

  if (lane == 0) {
    largest_of[warp] = largest;
    sum_of[warp] = sum;
  }
#pragma unroll
  for (int k = 0; k < kLaneColumns; ++k) columns_of[warp][lane + k * kWarp] = columns[k];
  __syncthreads();
  for (int c = warp * kWarp + lane; c < D; c += kWarp * kWarpsOfHead) {
    float largest_of_all = -CUDART_INF_F;
    for (int w = 0; w < kWarpsOfHead; ++w) largest_of_all = fmaxf(largest_of_all, largest_of[w]);
    float total = 0.0f, column = 0.0f;
    for (int w = 0; w < kWarpsOfHead; ++w) {
      const float share = expf(largest_of[w] - largest_of_all);  // 0 of a warp without a key
      total += share * sum_of[w];
      column += share * columns_of[w][c];
    }
    out[query_at + c] = column / total;
  }
}

void attend(const float* queries, const float* keys, const float* values, float* out, int rows,
            int position, const ModelConfig& config, const Launch& launch) {
  const int D = config.head_size();
  const auto kernel = D <= 32    ? attend_kernel<1>
                      : D <= 64  ? attend_kernel<2>
                      : D <= 128 ? attend_kernel<4>
                                 : attend_kernel<8>;
  const dim3 grid(static_cast<unsigned>(config.heads), static_cast<unsigned>(rows));
  kernel<<<grid, dim3(kWarp, kWarpsOfHead), 0, launch.stream>>>(queries, keys, values, out,
                                                                position, config.width, D);
  CUDA_CHECK(cudaGetLastError());
}

// ---- The model.

struct Buffers {
  Buffers(BufferPlan& plan, const ModelConfig& c)
      : stream(plan.numbers(std::int64_t{kMostRows} * c.width)),
        narrow(plan.numbers(std::int64_t{kMostRows} * c.width)),
        queries(plan.numbers(std::int64_t{kMostRows} * c.width)),
        wide(plan.numbers(std::int64_t{kMostRows} * 2 * c.mlp_width)),
        activated(plan.numbers(std::int64_t{kMostRows} * c.mlp_width)) {}

  float* stream;     // [rows, C]
  float* narrow;     // [rows, C]
  float* queries;    // [rows, C]
  float* wide;       // [rows, 2F], of swiglu alone
  float* activated;  // [rows, F]
};

After after_expansion(Activation activation) {
  switch (activation) {
    case Activation::gelu:
      return After::gelu;
    case Activation::gelu_erf:
      return After::gelu_erf;
    case Activation::relu:
      return After::relu;
    case Activation::swiglu:
      break;
  }
  return After::nothing;
}

class Decoder {
 public:
  Decoder(const ParameterLayout& layout, const float* parameters, void* cache, const Launch& launch)
      : config_(layout.config()),
        parameters_(layout.view<const float>(parameters)),
        cache_(cache, config_),
        plan_(launch.scratch),
        buffers_(plan_, config_),
        launch_(launch) {}

  // Leaves the stream after the last block in `buffers.stream`.
  void run(const int* tokens, int rows, int position) {
    const std::int64_t before = std::int64_t{position} * config_.width;
    const float* const table = parameters_.position_table;
    cuda::embed(tokens, parameters_.token_table, table == nullptr ? nullptr : table + before,
                buffers_.stream, 1, rows, config_.width, launch_);
    for (int layer = 0; layer < config_.layers; ++layer) block(layer, rows, position);
  }

  void logits(int row, float* out) {
    const int V = config_.vocabulary, C = config_.width;
    cuda::norm_forward(buffers_.stream + std::int64_t{row} * C, parameters_.final_gain,
                       parameters_.final_bias, buffers_.narrow, {}, 1, C, launch_);
    dot_with_rows_kernel<<<blocks_for(V, kWarpsOfTable), dim3(kWarp, kWarpsOfTable), 0,
                           launch_.stream>>>(buffers_.narrow, parameters_.output_table, out, V, C);
    CUDA_CHECK(cudaGetLastError());
  }

 private:
  void block(int layer, int rows, int position) {
    const BlockTensors<const float>& p = parameters_.blocks[static_cast<std::size_t>(layer)];
    const int C = config_.width, F = config_.mlp_width;
    float* const keys = cache_.keys(layer);
    float* const values = cache_.values(layer);
    const std::int64_t before = std::int64_t{position} * C;
    const Destination stream = {{buffers_.stream}, C};

    cuda::norm_forward(buffers_.stream, p.norm1_gain, p.norm1_bias, buffers_.narrow, {}, rows, C,
                       launch_);
    // Keys and values go into the cache, which the queries look at next.
    rows_times_matrix(buffers_.narrow, p.qkv_weight, p.qkv_bias,
                      {{buffers_.queries, keys + before, values + before}, C}, rows, C, 3 * C,
                      After::nothing, launch_);
    attend(buffers_.queries, keys, values, buffers_.narrow, rows, position, config_, launch_);
    rows_times_matrix(buffers_.narrow, p.out_weight, p.out_bias, stream, rows, C, C, After::add,
                      launch_);

    cuda::norm_forward(buffers_.stream, p.norm2_gain, p.norm2_bias, buffers_.narrow, {}, rows, C,
                       launch_);
    const bool gated = config_.activation == Activation::swiglu;
    const int expanded = gated ? 2 * F : F;
    rows_times_matrix(buffers_.narrow, p.expand_weight, p.expand_bias,
                      {{gated ? buffers_.wide : buffers_.activated}, expanded}, rows, C, expanded,
                      after_expansion(config_.activation), launch_);
    if (gated) {
      const dim3 grid(static_cast<unsigned>(blocks_for(F, 128)), static_cast<unsigned>(rows));
      swiglu_kernel<<<grid, 128, 0, launch_.stream>>>(buffers_.wide, buffers_.activated, F);
      CUDA_CHECK(cudaGetLastError());
    }
    rows_times_matrix(buffers_.activated, p.contract_weight, p.contract_bias, stream, rows, F, C,
                      After::add, launch_);
  }

  const ModelConfig& config_;
  ModelTensors<const float> parameters_;
  KeyValueCache cache_;
  BufferPlan plan_;
  Buffers buffers_;
  Launch launch_;
};

}  // namespace

std::string decode_supports(const ModelConfig& config) {
  if (config.norm != NormPlacement::pre) return "the cuda set decodes pre-norm models only";
  if (config.positions == Positions::rotary || config.positions == Positions::sinusoidal) {
    return "the cuda set decodes with learned positions or none";
  }
  if (config.head_size() > kLargestHead) {
    return "the cuda set decodes with heads of at most " + std::to_string(kLargestHead) +
           " numbers; these have " + std::to_string(config.head_size());
  }
  return "";
}

std::size_t decode_cache_bytes(const ModelConfig& config) { return KeyValueCache::bytes(config); }

std::size_t decode_scratch_bytes(const ModelConfig& config) {
  BufferPlan plan;
  Buffers(plan, config);
  return plan.total();
}

void decode_forward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                    int count, int position, void* cache, float* logits, const Launch& launch) {
  Decoder decoder(layout, parameters, cache, launch);
  int rows = 0;
  for (int fed = 0; fed < count; fed += rows) {
    rows = std::min(count - fed, kMostRows);
    decoder.run(tokens + fed, rows, position + fed);
  }
  decoder.logits(rows - 1, logits);
}

}  // namespace andrea
