#include "trainer/model/learner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/cuda_check.h"
#include "kernels/global_norm.h"
#include "kernels/training_pass.h"

namespace andrea {
namespace {

std::size_t index(std::int64_t number) { return static_cast<std::size_t>(number); }

// In double, in order.
double sum(std::span<const float> numbers) {
  double result = 0;
  for (const float number : numbers) result += number;
  return result;
}

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

Learner::Learner(const ModelConfig& config, int B, int T, int micro_batches)
    : layout_(config),
      B_(B),
      T_(T),
      micro_batches_(micro_batches),
      rows_(std::int64_t{B} * T),
      parameters_(layout_.size()),
      gradients_(layout_.size()),
      first_moments_(layout_.size()),
      second_moments_(layout_.size()),
      tokens_(micro_batches * rows_),
      targets_(micro_batches * rows_),
      losses_(micro_batches * rows_),
      scalars_(1),
      staged_(micro_batches, rows_),
      host_losses_(micro_batches * rows_),
      host_scalars_(1) {
  const std::size_t pass = training_pass_bytes(config, B, T).total();
  const std::size_t norm = global_norm_scratch_bytes(layout_.size());
  scratch_ = DeviceBuffer<char>(static_cast<std::int64_t>(std::max(pass, norm)));
  const StepScalars first_step;
  scalars_.upload(std::span(&first_step, 1));
  // A blocking one: what is done in the default stream, as by an evaluator, comes in its turn.
  CUDA_CHECK(cudaStreamCreate(&stream_));
}

Learner::~Learner() {
  (void)cudaStreamSynchronize(stream_);
  (void)cudaStreamDestroy(stream_);
}

void Learner::stage(int micro, std::span<const int> tokens, std::span<const int> targets) {
  staged_.put(micro, tokens, targets);
}

void Learner::begin(const StepScalars& scalars) {
  host_scalars_.numbers().front() = scalars;
  CUDA_CHECK(cudaMemcpyAsync(scalars_.data(), host_scalars_.data(), scalars_.bytes(),
                             cudaMemcpyHostToDevice, stream_));
  staged_.take(tokens_.data(), targets_.data(), stream_);
}

void Learner::enqueue_pass(int micro, float gradient_scale) {
  pass(micro, gradient_scale, micro == 0 ? Accumulate::overwrite : Accumulate::add);
}

void Learner::enqueue_update(const StepPlan& plan) {
  global_norm(gradients_.data(), layout_.size(), plan.max_norm, scalars_.data(), launch());
  if (plan.look_at_norm && !std::isfinite(read_scalars().gradient_norm)) return;
  adamw(parameters_.data(), gradients_.data(), first_moments_.data(), second_moments_.data(),
        layout_.size(), layout_.decayed(), plan.adamw, scalars_.data(), launch());
}

void Learner::enqueue_step(const StepPlan& plan) {
  for (int micro = 0; micro < micro_batches_; ++micro) enqueue_pass(micro, plan.gradient_scale);
  enqueue_update(plan);
}

StepOutcome Learner::outcome() {
  CUDA_CHECK(cudaMemcpyAsync(host_losses_.data(), losses_.data(), losses_.bytes(),
                             cudaMemcpyDeviceToHost, stream_));
  StepOutcome outcome;
  outcome.gradient_norm = read_scalars().gradient_norm;
  for (int micro = 0; micro < micro_batches_; ++micro) {
    outcome.loss += sum(host_losses_.numbers().subspan(index(micro * rows_), index(rows_)));
  }
  return outcome;
}

double Learner::accumulate(std::span<const int> tokens, std::span<const int> targets,
                           float gradient_scale, bool first) {
  for (const auto& [from, to] : {std::pair{tokens, &tokens_}, std::pair{targets, &targets_}}) {
    CUDA_CHECK(
        cudaMemcpy(to->data(), from.data(), index(rows_) * sizeof(int), cudaMemcpyHostToDevice));
  }
  pass(0, gradient_scale, first ? Accumulate::overwrite : Accumulate::add);
  CUDA_CHECK(cudaMemcpyAsync(host_losses_.data(), losses_.data(), index(rows_) * sizeof(float),
                             cudaMemcpyDeviceToHost, stream_));
  CUDA_CHECK(cudaStreamSynchronize(stream_));
  return sum(host_losses_.numbers().first(index(rows_)));
}

double Learner::update(const AdamWOptions& options, float max_norm) {
  enqueue_update({.max_norm = max_norm, .adamw = options});
  return read_scalars().gradient_norm;
}

void Learner::pass(int micro, float gradient_scale, Accumulate accumulate) {
  const std::int64_t at = micro * rows_;
  training_pass(layout_, parameters_.data(), tokens_.data() + at, targets_.data() + at,
                losses_.data() + at, gradients_.data(), scalars_.data(), gradient_scale, B_, T_,
                accumulate, launch());
}

StepScalars Learner::read_scalars() {
  CUDA_CHECK(cudaMemcpyAsync(host_scalars_.data(), scalars_.data(), scalars_.bytes(),
                             cudaMemcpyDeviceToHost, stream_));
  CUDA_CHECK(cudaStreamSynchronize(stream_));
  return host_scalars_.numbers().front();
}

std::string Learner::first_non_finite_tensor() const {
  const std::string parameter = first_non_finite(layout_, parameters_.to_host());
  if (!parameter.empty()) return parameter;
  const std::string gradient = first_non_finite(layout_, gradients_.to_host());
  return gradient.empty() ? "" : "the gradient of " + gradient;
}

}  // namespace andrea
