// File: run_record.h
//
// What a training run has written about itself into its folder, read back:
//
//   run.json        what is trained and how; see RunRecord for its keys, all of them optional
//   metrics.jsonl   an object a line, a line a step; see StepMetrics
//   samples.jsonl   an object a line: {"step": 200, "prompt": "", "text": "Once upon"}
//
// Any of the files may be missing, since a run that has just begun has none. A last line that was
// cut, as it is when the program is killed while writing, is left out; every other fault is an
// Error that names file, line and key.

#ifndef ANDREA_TRAINER_REPORT_RUN_RECORD_H_
#define ANDREA_TRAINER_REPORT_RUN_RECORD_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace andrea {

// A line of metrics.jsonl. Members are the keys; only "step", which rises from line to line, must
// be there. JSON knows no NaN: null, which stands for it, is read as NaN, a missing key as nullopt.
struct StepMetrics {
  std::int64_t step = 0;                    // counts from 1
  std::optional<std::int64_t> tokens;       // seen since the start of the run
  std::optional<double> loss;               // nats a token
  std::optional<double> learning_rate;      // of that step
  std::optional<double> gradient_norm;      // before clipping
  std::optional<double> tokens_per_second;  // while the step was trained
  std::optional<double> validation_loss;    // nats a token
  std::optional<double> bits_per_byte;      // on the validation text
};

// A text that the model wrote while it was trained.
struct Sample {
  std::int64_t step = 0;  // after how many steps
  std::string prompt;     // how it was begun
  std::string text;       // what the model wrote; the prompt may stand before it
};

// Names and values in the order of the file. Of objects within objects the names are joined by a
// point: "optimizer.beta1".
using NamedValues = std::vector<std::pair<std::string, std::string>>;

// What the report is made of: run.json, metrics.jsonl and samples.jsonl of a run.
struct RunRecord {
  std::string name, corpus, machine, status;             // empty where absent
  std::optional<std::int64_t> parameters;                // of the model, without padding
  std::optional<std::int64_t> steps;                     // that the run is to make
  std::optional<double> seconds;                         // that it has taken
  std::optional<double> entropy_bits_per_byte;           // of the source of the text
  std::optional<double> validation_exact_bits_per_byte;  // of the validation text, by its source
  std::optional<double> unigram_bits_per_byte;           // by the frequencies of tokens alone
  NamedValues shape, options;                            // of the model; of the run
  NamedValues kernels;  // operation and implementation; an array of objects in the file

  std::vector<StepMetrics> metrics;  // in the order of the steps
  std::vector<Sample> samples;       // in the order of the steps
};

// Error: no run there, or a file of it that is damaged.
RunRecord read_run_record(const std::filesystem::path& run_folder);

}  // namespace andrea

#endif  // ANDREA_TRAINER_REPORT_RUN_RECORD_H_
