// File: train_options.h
//
// Everything that a training run can be told. Each member is a flag of `andrea train` and a line of
// the config file that a run writes down.

#ifndef ANDREA_TRAINER_RUN_TRAIN_OPTIONS_H_
#define ANDREA_TRAINER_RUN_TRAIN_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/adamw.h"
#include "kernels/model_config.h"
#include "trainer/model/initial_weights.h"

namespace andrea {

// Where the text comes from and how it is divided.
struct DataOptions {
  std::vector<std::string> text;      // files, folders, patterns; empty: the embedded stories
  std::string documents = "auto";     // how files are cut (text_source.h)
  std::string json_field = "text";    // of a JSON line, the text
  std::int64_t stories = 60000;       // of the embedded ones
  std::uint64_t story_seed = 1;       // of the embedded ones
  double validation_fraction = 0.05;  // of the text's bytes
  std::string tokenizer;              // a tokenizer.json to use; empty: one is trained on the text

  bool operator==(const DataOptions&) const = default;
};

// Everything that a run is started with; the names of config.toml are these.
struct TrainOptions {
  std::string preset = "tiny";                      // what the rest began as
  DataOptions data;                                 // the text
  ModelConfig model;                                // the shape of the model
  InitialScale initial_scale = InitialScale::gpt2;  // how parameters are drawn at first

  int batch = 1;                     // sequences of model.context tokens in a micro-batch
  int accumulate = 1;                // micro-batches in a step
  std::int64_t steps = 1;            // of the whole run
  std::int64_t warmup = 0;           // steps until the peak
  double learning_rate = 0;          // at the peak
  double final_learning_rate = 0.1;  // as a fraction of learning_rate
  AdamWOptions adamw;                // the rest of the optimiser
  double clip = 1.0;                 // 0: no clipping
  std::uint64_t seed = 1;            // of parameters, sample order and samples

  std::int64_t validate_every = 0;    // steps; 0: a twentieth of all, 10 at least
  int validation_rows = 64;           // of context tokens; the last validation reads all
  std::int64_t sample_every = 0;      // steps; 0: an eighth of all, 25 at least
  std::int64_t checkpoint_every = 0;  // steps; 0: a tenth of all, 500 at most
  int keep = 3;                       // checkpoints; 0: all

  std::filesystem::path out;     // the run's folder; empty: a new one below runs/
  bool resume = false;           // goes on with the run that is there
  std::filesystem::path follow;  // the run whose losses this one is to have; empty: none

  // What the run is recorded with; device and sets were chosen when the program was built. "auto"
  // is the card where there is one, and the tuned set of the device.
  std::string device = "auto";
  std::string kernels = "auto";
  std::vector<std::string> use;
};

// "fp32", "tf32" or "bf16".
std::string precision_name(Precision precision);

// Replaces the "0: a fraction" members by numbers and throws Error for what cannot be meant.
void settle(TrainOptions& options);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_TRAIN_OPTIONS_H_
