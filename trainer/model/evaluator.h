// File: evaluator.h
//
// The losses of a model on given text: forward alone, nothing kept.

#ifndef ANDREA_TRAINER_MODEL_EVALUATOR_H_
#define ANDREA_TRAINER_MODEL_EVALUATOR_H_

#include <span>

#include "kernels/device_buffer.h"
#include "kernels/parameter_layout.h"

namespace andrea {

class Evaluator {
 public:
  // For batches of B rows of T tokens. Both references must outlive the evaluator.
  Evaluator(const ParameterLayout& layout, const DeviceBuffer<float>& parameters, int B, int T);

  int B() const { return B_; }  // rows of a batch
  int T() const { return T_; }  // tokens of a row

  // The sum of the losses in nats.
  double loss(std::span<const int> tokens,    // [B, T]
              std::span<const int> targets);  // [B, T], -1: not counted

 private:
  const ParameterLayout& layout_;
  const DeviceBuffer<float>& parameters_;
  int B_;
  int T_;
  DeviceBuffer<char> scratch_;
  DeviceBuffer<float> logits_;  // [B, T, padded V]
  DeviceBuffer<int> tokens_;    // [B, T]
  DeviceBuffer<int> targets_;   // [B, T]
  DeviceBuffer<float> losses_;  // [B, T]
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_EVALUATOR_H_
