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
  std::vector<std::string> text;  // files, folders, patterns; empty: the embedded stories
  std::string documents = "auto";
  std::string json_field = "text";
  std::int64_t stories = 60000;
  std::uint64_t story_seed = 1;
  double validation_fraction = 0.05;
  std::string tokenizer;  // a tokenizer.json to use; empty: one is trained on the text

  bool operator==(const DataOptions&) const = default;
};

struct TrainOptions {
  std::string preset = "tiny";
  DataOptions data;
  ModelConfig model;
  InitialScale initial_scale = InitialScale::gpt2;

  int batch = 1;       // sequences of model.context tokens in a micro-batch
  int accumulate = 1;  // micro-batches in a step
  std::int64_t steps = 1;
  std::int64_t warmup = 0;
  double learning_rate = 0;
  double final_learning_rate = 0.1;  // as a fraction of learning_rate
  AdamWOptions adamw;
  double clip = 1.0;  // 0: no clipping
  std::uint64_t seed = 1;

  std::int64_t validate_every = 0;    // steps; 0: a twentieth of all, 10 at least
  int validation_rows = 64;           // of context tokens; the last validation reads all
  std::int64_t sample_every = 0;      // steps; 0: an eighth of all, 25 at least
  std::int64_t checkpoint_every = 0;  // steps; 0: a tenth of all, 500 at most
  int keep = 3;                       // checkpoints; 0: all

  std::filesystem::path out;
  bool resume = false;
  std::filesystem::path follow;  // the run whose losses this one is to have; empty: none

  // What the run is recorded with; the sets were chosen when the program was linked.
  std::string kernels = "cpu";
  std::vector<std::string> use;
};

// Replaces the "0: a fraction" members by numbers and throws Error for what cannot be meant.
void settle(TrainOptions& options);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_TRAIN_OPTIONS_H_
