// File: run_log.h
//
// What a run writes down as it goes: metrics.jsonl (a line a step), samples.jsonl (a line a sample)
// and run.json (what the run is).

#ifndef ANDREA_TRAINER_RUN_RUN_LOG_H_
#define ANDREA_TRAINER_RUN_RUN_LOG_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "trainer/run/run_folder.h"
#include "trainer/run/validation.h"

namespace andrea {

// What is written down of a step.
struct TrainedStep {
  std::int64_t step = 0;                            // counts from 1
  std::int64_t tokens = 0;                          // trained on so far
  double loss = 0;                                  // nats a token, mean over the step's batch
  double learning_rate = 0;                         // of this step
  double gradient_norm = 0;                         // before clipping
  double tokens_per_second = 0;                     // while it was trained
  std::optional<ValidationResult> validation = {};  // where the step was followed by one
};

class RunLog {
 public:
  // Opens both files for appending, after cutting off all that was written after `step`, so that a
  // run taken up at that step leaves no trace of what it repeats.
  RunLog(const RunFolder& folder, std::int64_t step);

  // Each line is handed to the system before the call returns: a killed process loses none.
  void append(const TrainedStep& metrics);
  void append_sample(std::int64_t step, const std::string& prompt, const std::string& sample);

  // Brings both files to the disk.
  void sync();

 private:
  RunFolder folder_;
};

// Keeps the lines of a JSON-lines file whose "step" is at most `step`; a line that was cut short
// by a crash is dropped.
void truncate_to_step(const std::filesystem::path& path, std::int64_t step);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_RUN_LOG_H_
