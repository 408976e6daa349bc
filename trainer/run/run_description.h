// File: run_description.h
//
// What run.json says of a run: what is trained, how, and how far it is. The report of a run
// (trainer/report/run_record.h) reads it back.

#ifndef ANDREA_TRAINER_RUN_RUN_DESCRIPTION_H_
#define ANDREA_TRAINER_RUN_RUN_DESCRIPTION_H_

#include <cstdint>
#include <span>
#include <string>

#include "kernels/model_config.h"
#include "kernels/origins.h"
#include "trainer/run/run_data.h"
#include "trainer/run/train_options.h"

namespace andrea {

// A run as it stands.
struct RunDescription {
  std::string name;                       // of its folder
  std::string status;                     // "running", "finished" or "interrupted"
  std::string corpus;                     // in words
  std::string machine;                    // in words
  std::int64_t parameters = 0;            // of the model, without padding
  double seconds = 0;                     // of training so far
  TrainOptions options;                   // as it was started
  ModelConfig model;                      // with the tokenizer's own vocabulary
  std::span<const KernelOrigin> kernels;  // of the program
  CorpusLimits limits;                    // of the corpus
};

// The text of run.json.
std::string run_json(const RunDescription& run);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_RUN_DESCRIPTION_H_
