#include "lessons/06_residual_block/placed_norms_model.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "kernels/activation.h"
#include "kernels/adamw.h"
#include "kernels/attention.h"
#include "kernels/cross_entropy.h"
#include "kernels/dot_similarity.h"
#include "kernels/embedding.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "kernels/residual.h"

namespace andrea {
namespace {

DeviceBuffer<char> bytes(std::size_t count) {
  return DeviceBuffer<char>(static_cast<std::int64_t>(count));
}

}  // namespace

PlacedNormsModel::PlacedNormsModel(const ModelConfig& config, int B, double sum, unsigned seed)
    : config_(config),
      layout_(config),
      B_(B),
      T_(config.context),
      N_(B * T_),
      C_(config.width),
      parameters_(layout_.size()),
      gradients_(layout_.size()),
      first_moments_(layout_.size()),
      second_moments_(layout_.size()),
      scalars_(1),
      tokens_(N_),
      targets_(N_),
      embedded_(std::int64_t{N_} * C_),
      last_(std::int64_t{N_} * C_),
      last_saved_(bytes(layer_norm_saved_bytes(N_, C_))),
      logits_(std::int64_t{N_} * config.padded_vocabulary()),
      losses_(N_),
      dstream_(std::int64_t{N_} * C_),
      dnorm_(std::int64_t{N_} * C_),
      dbranch_(std::int64_t{N_} * C_),
      dinner_(std::int64_t{N_} * std::max(3 * C_, config.mlp_width)),
      dmixed_(std::int64_t{N_} * config.mlp_width) {
  const AttentionShape attention{B_, T_, C_, config.heads};
  const int V = config.padded_vocabulary();
  std::size_t scratch =
      std::max({embedding_scratch_bytes(B_, T_, C_, V), attention_scratch_bytes(attention),
                layer_norm_scratch_bytes(N_, C_), dot_similarity_scratch_bytes(N_, V, C_)});
  for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(config.layers); ++i) {
    const int M = inner_width(i), K = mixed_width(i);
    scratch = std::max({scratch, linear_scratch_bytes(N_, C_, M), linear_scratch_bytes(N_, K, C_)});
    States s;
    s.normed = DeviceBuffer<float>(std::int64_t{N_} * C_);
    s.inner = DeviceBuffer<float>(std::int64_t{N_} * M);
    s.mixed = DeviceBuffer<float>(std::int64_t{N_} * K);
    s.sum = DeviceBuffer<float>(std::int64_t{N_} * C_);
    s.y = DeviceBuffer<float>(std::int64_t{N_} * C_);
    s.norm_saved = bytes(layer_norm_saved_bytes(N_, C_));
    s.attention_saved = bytes(is_attention(i) ? attention_saved_bytes(attention) : 0);
    states_.push_back(std::move(s));
  }
  scratch_ = bytes(scratch);
  launch_ = {.scratch = scratch_.data(), .scratch_bytes = scratch_.bytes()};
  draw(sum, seed);
}

int PlacedNormsModel::inner_width(std::size_t i) const {
  return is_attention(i) ? 3 * C_ : config_.mlp_width;
}

int PlacedNormsModel::mixed_width(std::size_t i) const {
  return is_attention(i) ? C_ : config_.mlp_width;
}

template <typename Number>
SublayerTensors<Number> PlacedNormsModel::tensors(const ModelTensors<Number>& model,
                                                  std::size_t i) const {
  const BlockTensors<Number>& p = model.blocks[i / 2];
  if (is_attention(i)) {
    return {p.norm1_gain, p.norm1_bias, p.qkv_weight, p.qkv_bias, p.out_weight, p.out_bias};
  }
  return {p.norm2_gain,  p.norm2_bias,      p.expand_weight,
          p.expand_bias, p.contract_weight, p.contract_bias};
}

void PlacedNormsModel::draw(double sum, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<float> flat(static_cast<std::size_t>(layout_.size()));
  for (const ParameterTensor& tensor : layout_.tensors()) {
    const auto begin = flat.begin() + tensor.offset;
    const bool is_table = tensor.name.find("transformer.h.") == std::string::npos;
    if (tensor.is_matrix()) {
      const auto terms = static_cast<double>(is_table ? C_ : tensor.shape[0]);
      const auto deviation = static_cast<float>(sum / std::sqrt(terms));
      std::generate_n(begin, tensor.count(), [&] { return deviation * normal(generator); });
    } else if (tensor.name.find("ln_") != std::string::npos && tensor.name.ends_with("weight")) {
      std::fill_n(begin, tensor.count(), 1.0f);
    }
  }
  parameters_.upload(flat);
}

void PlacedNormsModel::branch(std::size_t i, const float* read, float* correction) {
  const auto p = tensors(layout_.view<const float>(parameters_.data()), i);
  States& s = states_[i];
  linear_forward(read, p.in_weight, p.in_bias, s.inner.data(), N_, C_, inner_width(i), launch_);
  if (is_attention(i)) {
    attention_forward(s.inner.data(), s.mixed.data(), s.attention_saved.data(),
                      {B_, T_, C_, config_.heads}, launch_);
  } else {
    activation_forward(Activation::gelu, s.inner.data(), s.mixed.data(), N_, config_.mlp_width,
                       launch_);
  }
  linear_forward(s.mixed.data(), p.out_weight, p.out_bias, correction, N_, mixed_width(i), C_,
                 launch_);
}

