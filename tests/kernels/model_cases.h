// File: model_cases.h
//
// The small models that the tests of block, transformer and decode run.

#ifndef ANDREA_TESTS_KERNELS_MODEL_CASES_H_
#define ANDREA_TESTS_KERNELS_MODEL_CASES_H_

#include <string>
#include <vector>

#include "kernels/model_config.h"

namespace andrea {

struct ModelCase {
  std::string name;
  ModelConfig config;
};

// ANDREA in small: odd sizes, three heads, a vocabulary that is no multiple of anything.
inline ModelConfig small_model() {
  ModelConfig config;
  config.layers = 2;
  config.heads = 3;
  config.width = 15;
  config.mlp_width = 31;
  config.vocabulary = 131;
  config.context = 150;
  return config;
}

inline std::vector<ModelCase> model_cases() {
  std::vector<ModelCase> cases(6, {"as ANDREA", small_model()});
  cases[1].name = "tied";
  cases[1].config.tied = true;
  cases[2].name = "without biases";
  cases[2].config.biases = false;
  cases[3].name = "tied, without biases, one layer, one head";
  cases[3].config.tied = true;
  cases[3].config.biases = false;
  cases[3].config.layers = cases[3].config.heads = 1;
  cases[4].name = "gelu_erf, without positions";
  cases[4].config.activation = Activation::gelu_erf;
  cases[4].config.positions = Positions::none;
  cases[5].name = "swiglu";
  cases[5].config.activation = Activation::swiglu;
  return cases;
}

}  // namespace andrea

#endif  // ANDREA_TESTS_KERNELS_MODEL_CASES_H_
