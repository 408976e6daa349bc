// File: training_pass.h
//
// What one micro-batch adds to a step: the model forward, its loss, and all gradients. One
// operation, so that a tuned set may hold in its own way what no caller asks for: the activations,
// the logits, and a copy of the weights in a shorter type.
//
// kernels/composed builds it out of transformer and cross_entropy, whoever implements those.

#ifndef ANDREA_KERNELS_TRAINING_PASS_H_
#define ANDREA_KERNELS_TRAINING_PASS_H_

#include <cstddef>
#include <string>

#include "kernels/launch.h"
#include "kernels/model_config.h"
#include "kernels/parameter_layout.h"
#include "kernels/step_scalars.h"

namespace andrea {

// Empty, or a sentence that names the variant or the precision which this implementation lacks.
std::string training_pass_supports(const ModelConfig& config);

// The parts of the working memory, in bytes.
struct TrainingPassBytes {
  std::size_t weights = 0;      // the copy of the parameters in a shorter type
  std::size_t activations = 0;  // what forward keeps for backward
  std::size_t logits = 0;       // and their gradients, in the same place
  std::size_t scratch = 0;      // everything else

  // What launch.scratch has to have.
  std::size_t total() const { return weights + activations + logits + scratch; }
};

// What a pass over B sequences of T tokens works in.
TrainingPassBytes training_pass_bytes(const ModelConfig& config, int B, int T);

// Losses as cross_entropy.h defines them, gradients of their sum times gradient_scale; they follow
// `accumulate`. launch.scratch has training_pass_bytes(...).total() bytes.
//
// A working copy of the weights is rounded at random, to the next value above or below with
// probabilities that make its expectation the weight; the dice are a function of scalars->seed and
// of the parameter's place, so that micro-batches of one step see the same weights and a step that
// is repeated the same numbers.
void training_pass(const ParameterLayout& layout,
                   const float* parameters,     // [layout.size()]
                   const int* tokens,           // [B, T]
                   const int* targets,          // [B, T], -1: not counted
                   float* losses,               // [B, T]
                   float* gradients,            // [layout.size()]
                   const StepScalars* scalars,  // in device memory; its seed is read
                   float gradient_scale, int B, int T, Accumulate accumulate, const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_TRAINING_PASS_H_