void PlacedNormsModel::branch_backward(std::size_t i, const float* dcorrection, const float* read,
                                       float* dread) {
  const auto p = tensors(layout_.view<const float>(parameters_.data()), i);
  const auto g = tensors(layout_.view<float>(gradients_.data()), i);
  const States& s = states_[i];
  linear_backward(dcorrection, s.mixed.data(), p.out_weight, dmixed_.data(), g.out_weight,
                  g.out_bias, N_, mixed_width(i), C_, Accumulate::overwrite, launch_);
  if (is_attention(i)) {
    attention_backward(dmixed_.data(), s.inner.data(), s.mixed.data(), s.attention_saved.data(),
                       dinner_.data(), {B_, T_, C_, config_.heads}, launch_);
  } else {
    activation_backward(Activation::gelu, dmixed_.data(), s.inner.data(), dinner_.data(), N_,
                        config_.mlp_width, launch_);
  }
  linear_backward(dinner_.data(), read, p.in_weight, dread, g.in_weight, g.in_bias, N_, C_,
                  inner_width(i), Accumulate::overwrite, launch_);
}

void PlacedNormsModel::forward() {
  const auto model = layout_.view<const float>(parameters_.data());
  const std::int64_t count = std::int64_t{N_} * C_;
  embedding_forward(tokens_.data(), model.token_table, model.position_table, embedded_.data(), B_,
                    T_, C_, launch_);
  const float* x = embedded_.data();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const auto p = tensors(model, i);
    States& s = states_[i];
    if (config_.norm == NormPlacement::pre) {
      layer_norm_forward(x, p.gain, p.bias, s.normed.data(), s.norm_saved.data(), N_, C_, launch_);
      branch(i, s.normed.data(), s.y.data());
      residual_forward(x, s.y.data(), s.y.data(), count, launch_);
    } else {
      branch(i, x, s.sum.data());
      residual_forward(x, s.sum.data(), s.sum.data(), count, launch_);
      layer_norm_forward(s.sum.data(), p.gain, p.bias, s.y.data(), s.norm_saved.data(), N_, C_,
                         launch_);
    }
    x = s.y.data();
  }
  // Post-norm, the last sublayer has ended with a norm.
  if (config_.norm == NormPlacement::pre) {
    layer_norm_forward(x, model.final_gain, model.final_bias, last_.data(), last_saved_.data(), N_,
                       C_, launch_);
    x = last_.data();
  }
  dot_similarity_forward(x, model.output_table, logits_.data(), N_, config_.padded_vocabulary(), C_,
                         config_.padded_vocabulary(), launch_);
}

void PlacedNormsModel::backward() {
  const auto model = layout_.view<const float>(parameters_.data());
  const auto gradients = layout_.view<float>(gradients_.data());
  const std::int64_t count = std::int64_t{N_} * C_;
  const int V = config_.padded_vocabulary();
  const bool pre = config_.norm == NormPlacement::pre;
  const float* end = states_.back().y.data();
  dot_similarity_backward(logits_.data(), pre ? last_.data() : end, model.output_table,
                          pre ? dnorm_.data() : dstream_.data(), gradients.output_table, N_, V, C_,
                          V, Accumulate::overwrite, launch_);
  if (pre) {
    layer_norm_backward(dnorm_.data(), end, model.final_gain, last_saved_.data(), dstream_.data(),
                        gradients.final_gain, gradients.final_bias, N_, C_, Accumulate::overwrite,
                        launch_);
  }
  for (std::size_t i = states_.size(); i-- > 0;) {
    const auto p = tensors(model, i);
    const auto g = tensors(gradients, i);
    const States& s = states_[i];
    const float* x = i == 0 ? embedded_.data() : states_[i - 1].y.data();
    if (pre) {
      branch_backward(i, dstream_.data(), s.normed.data(), dnorm_.data());
      layer_norm_backward(dnorm_.data(), x, p.gain, s.norm_saved.data(), dbranch_.data(), g.gain,
                          g.bias, N_, C_, Accumulate::overwrite, launch_);
      residual_backward(dstream_.data(), dbranch_.data(), dstream_.data(), count, launch_);
    } else {
      layer_norm_backward(dstream_.data(), s.sum.data(), p.gain, s.norm_saved.data(), dnorm_.data(),
                          g.gain, g.bias, N_, C_, Accumulate::overwrite, launch_);
      branch_backward(i, dnorm_.data(), x, dbranch_.data());
      residual_backward(dnorm_.data(), dbranch_.data(), dstream_.data(), count, launch_);
    }
  }
  embedding_backward(dstream_.data(), tokens_.data(), gradients.token_table,
                     gradients.position_table, B_, T_, C_, V, Accumulate::overwrite, launch_);
}

double PlacedNormsModel::loss_and_gradients(std::span<const int> tokens,
                                            std::span<const int> targets) {
  tokens_.upload(tokens);
  targets_.upload(targets);
  forward();
  cross_entropy_forward_backward(logits_.data(), targets_.data(), losses_.data(),
                                 1.0f / static_cast<float>(N_), N_, config_.vocabulary,
                                 config_.padded_vocabulary(), launch_);
  backward();
  double sum = 0;
  for (const float loss : losses_.to_host()) sum += static_cast<double>(loss);
  return sum / N_;
}

double PlacedNormsModel::step(std::span<const int> tokens, std::span<const int> targets,
                              float learning_rate) {
  const double loss = loss_and_gradients(tokens, targets);
  StepScalars scalars;
  scalars.step = ++steps_;
  scalars.learning_rate = learning_rate;
  scalars_.upload({&scalars, 1});
  adamw(parameters_.data(), gradients_.data(), first_moments_.data(), second_moments_.data(),
        layout_.size(), layout_.decayed(), AdamWOptions{}, scalars_.data(), launch_);
  return loss;
}

}  // namespace andrea
