// File: training_step.h
//
// The end of the course's chain: one training step of a whole model, by the operations of lesson
// 07.
//
//   tokens -> transformer -> logits -> loss, back to all gradients -> their norm -> AdamW

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_TRAINING_STEP_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_TRAINING_STEP_H_

#include "tests/harness/exercise/together.h"

namespace andrea {

// The trial's sizes are B, T, C, H, V; the model has two blocks.
void training_step(Chain& chain);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_TRAINING_STEP_H_
