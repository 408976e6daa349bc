// Decoding with the keys and values of all earlier positions kept. The operations of the block that
// work row by row are the contract's own; only the products with one row are done here.

#include "kernels/decode.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/activation.h"
#include "kernels/composed/buffer_plan.h"
#include "kernels/cpu/enqueue.h"
#include "kernels/cpu/matrix_vector.h"
#include "kernels/cpu/vector_math.h"
#include "kernels/embedding.h"
#include "kernels/key_value_cache.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "kernels/residual.h"

namespace andrea {
namespace {

// From this many rows on a matrix product is quicker than as many products with a vector.
constexpr int kRowsForGemm = 4;

// Prompts are fed in pieces of at most this many tokens, which bounds the scratch buffer.
constexpr int kLongestPiece = 128;

struct Buffers {
  Buffers(BufferPlan& plan, const ModelConfig& c)
      : stream(plan.numbers(std::int64_t{kLongestPiece} * c.width)),
        narrow(plan.numbers(std::int64_t{kLongestPiece} * c.width)),
        wide(plan.numbers(std::int64_t{kLongestPiece} * widest(c))),
        activated(plan.numbers(std::int64_t{kLongestPiece} * c.mlp_width)),
        scores(plan.numbers(std::int64_t{c.heads} * c.context)),
        products(plan.bytes(cpu::vector_times_matrix_scratch_bytes(widest(c)))) {}

  static int widest(const ModelConfig& c) {
    return std::max({3 * c.width, c.width, activation_input_width(c.activation, c.mlp_width)});
  }

  float* stream;     // [rows, C]
  float* narrow;     // [rows, C]
  float* wide;       // [rows, 3C] or [rows, F_in]
  float* activated;  // [rows, F]
  float* scores;     // [H, context]
  void* products;
};

// One row's query looks at the keys and values of all positions up to its own.
struct Attention {
  int heads, C;
  int context;  // the stride of the scores

  void attend(const float* query, const float* keys, const float* values, int position,
              float* scores, float* out) const {
    const int D = C / heads;
    const float scale = 1.0f / std::sqrt(static_cast<float>(D));
    const int visible = position + 1;
#pragma omp parallel for schedule(static)
    for (int h = 0; h < heads; ++h) {
      const float* query_of_head = query + h * D;
      float* row = scores + std::int64_t{h} * context;
      for (int t = 0; t < visible; ++t) {
        const float* key = keys + std::int64_t{t} * C + h * D;
        row[t] = scale * cpu::sum_over(D, [=](int c) { return query_of_head[c] * key[c]; });
      }
      const float largest = cpu::max_of(row, visible);
      const float sum = cpu::sum_over(
          visible, [=](int t) { return row[t] = cpu::exp_polynomial(row[t] - largest); });
      float* out_of_head = out + h * D;
      std::fill(out_of_head, out_of_head + D, 0.0f);
      for (int t = 0; t < visible; ++t) {
        const float weight = row[t] / sum;
        const float* value = values + std::int64_t{t} * C + h * D;
        for (int c = 0; c < D; ++c) out_of_head[c] += weight * value[c];
      }
    }
  }
};

class Decoder {
 public:
  Decoder(const ModelConfig& config, const ModelTensors<const float>& parameters, void* cache,
          const Launch& launch)
      : config_(config),
        parameters_(parameters),
        cache_(cache, config),
        plan_(launch.scratch),
        buffers_(plan_, config),
        inner_(plan_.remaining(launch)) {}

  // Leaves the stream after the last block in `buffers.stream`.
  void run(const int* tokens, int rows, int position) {
    const float* positions =
        parameters_.position_table == nullptr
            ? nullptr
            : parameters_.position_table + std::int64_t{position} * config_.width;
    embedding_forward(tokens, parameters_.token_table, positions, buffers_.stream, 1, rows,
                      config_.width, inner_);
    for (int layer = 0; layer < config_.layers; ++layer) block(layer, rows, position);
  }

  void logits(int row, float* out) {
    layer_norm_forward(buffers_.stream + std::int64_t{row} * config_.width, parameters_.final_gain,
                       parameters_.final_bias, buffers_.narrow, nullptr, 1, config_.width, inner_);
    const float* x = buffers_.narrow;
    const float* table = parameters_.output_table;
    const int V = config_.vocabulary;
    const int C = config_.width;
    cpu::enqueue(inner_, "decode_forward",
                 {cpu::reads("parameters", table, V, C), cpu::reads("scratch", x, C),
                  cpu::writes("logits", out, V)},
                 [=] { cpu::dot_with_rows(x, table, out, V, C); });
  }

