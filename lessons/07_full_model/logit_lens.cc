#include "lessons/07_full_model/logit_lens.h"

#include "kernels/block.h"
#include "kernels/cross_entropy.h"
#include "kernels/dot_similarity.h"
#include "kernels/embedding.h"
#include "kernels/layer_norm.h"
#include "lessons/07_full_model/model_memory.h"

namespace andrea {

LogitLens::LogitLens(const ParameterLayout& layout, const DeviceBuffer<float>& parameters)
    : layout_(layout), parameters_(parameters) {
  const ModelConfig& config = layout.config();
  scratch_ = DeviceBuffer<char>(
      static_cast<std::int64_t>(lesson07::operation_scratch_bytes(config, 1, config.context)));
  launch_ = {.scratch = scratch_.data(), .scratch_bytes = scratch_.bytes()};
}

void LogitLens::read(std::span<const int> tokens) {
  const ModelConfig& config = layout_.config();
  const auto p = layout_.view<const float>(parameters_.data());
  if (T_ != static_cast<int>(tokens.size())) {
    T_ = static_cast<int>(tokens.size());
    const std::int64_t numbers = std::int64_t{T_} * config.width;
    streams_.clear();
    for (int l = 0; l <= config.layers; ++l) streams_.emplace_back(numbers);
    normed_ = DeviceBuffer<float>(numbers);
    logits_ = DeviceBuffer<float>(std::int64_t{T_} * config.padded_vocabulary());
    tokens_ = DeviceBuffer<int>(T_);
    targets_ = DeviceBuffer<int>(T_);
    losses_ = DeviceBuffer<float>(T_);
  }
  tokens_.upload(tokens);
  embedding_forward(tokens_.data(), p.token_table, p.position_table, streams_[0].data(), 1, T_,
                    config.width, launch_);
  for (std::size_t l = 0; l < p.blocks.size(); ++l) {
    block_forward(config, p.blocks[l], streams_[l].data(), streams_[l + 1].data(), nullptr, 1, T_,
                  launch_);
  }
}

void LogitLens::project(int blocks) {
  const ModelConfig& config = layout_.config();
  const auto p = layout_.view<const float>(parameters_.data());
  const int stride = config.padded_vocabulary();
  layer_norm_forward(streams_[static_cast<std::size_t>(blocks)].data(), p.final_gain, p.final_bias,
                     normed_.data(), nullptr, T_, config.width, launch_);
  dot_similarity_forward(normed_.data(), p.output_table, logits_.data(), T_, stride, config.width,
                         stride, launch_);
}

std::vector<float> LogitLens::logits(int blocks) {
  project(blocks);
  return logits_.to_host();
}

std::vector<float> LogitLens::losses(int blocks, std::span<const int> targets) {
  project(blocks);
  targets_.upload(targets);
  cross_entropy_forward(logits_.data(), targets_.data(), losses_.data(), T_,
                        layout_.config().vocabulary, layout_.config().padded_vocabulary(), launch_);
  return losses_.to_host();
}

}  // namespace andrea
