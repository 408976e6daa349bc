// Causal attention in tiles: a thread takes one head and kTile queries, computes their scores
// against the keys that they may see, and is done with them before it goes on. The T x T weights
// never exist as a whole; of each row forward keeps one number, from which backward computes the
// weights again (FlashAttention, Dao et al. 2022, algorithm 4, with whole rows in place of blocks).

#include "kernels/attention.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "kernels/cpu/enqueue.h"
#include "kernels/cpu/gemm.h"
#include "kernels/cpu/vector_math.h"

namespace andrea {
namespace {

constexpr int kTile = 128;

// One head of one sequence in the packed buffers.
struct Head {
  Head(const AttentionShape& s, int batch, int head)
      : shape(s),
        row(static_cast<std::ptrdiff_t>(batch) * s.T),
        column(head * s.head_size()),
        scale(1.0f / std::sqrt(static_cast<float>(s.head_size()))) {}

  // Offsets of position t in qkv (0 query, 1 key, 2 value) and in the [B, T, C] buffers.
  std::ptrdiff_t qkv(int part, int t) const {
    return (row + t) * 3 * shape.C + static_cast<std::ptrdiff_t>(part) * shape.C + column;
  }
  std::ptrdiff_t out(int t) const { return (row + t) * shape.C + column; }

  const AttentionShape& shape;
  std::ptrdiff_t row;
  int column;
  float scale;
};

// The queries of one tile, and how many keys the last of them sees.
struct Tile {
  Tile(const AttentionShape& shape, int index)
      : first(index * kTile),
        rows(std::min(kTile, shape.T - first)),
        keys(shape.causal ? first + rows : shape.T) {}

  int visible(const AttentionShape& shape, int r) const {
    return shape.causal ? first + r + 1 : shape.T;
  }

