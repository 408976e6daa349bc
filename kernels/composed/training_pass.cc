// Forward, loss and backward, one after the other.

#include "kernels/training_pass.h"

#include "kernels/composed/buffer_plan.h"
#include "kernels/cross_entropy.h"
#include "kernels/transformer.h"

namespace andrea {

std::string training_pass_supports(const ModelConfig& config) {
  if (config.recompute) return "these kernels keep all activations: they have no recomputation";
  return transformer_supports(config);
}

TrainingPassBytes training_pass_bytes(const ModelConfig& config, int B, int T) {
  TrainingPassBytes bytes;
  bytes.activations = align_up(transformer_saved_bytes(config, B, T));
  bytes.logits =
      align_up(sizeof(float) * static_cast<std::size_t>(B) * static_cast<std::size_t>(T) *
               static_cast<std::size_t>(config.padded_vocabulary()));
  bytes.scratch = transformer_scratch_bytes(config, B, T);
  return bytes;
}

void training_pass(const ParameterLayout& layout, const float* parameters, const int* tokens,
                   const int* targets, float* losses, float* gradients, const StepScalars*,
                   float gradient_scale, int B, int T, Accumulate accumulate,
                   const Launch& launch) {
  const ModelConfig& config = layout.config();
  const TrainingPassBytes bytes = training_pass_bytes(config, B, T);
  BufferPlan plan(launch.scratch);
  void* saved = plan.bytes(bytes.activations);
  auto* logits = static_cast<float*>(plan.bytes(bytes.logits));  // [B, T, padded V]
  const Launch inner = plan.remaining(launch);

  transformer_forward(layout, parameters, tokens, logits, saved, B, T, inner);
  cross_entropy_forward_backward(logits, targets, losses, gradient_scale, B * T, config.vocabulary,
                                 config.padded_vocabulary(), inner);
  transformer_backward(layout, parameters, tokens, logits, saved, gradients, B, T, accumulate,
                       inner);
}

}  // namespace andrea
