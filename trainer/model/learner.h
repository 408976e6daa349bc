// File: learner.h
//
// A model in training: its parameters, their gradients and moments, and the buffers of one step.
//
//   Learner learner(config, B, T, micro_batches);
//   learner.parameters().upload(initial_weights(...));
//   for each step:
//     learner.begin({.step = step, .learning_rate = rate});
//     for each micro-batch: learner.enqueue_pass(i, plan.gradient_scale);
//     learner.enqueue_update(plan);
//     learner.stage(i, ...) for each micro-batch of the next step
//     const StepOutcome outcome = learner.outcome();
//
// Nothing waits but outcome(): on a card a step is one queue of work, and the host prepares the
// next step meanwhile. In programs for the CPU each call has done its work when it returns.

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
#include "trainer/model/pinned_buffer.h"
#include "trainer/model/staged_batches.h"

namespace andrea {

// What the steps of a run have in common.
struct StepPlan {
  float gradient_scale = 1;  // gradients are those of the sum of all losses times this
  float max_norm = 0;        // of the gradient; 0: any
  AdamWOptions adamw = {};   // the optimiser's

  // Whether the host reads the norm, and leaves the update away where it is not finite: a round
  // trip that a step does without where adamw itself changes nothing then.
  bool look_at_norm = true;

  bool operator==(const StepPlan&) const = default;
};

// What a step has come to.
struct StepOutcome {
  double loss = 0;           // the sum over all micro-batches, in nats
  double gradient_norm = 0;  // before clipping
};

class Learner {
 public:
  // Micro-batches are B sequences of T tokens; a step has so many of them.
  Learner(const ModelConfig& config, int B, int T, int micro_batches = 1);
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  const ParameterLayout& layout() const { return layout_; }  // where each parameter lies
  int B() const { return B_; }                               // rows of a micro-batch
  int T() const { return T_; }                               // tokens of a row
  int micro_batches() const { return micro_batches_; }       // of a step
  cudaStream_t stream() const { return stream_; }            // where all is enqueued

  DeviceBuffer<float>& parameters() { return parameters_; }          // [layout().size()]
  DeviceBuffer<float>& first_moments() { return first_moments_; }    // [layout().size()]
  DeviceBuffer<float>& second_moments() { return second_moments_; }  // [layout().size()]
  // [layout().size()], sums of the step so far.
  const DeviceBuffer<float>& gradients() const { return gradients_; }

  // Hands over a micro-batch of the step that will be begun next. All of a step's must be staged
  // before it is begun.
  void stage(int micro,
             std::span<const int> tokens,    // [B, T]
             std::span<const int> targets);  // [B, T], -1: not counted

  // Begins a step with what is staged. The scalars are the step's own from its first micro-batch
  // on.
  void begin(const StepScalars& scalars);

  // Forward and backward over a micro-batch; the first one's gradients replace those that are
  // there, the others' are added.
  void enqueue_pass(int micro, float gradient_scale);

  // Clips, and takes the optimiser's step. Where the norm is not finite, all is left as it was.
  void enqueue_update(const StepPlan& plan);

  // All passes and the update.
  void enqueue_step(const StepPlan& plan);

  // Waits for the step.
  StepOutcome outcome();

  // The same by hand, and waited for, with a micro-batch that was not staged. Returns the sum of
  // its losses; its gradients replace (first) or join what is there.
  double accumulate(std::span<const int> tokens,   // [B, T]
                    std::span<const int> targets,  // [B, T], -1: not counted
                    float gradient_scale, bool first);

  // Returns the gradient's norm before clipping.
  double update(const AdamWOptions& options, float max_norm);

  // The first tensor, in the order of the layout, that holds a NaN or an infinity: "<name>" among
  // the parameters, or "the gradient of <name>"; empty when all are finite.
  std::string first_non_finite_tensor() const;

 private:
  Launch launch() {
    return {.stream = stream_, .scratch = scratch_.data(), .scratch_bytes = scratch_.bytes()};
  }
  void pass(int micro, float gradient_scale, Accumulate accumulate);
  StepScalars read_scalars();

  ParameterLayout layout_;
  int B_;
  int T_;
  int micro_batches_;
  std::int64_t rows_;  // B T
  cudaStream_t stream_;
  DeviceBuffer<float> parameters_;
  DeviceBuffer<float> gradients_;
  DeviceBuffer<float> first_moments_;
  DeviceBuffer<float> second_moments_;
  DeviceBuffer<char> scratch_;
  DeviceBuffer<int> tokens_;    // [micro_batches, B, T]
  DeviceBuffer<int> targets_;   // [micro_batches, B, T]
  DeviceBuffer<float> losses_;  // [micro_batches, B, T]
  DeviceBuffer<StepScalars> scalars_;
  StagedBatches staged_;
  PinnedBuffer<float> host_losses_;  // [micro_batches, B, T]
  PinnedBuffer<StepScalars> host_scalars_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_LEARNER_H_
