#include "trainer/model/learner.h"

#include <algorithm>
#include <cmath>

#include "kernels/global_norm.h"
#include "kernels/training_pass.h"
#include "trainer/model/evaluator.h"

namespace andrea {
namespace {

std::string first_non_finite(const ParameterLayout& layout, const std::vector<float>& flat) {
  for (const ParameterTensor& tensor : layout.tensors()) {
    const auto first = flat.begin() + tensor.offset;
    if (!std::all_of(first, first + tensor.count(), [](float x) { return std::isfinite(x); })) {
      return tensor.name;
    }
  }
  return "";
}

}  // namespace

Learner::Learner(const ModelConfig& config, int B, int T)
    : layout_(config),
      B_(B),
      T_(T),
      parameters_(layout_.size()),
      gradients_(layout_.size()),
      first_moments_(layout_.size()),
      second_moments_(layout_.size()),
      tokens_(std::int64_t{B} * T),
      targets_(std::int64_t{B} * T),
      losses_(std::int64_t{B} * T),
      scalars_(1) {
  const std::size_t pass = training_pass_bytes(config, B, T).total();
  const std::size_t norm = global_norm_scratch_bytes(layout_.size());
  scratch_ = DeviceBuffer<char>(static_cast<std::int64_t>(std::max(pass, norm)));
  const StepScalars first_step;
  scalars_.upload(std::span(&first_step, 1));
}

double Learner::accumulate(std::span<const int> tokens, std::span<const int> targets,
                           float gradient_scale, bool first) {
  tokens_.upload(tokens);
  targets_.upload(targets);
  training_pass(layout_, parameters_.data(), tokens_.data(), targets_.data(), losses_.data(),
                gradients_.data(), scalars_.data(), gradient_scale, B_, T_,
                first ? Accumulate::overwrite : Accumulate::add, launch());
  return sum_of(losses_);
}

double Learner::update(const StepScalars& scalars, const AdamWOptions& options, float max_norm) {
  scalars_.upload(std::span(&scalars, 1));
  global_norm(gradients_.data(), layout_.size(), max_norm, scalars_.data(), launch());
  const double norm = scalars_.to_host().front().gradient_norm;
  if (!std::isfinite(norm)) return norm;
  adamw(parameters_.data(), gradients_.data(), first_moments_.data(), second_moments_.data(),
        layout_.size(), layout_.decayed(), options, scalars_.data(), launch());
  return norm;
}

std::string Learner::first_non_finite_tensor() const {
  const std::string parameter = first_non_finite(layout_, parameters_.to_host());
  if (!parameter.empty()) return parameter;
  const std::string gradient = first_non_finite(layout_, gradients_.to_host());
  return gradient.empty() ? "" : "the gradient of " + gradient;
}

}  // namespace andrea
