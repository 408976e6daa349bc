#include "kernels/parameter_layout.h"

#include <functional>
#include <numeric>
#include <utility>

#include "kernels/activation.h"

namespace andrea {
namespace {

constexpr std::int64_t kAlignedNumbers = static_cast<std::int64_t>(kAlignment / sizeof(float));

std::string block_name(int layer, const char* part) {
  return "transformer.h." + std::to_string(layer) + "." + part;
}

}  // namespace

std::int64_t ParameterTensor::count() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

ParameterLayout::ParameterLayout(const ModelConfig& config) : config_(config) {
  BlockOffsets absent;
  absent.fill(kAbsent);
  blocks_.assign(static_cast<std::size_t>(config.layers), absent);
  add_matrices();
  decayed_ = size_;
  add_vectors();
}

std::int64_t ParameterLayout::parameter_count() const {
  std::int64_t total = 0;
  for (const ParameterTensor& tensor : tensors_) total += tensor.count();
  return total;
}

std::int64_t ParameterLayout::add(const std::string& name, std::vector<std::int64_t> shape,
                                  std::int64_t padded_rows) {
  ParameterTensor tensor{name, std::move(shape), size_, 0};
  tensor.stored = padded_rows > 0 ? padded_rows * tensor.shape[1] : tensor.count();
  size_ += (tensor.stored + kAlignedNumbers - 1) / kAlignedNumbers * kAlignedNumbers;
  tensors_.push_back(tensor);
  return tensor.offset;
}

void ParameterLayout::add_matrices() {
  const std::int64_t C = config_.width;
  const std::int64_t F = config_.mlp_width;
  const std::int64_t F_in = activation_input_width(config_.activation, config_.mlp_width);
  const std::int64_t V = config_.vocabulary;
  const std::int64_t padded_V = config_.padded_vocabulary();

  token_table_ = add("transformer.wte.weight", {V, C}, padded_V);
  if (config_.positions == Positions::learned) {
    position_table_ = add("transformer.wpe.weight", {config_.context, C});
  }
  for (int l = 0; l < config_.layers; ++l) {
    BlockOffsets& block = blocks_[static_cast<std::size_t>(l)];
    block[2] = add(block_name(l, "attn.c_attn.weight"), {C, 3 * C});
    block[4] = add(block_name(l, "attn.c_proj.weight"), {C, C});
    block[8] = add(block_name(l, "mlp.c_fc.weight"), {C, F_in});
    block[10] = add(block_name(l, "mlp.c_proj.weight"), {F, C});
  }
  if (!config_.tied) output_table_ = add("lm_head.weight", {V, C}, padded_V);
}

void ParameterLayout::add_vectors() {
  const std::int64_t C = config_.width;
  const std::int64_t F_in = activation_input_width(config_.activation, config_.mlp_width);

  for (int l = 0; l < config_.layers; ++l) {
    BlockOffsets& block = blocks_[static_cast<std::size_t>(l)];
    if (config_.norm != NormPlacement::none) {
      block[0] = add(block_name(l, "ln_1.weight"), {C});
      block[1] = add(block_name(l, "ln_1.bias"), {C});
    }
    if (config_.biases) {
      block[3] = add(block_name(l, "attn.c_attn.bias"), {3 * C});
      block[5] = add(block_name(l, "attn.c_proj.bias"), {C});
    }
    if (config_.norm != NormPlacement::none) {
      block[6] = add(block_name(l, "ln_2.weight"), {C});
      block[7] = add(block_name(l, "ln_2.bias"), {C});
    }
    if (config_.biases) {
      block[9] = add(block_name(l, "mlp.c_fc.bias"), {F_in});
      block[11] = add(block_name(l, "mlp.c_proj.bias"), {C});
    }
  }
  if (config_.norm == NormPlacement::pre) {
    final_gain_ = add("transformer.ln_f.weight", {C});
    final_bias_ = add("transformer.ln_f.bias", {C});
  }
}

}  // namespace andrea
