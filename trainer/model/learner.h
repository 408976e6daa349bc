// File: learner.h
//
// A model in training: its parameters, their gradients and moments, and the buffers of one step.
//
//   Learner learner(config, B, T);
//   learner.parameters().upload(initial_weights(...));
//   for each step:
//     for each micro-batch: loss += learner.accumulate(tokens, targets, scale, is_first);
//     learner.update({.step = step, .learning_rate = rate}, adamw_options, max_norm);

#ifndef ANDREA_TRAINER_MODEL_LEARNER_H_
#define ANDREA_TRAINER_MODEL_LEARNER_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/adamw.h"
#include "kernels/device_buffer.h"
#include "kernels/parameter_layout.h"
#include "kernels/step_scalars.h"

namespace andrea {

class Learner {
 public:
  // Micro-batches are B sequences of T tokens.
  Learner(const ModelConfig& config, int B, int T);

  const ParameterLayout& layout() const { return layout_; }  // where each parameter lies
  int B() const { return B_; }                               // rows of a micro-batch
  int T() const { return T_; }                               // tokens of a row

  DeviceBuffer<float>& parameters() { return parameters_; }          // [layout().size()]
  DeviceBuffer<float>& first_moments() { return first_moments_; }    // [layout().size()]
  DeviceBuffer<float>& second_moments() { return second_moments_; }  // [layout().size()]
  // [layout().size()], sums of the step so far.
  const DeviceBuffer<float>& gradients() const { return gradients_; }

  // Forward and backward over one micro-batch. Returns the sum of its losses in nats; gradients are
  // those of that sum times gradient_scale, and replace (first) or join what is there. The seed is
  // the step's, the same for all its micro-batches.
  double accumulate(std::span<const int> tokens,   // [B, T]
                    std::span<const int> targets,  // [B, T], -1: not counted
                    float gradient_scale, bool first);

  // Clips and takes one optimiser step. Returns the gradient's norm before clipping. When the norm
  // is not finite the parameters are left as they were.
  double update(const StepScalars& scalars, const AdamWOptions& options, float max_norm);

  // The first tensor, in the order of the layout, that holds a NaN or an infinity: "<name>" among
  // the parameters, or "the gradient of <name>"; empty when all are finite.
  std::string first_non_finite_tensor() const;

 private:
  Launch launch() { return {.scratch = scratch_.data(), .scratch_bytes = scratch_.bytes()}; }

  ParameterLayout layout_;
  int B_;
  int T_;
  DeviceBuffer<float> parameters_;
  DeviceBuffer<float> gradients_;
  DeviceBuffer<float> first_moments_;
  DeviceBuffer<float> second_moments_;
  DeviceBuffer<char> scratch_;
  DeviceBuffer<int> tokens_;    // [B, T]
  DeviceBuffer<int> targets_;   // [B, T]
  DeviceBuffer<float> losses_;  // [B, T]
  DeviceBuffer<StepScalars> scalars_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_LEARNER_H_