  int first;
  int rows;
  int keys;
};

int tiles_of(const AttentionShape& shape) { return (shape.T + kTile - 1) / kTile; }

std::size_t tile_numbers(const AttentionShape& shape) {
  return static_cast<std::size_t>(std::min(kTile, shape.T)) * static_cast<std::size_t>(shape.T);
}

// Backward holds two tiles a thread: the weights and their gradients.
std::size_t thread_bytes(const AttentionShape& shape) {
  return align_up(2 * tile_numbers(shape) * sizeof(float));
}

// As many threads as both OpenMP and the scratch buffer allow.
int threads_for(const AttentionShape& shape, const Launch& launch) {
  const auto room = static_cast<int>(launch.scratch_bytes / thread_bytes(shape));
  return std::max(1, std::min(omp_get_max_threads(), room));
}

cpu::Use uses_scratch(const AttentionShape& shape, const Launch& launch) {
  return cpu::writes("scratch", static_cast<char*>(launch.scratch), threads_for(shape, launch),
                     thread_bytes(shape));
}

float* scratch_of_thread(const AttentionShape& shape, const Launch& launch) {
  return reinterpret_cast<float*>(static_cast<char*>(launch.scratch) +
                                  static_cast<std::size_t>(omp_get_thread_num()) *
                                      thread_bytes(shape));
}

// scores [tile.rows, tile.keys] = query . key, not yet scaled.
void compute_scores(const Head& head, const Tile& tile, const float* qkv, float* scores) {
  const AttentionShape& s = head.shape;
  cpu::gemm({.m = tile.rows,
             .n = tile.keys,
             .k = s.head_size(),
             .lda = 3 * s.C,
             .ldb = 3 * s.C,
             .ldc = tile.keys,
             .transpose_b = true},
            qkv + head.qkv(0, tile.first), qkv + head.qkv(1, 0), nullptr, scores);
}

void forward_tile(const Head& head, const Tile& tile, const float* qkv, float* out,
                  float* log_sum_exp, float* weights) {
  const AttentionShape& s = head.shape;
  compute_scores(head, tile, qkv, weights);
  for (int r = 0; r < tile.rows; ++r) {
    float* row = weights + static_cast<std::ptrdiff_t>(r) * tile.keys;
    const int visible = tile.visible(s, r);
    const float scale = head.scale;
    const float largest = cpu::max_of(row, visible);
    const float sum = cpu::sum_over(
        visible, [=](int j) { return row[j] = cpu::exp_polynomial((row[j] - largest) * scale); });
    const float inverse = 1.0f / sum;
    for (int j = 0; j < visible; ++j) row[j] *= inverse;
    std::fill(row + visible, row + tile.keys, 0.0f);
    if (log_sum_exp != nullptr) log_sum_exp[tile.first + r] = largest * scale + std::log(sum);
  }
  cpu::gemm({.m = tile.rows,
             .n = s.head_size(),
             .k = tile.keys,
             .lda = tile.keys,
             .ldb = 3 * s.C,
             .ldc = s.C},
            weights, qkv + head.qkv(2, 0), nullptr, out + head.out(tile.first));
}

// dvalue and dkey of all keys up to tile.keys receive this tile's part: `add` says whether the
// buffer already holds parts of other tiles.
void backward_tile(const Head& head, const Tile& tile, const float* dout, const float* qkv,
                   const float* out, const float* log_sum_exp, float* dqkv, bool add,
                   float* weights, float* dweights) {
  const AttentionShape& s = head.shape;
  const int D = s.head_size();
  const float* tile_dout = dout + head.out(tile.first);
  compute_scores(head, tile, qkv, weights);
  cpu::gemm({.m = tile.rows,
             .n = tile.keys,
             .k = D,
             .lda = s.C,
             .ldb = 3 * s.C,
             .ldc = tile.keys,
             .transpose_b = true},
            tile_dout, qkv + head.qkv(2, 0), nullptr, dweights);

  for (int r = 0; r < tile.rows; ++r) {
    float* weight = weights + static_cast<std::ptrdiff_t>(r) * tile.keys;
    float* dscore = dweights + static_cast<std::ptrdiff_t>(r) * tile.keys;
    const float* o = out + head.out(tile.first + r);
    const float* g = dout + head.out(tile.first + r);
    const float dot = cpu::sum_over(D, [=](int c) { return g[c] * o[c]; });
    const float shift = log_sum_exp[tile.first + r];
    const float scale = head.scale;
    const int visible = tile.visible(s, r);
    for (int j = 0; j < visible; ++j) {
      weight[j] = cpu::exp_polynomial(weight[j] * scale - shift);
      dscore[j] = weight[j] * (dscore[j] - dot) * scale;
    }
    std::fill(weight + visible, weight + tile.keys, 0.0f);
    std::fill(dscore + visible, dscore + tile.keys, 0.0f);
  }

  const cpu::GemmShape transposed{.m = tile.keys,
                                  .n = D,
                                  .k = tile.rows,
                                  .lda = tile.keys,
                                  .ldb = s.C,
                                  .ldc = 3 * s.C,
                                  .transpose_a = true,
                                  .add = add};
  cpu::gemm(transposed, weights, tile_dout, nullptr, dqkv + head.qkv(2, 0));
  cpu::GemmShape against_queries = transposed;
  against_queries.ldb = 3 * s.C;
  cpu::gemm(against_queries, dweights, qkv + head.qkv(0, tile.first), nullptr,
            dqkv + head.qkv(1, 0));
  cpu::gemm(
      {.m = tile.rows, .n = D, .k = tile.keys, .lda = tile.keys, .ldb = 3 * s.C, .ldc = 3 * s.C},
      dweights, qkv + head.qkv(1, 0), nullptr, dqkv + head.qkv(0, tile.first));
}

}  // namespace

std::string attention_supports(const AttentionShape& shape) {
  if (shape.rotary) return "the cpu set's attention has no rotary positions";
  return "";
}

std::size_t attention_saved_bytes(const AttentionShape& shape) {
  return align_up(sizeof(float) * static_cast<std::size_t>(shape.B) *
                  static_cast<std::size_t>(shape.H) * static_cast<std::size_t>(shape.T));
}

std::size_t attention_scratch_bytes(const AttentionShape& shape) {
  return static_cast<std::size_t>(omp_get_max_threads()) * thread_bytes(shape);
}

void attention_forward(const float* qkv, float* out, void* saved, const AttentionShape& shape,
                       const Launch& launch) {
  auto* log_sum_exp = static_cast<float*>(saved);  // [B, H, T]
  const auto work = [=] {
    const int tiles = tiles_of(shape);
    // The longest tasks first: the last tile of a head sees all keys, the first only its own.
#pragma omp parallel for schedule(dynamic) num_threads(threads_for(shape, launch))
    for (int task = shape.B * shape.H * tiles - 1; task >= 0; --task) {
      const int sequence = task % (shape.B * shape.H);
      const Head head(shape, sequence / shape.H, sequence % shape.H);
      const Tile tile(shape, task / (shape.B * shape.H));
      float* kept = log_sum_exp == nullptr
                        ? nullptr
                        : log_sum_exp + static_cast<std::ptrdiff_t>(sequence) * shape.T;
      forward_tile(head, tile, qkv, out, kept, scratch_of_thread(shape, launch));
    }
  };
  cpu::enqueue(launch, "attention_forward",
               {cpu::reads("qkv", qkv, shape.B, shape.T, 3 * shape.C),
                cpu::writes("out", out, shape.B, shape.T, shape.C),
                cpu::optional(cpu::writes("saved", log_sum_exp, shape.B, shape.H, shape.T)),
                uses_scratch(shape, launch)},
               work);
}

void attention_backward(const float* dout, const float* qkv, const float* out, const void* saved,
                        float* dqkv, const AttentionShape& shape, const Launch& launch) {
  const auto* log_sum_exp = static_cast<const float*>(saved);  // [B, H, T]
  const auto work = [=] {
    const int tiles = tiles_of(shape);
    // One thread does a whole head, so that the sums over tiles have one order.
#pragma omp parallel for schedule(dynamic) num_threads(threads_for(shape, launch))
    for (int sequence = 0; sequence < shape.B * shape.H; ++sequence) {
      const Head head(shape, sequence / shape.H, sequence % shape.H);
      float* weights = scratch_of_thread(shape, launch);
      float* dweights = weights + tile_numbers(shape);
      // The last tile sees every key and so writes all of dkey and dvalue; the others add.
      for (int index = tiles - 1; index >= 0; --index) {
        backward_tile(head, Tile(shape, index), dout, qkv, out,
                      log_sum_exp + static_cast<std::ptrdiff_t>(sequence) * shape.T, dqkv,
                      index != tiles - 1, weights, dweights);
      }
    }
  };
  cpu::enqueue(
      launch, "attention_backward",
      {cpu::reads("dout", dout, shape.B, shape.T, shape.C),
       cpu::reads("qkv", qkv, shape.B, shape.T, 3 * shape.C),
       cpu::reads("out", out, shape.B, shape.T, shape.C),
       cpu::reads("saved", log_sum_exp, shape.B, shape.H, shape.T),
       cpu::writes("dqkv", dqkv, shape.B, shape.T, 3 * shape.C), uses_scratch(shape, launch)},
      work);
}

}  // namespace andrea
