// File: test_model.h
//
// For tests: a model that trains in a blink. Its vocabulary and width are no multiples of what
// memory rounds them up to, so that padding is there to be mistaken for numbers.

#ifndef ANDREA_TRAINER_MODEL_TEST_MODEL_H_
#define ANDREA_TRAINER_MODEL_TEST_MODEL_H_

#include "kernels/model_config.h"

namespace andrea {

inline ModelConfig test_model() {
  ModelConfig config;
  config.layers = 2;
  config.heads = 2;
  config.width = 20;
  config.mlp_width = 36;
  config.vocabulary = 260;
  config.context = 16;
  return config;
}

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_TEST_MODEL_H_
