// File: preset.h
//
// The named models, and what makes a shape acceptable.

#ifndef ANDREA_TRAINER_MODEL_PRESET_H_
#define ANDREA_TRAINER_MODEL_PRESET_H_

#include <string>
#include <vector>

#include "kernels/adamw.h"
#include "kernels/model_config.h"

namespace andrea {

// A model and the hyper-parameters that suit it. Everything here is a default that a flag replaces.
struct Preset {
  std::string name;     // as --preset takes it
  std::string purpose;  // a line of the help
  ModelConfig model;    // its shape

  int batch;                         // sequences of model.context tokens in a micro-batch
  int accumulate;                    // micro-batches in a step
  int steps;                         // of the whole run
  int warmup;                        // of them, steps until the peak
  double learning_rate;              // at the peak
  double final_learning_rate = 0.1;  // at the last step, as a fraction of learning_rate
  AdamWOptions adamw = {};           // the rest of the optimiser
  int stories = 60000;               // of the embedded ones, for training and validation
};

// From small to large.
const std::vector<Preset>& presets();

// Throws Error with the known names when there is none of this name.
const Preset& find_preset(const std::string& name);

// The largest --width that is accepted.
inline constexpr int kWidest = 65536;

// Throws Error unless every size is positive, below what an index can hold, and heads divide width.
void check_shape(const ModelConfig& config);

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_PRESET_H_