 private:
  void block(int layer, int rows, int position) {
    const BlockTensors<const float>& p = parameters_.blocks[static_cast<std::size_t>(layer)];
    const int C = config_.width;
    const int F = config_.mlp_width;
    const std::int64_t numbers = std::int64_t{rows} * C;

    layer_norm_forward(buffers_.stream, p.norm1_gain, p.norm1_bias, buffers_.narrow, nullptr, rows,
                       C, inner_);
    linear(buffers_.narrow, p.qkv_weight, p.qkv_bias, buffers_.wide, rows, C, 3 * C);
    attend(layer, rows, position);
    linear(buffers_.narrow, p.out_weight, p.out_bias, buffers_.wide, rows, C, C);
    residual_forward(buffers_.stream, buffers_.wide, buffers_.stream, numbers, inner_);

    layer_norm_forward(buffers_.stream, p.norm2_gain, p.norm2_bias, buffers_.narrow, nullptr, rows,
                       C, inner_);
    linear(buffers_.narrow, p.expand_weight, p.expand_bias, buffers_.wide, rows, C,
           activation_input_width(config_.activation, F));
    activation_forward(config_.activation, buffers_.wide, buffers_.activated, rows, F, inner_);
    linear(buffers_.activated, p.contract_weight, p.contract_bias, buffers_.narrow, rows, F, C);
    residual_forward(buffers_.stream, buffers_.narrow, buffers_.stream, numbers, inner_);
  }

  // Puts the keys and values of some rows into the cache, each before its query looks at them; the
  // results go to the rows of `narrow`.
  void attend(int layer, int rows, int position) {
    const Attention attention{config_.heads, config_.width, config_.context};
    const int C = config_.width;
    const float* wide = buffers_.wide;
    float* narrow = buffers_.narrow;
    float* scores = buffers_.scores;
    float* keys = cache_.keys(layer);
    float* values = cache_.values(layer);
    const auto work = [=] {
      const std::size_t row_bytes = sizeof(float) * static_cast<std::size_t>(C);
      for (int r = 0; r < rows; ++r) {
        const float* qkv = wide + std::int64_t{r} * 3 * C;
        std::memcpy(keys + std::int64_t{position + r} * C, qkv + C, row_bytes);
        std::memcpy(values + std::int64_t{position + r} * C, qkv + 2 * C, row_bytes);
        attention.attend(qkv, keys, values, position + r, scores, narrow + std::int64_t{r} * C);
      }
    };
    const std::int64_t before = std::int64_t{position} * C;
    cpu::enqueue(
        inner_, "decode_forward",
        {cpu::reads("cache", keys, before), cpu::reads("cache", values, before),
         cpu::writes("cache", keys + before, rows, C),
         cpu::writes("cache", values + before, rows, C), cpu::reads("scratch", wide, rows, 3 * C),
         cpu::writes("scratch", scores, config_.heads, config_.context),
         cpu::writes("scratch", narrow, rows, C)},
        work);
  }

  void linear(const float* x, const float* weight, const float* bias, float* y, int rows, int in,
              int out) {
    if (rows >= kRowsForGemm) {
      linear_forward(x, weight, bias, y, rows, in, out, inner_);
      return;
    }
    void* products = buffers_.products;
    const auto work = [=] {
      for (int r = 0; r < rows; ++r) {
        cpu::vector_times_matrix(x + std::int64_t{r} * in, weight, bias, y + std::int64_t{r} * out,
                                 in, out, products);
      }
    };
    cpu::enqueue(inner_, "decode_forward",
                 {cpu::reads("parameters", weight, in, out),
                  cpu::optional(cpu::reads("parameters", bias, out)),
                  cpu::reads("scratch", x, rows, in), cpu::writes("scratch", y, rows, out),
                  cpu::writes("scratch", static_cast<char*>(products),
                              cpu::vector_times_matrix_scratch_bytes(out))},
                 work);
  }

  const ModelConfig& config_;
  const ModelTensors<const float>& parameters_;
  KeyValueCache cache_;
  BufferPlan plan_;
  Buffers buffers_;
  Launch inner_;
};

}  // namespace

std::string decode_supports(const ModelConfig& config) {
  if (config.norm != NormPlacement::pre) return "the cpu set decodes pre-norm models only";
  if (config.positions == Positions::rotary || config.positions == Positions::sinusoidal) {
    return "the cpu set decodes with learned positions or none";
  }
  return activation_supports(config.activation);
}

std::size_t decode_cache_bytes(const ModelConfig& config) { return KeyValueCache::bytes(config); }

std::size_t decode_scratch_bytes(const ModelConfig& config) {
  BufferPlan plan;
  Buffers(plan, config);
  const int C = config.width;
  const int F = config.mlp_width;
  const int F_in = activation_input_width(config.activation, F);
  return plan.total() + std::max({embedding_scratch_bytes(1, kLongestPiece, C, config.vocabulary),
                                  layer_norm_scratch_bytes(kLongestPiece, C),
                                  linear_scratch_bytes(kLongestPiece, C, 3 * C),
                                  linear_scratch_bytes(kLongestPiece, C, C),
                                  linear_scratch_bytes(kLongestPiece, C, F_in),
                                  linear_scratch_bytes(kLongestPiece, F, C)});
}

void decode_forward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                    int count, int position, void* cache, float* logits, const Launch& launch) {
  const auto tensors = layout.view<const float>(parameters);
  Decoder decoder(layout.config(), tensors, cache, launch);
  int rows = 0;
  for (int fed = 0; fed < count; fed += rows) {
    rows = std::min(count - fed, kLongestPiece);
    decoder.run(tokens + fed, rows, position + fed);
  }
  decoder.logits(rows - 1, logits);
}

}  // namespace andrea
