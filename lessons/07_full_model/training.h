// File: training.h
//
// What a step of training works on, all in device memory.

#ifndef ANDREA_LESSONS_07_FULL_MODEL_TRAINING_H_
#define ANDREA_LESSONS_07_FULL_MODEL_TRAINING_H_

#include "kernels/step_scalars.h"

namespace andrea::lesson07 {

struct Training {
  float* parameters;      // [layout.size()], as the three below
  float* gradients;       // whatever is left from the step before
  float* first_moments;   // m
  float* second_moments;  // v
  StepScalars* scalars;   // step and learning_rate are set
  float* logits;          // [B, T, stride]
  float* losses;          // [B, T], or of all micro-batches
  void* saved;            // transformer_saved_bytes
};

}  // namespace andrea::lesson07

#endif  // ANDREA_LESSONS_07_FULL_MODEL_TRAINING_H_
