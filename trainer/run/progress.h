// File: progress.h
//
// What a person sees of a training run: on a terminal one line that is drawn over and over, with
// lines of lasting interest above it; elsewhere plain lines, a few dozen over the whole run.

#ifndef ANDREA_TRAINER_RUN_PROGRESS_H_
#define ANDREA_TRAINER_RUN_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trainer/run/run_log.h"

namespace andrea {

// Tells on the terminal how the run goes.
class Progress {
 public:
  // flops_per_token and ceiling (per second) give the share of the machine's best, which people
  // call MFU on a card, where it means something; `entropy` is the limit in bits a byte, where one
  // is known.
  Progress(std::int64_t steps, double flops_per_token, std::optional<double> ceiling, bool card,
           std::optional<double> entropy);
  ~Progress();

  // A line that stays.
  void say(std::string_view line);

  // The state after a step.
  void step(const TrainedStep& metrics);

 private:
  std::string line_for(const TrainedStep& metrics) const;
  std::string remaining_time(std::int64_t step) const;
  void erase();

  using Clock = std::chrono::steady_clock;

  std::int64_t steps_;
  double flops_per_token_;
  std::optional<double> ceiling_;
  bool card_;
  std::optional<double> entropy_;
  bool terminal_;
  bool drawn_ = false;
  std::int64_t first_step_ = -1;
  double smoothed_loss_ = 0;
  double smoothed_speed_ = 0;
  Clock::time_point start_;
  Clock::time_point last_drawn_;
};

// The text with control characters, which could do anything to a terminal and which untrained
// models write, as U+FFFD; line feeds and tabs stay.
std::string printable(std::string_view text);

// "3:07", "1:02:45", "2 days 3 h".
std::string readable_duration(double seconds);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_PROGRESS_H_
