// The whole model out of embedding, blocks, norm and dot similarity.

#include "kernels/transformer.h"

#include <algorithm>
#include <vector>

#include "kernels/block.h"
#include "kernels/composed/buffer_plan.h"
#include "kernels/composed/table_gradients.h"
#include "kernels/dot_similarity.h"
#include "kernels/embedding.h"
#include "kernels/layer_norm.h"

namespace andrea {
namespace {

// What forward computes on its way. Where no backward pass follows, all blocks share one stream.
struct Activations {
  Activations(BufferPlan& plan, const ModelConfig& config, int B, int T, bool for_backward) {
    const int N = B * T;
    const std::int64_t numbers = std::int64_t{N} * config.width;
    streams.push_back(plan.numbers(numbers));
    for (int l = 0; l < config.layers; ++l) {
      streams.push_back(for_backward ? plan.numbers(numbers) : streams.front());
      blocks.push_back(for_backward ? plan.bytes(block_saved_bytes(config, B, T)) : nullptr);
    }
    normed = plan.numbers(numbers);
    norm_saved = plan.bytes(layer_norm_saved_bytes(N, config.width));
  }

  std::vector<float*> streams;  // L + 1 of [B, T, C]: before and after each block
  std::vector<void*> blocks;    // what each block saved
  float* normed;                // [B, T, C]
  void* norm_saved;
};

std::size_t operation_scratch_bytes(const ModelConfig& config, int B, int T) {
  const int N = B * T;
  const int V = config.padded_vocabulary();
  return std::max({embedding_scratch_bytes(B, T, config.width, V),
                   block_scratch_bytes(config, B, T), layer_norm_scratch_bytes(N, config.width),
                   dot_similarity_scratch_bytes(N, V, config.width)});
}

std::size_t activation_bytes(const ModelConfig& config, int B, int T, bool for_backward) {
  BufferPlan plan;
  Activations(plan, config, B, T, for_backward);
  return plan.total();
}

}  // namespace

std::string transformer_supports(const ModelConfig& config) {
  if (config.positions == Positions::sinusoidal) {
    return "the composed model has no sinusoidal positions";
  }
  if (config.precision != Precision::fp32) return "these kernels compute in fp32 alone";
  return block_supports(config);
}

std::size_t transformer_saved_bytes(const ModelConfig& config, int B, int T) {
  return activation_bytes(config, B, T, true);
}

std::size_t transformer_scratch_bytes(const ModelConfig& config, int B, int T) {
  BufferPlan backward;
  backward.numbers(std::int64_t{2} * B * T * config.width);
  return std::max(activation_bytes(config, B, T, false), backward.total()) +
         operation_scratch_bytes(config, B, T);
}

void transformer_forward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                         float* logits, void* saved, int B, int T, const Launch& launch) {
  const ModelConfig& config = layout.config();
  const int N = B * T;
  const auto p = layout.view<const float>(parameters);
  BufferPlan plan(saved != nullptr ? saved : launch.scratch);
  const Activations a(plan, config, B, T, saved != nullptr);
  const Launch inner = saved != nullptr ? launch : plan.remaining(launch);

  embedding_forward(tokens, p.token_table, p.position_table, a.streams[0], B, T, config.width,
                    inner);
  for (std::size_t l = 0; l < p.blocks.size(); ++l) {
    block_forward(config, p.blocks[l], a.streams[l], a.streams[l + 1], a.blocks[l], B, T, inner);
  }
  layer_norm_forward(a.streams.back(), p.final_gain, p.final_bias, a.normed, a.norm_saved, N,
                     config.width, inner);
  dot_similarity_forward(a.normed, p.output_table, logits, N, config.padded_vocabulary(),
                         config.width, config.padded_vocabulary(), inner);
}

void transformer_backward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                          const float* dlogits, const void* saved, float* gradients, int B, int T,
                          Accumulate accumulate, const Launch& launch) {
  const ModelConfig& config = layout.config();
  const int N = B * T;
  const int V = config.padded_vocabulary();
  const auto p = layout.view<const float>(parameters);
  const auto g = layout.view<float>(gradients);
  BufferPlan saved_plan(const_cast<void*>(saved));
  const Activations a(saved_plan, config, B, T, true);
  BufferPlan plan(launch.scratch);
  float* dnormed = plan.numbers(std::int64_t{N} * config.width);
  float* dstream = plan.numbers(std::int64_t{N} * config.width);
  const Launch inner = plan.remaining(launch);

  dot_similarity_backward(dlogits, a.normed, p.output_table, dnormed, g.output_table, N, V,
                          config.width, V, accumulate, inner);
  layer_norm_backward(dnormed, a.streams.back(), p.final_gain, a.norm_saved, dstream, g.final_gain,
                      g.final_bias, N, config.width, accumulate, inner);
  for (std::size_t l = p.blocks.size(); l-- > 0;) {
    block_backward(config, p.blocks[l], dstream, a.streams[l], a.blocks[l], dstream, g.blocks[l], B,
                   T, accumulate, inner);
  }

  const Accumulate of_tables =
      prepare_table_gradients(config, g.position_table, T, accumulate, inner);
  embedding_backward(dstream, tokens, g.token_table, g.position_table, B, T, config.width, V,
                     of_tables, inner);
}

}  // namespace andrea
