// File: followed_run.h
//
// Another run whose losses this one is to have, step by step: the same model and data, trained by
// other kernels.

#ifndef ANDREA_TRAINER_RUN_FOLLOWED_RUN_H_
#define ANDREA_TRAINER_RUN_FOLLOWED_RUN_H_

#include <cstdint>
#include <map>
#include <string>

#include "kernels/model_config.h"
#include "trainer/run/run_folder.h"

namespace andrea {

class FollowedRun {
 public:
  // Of a run in the given precision. Error: there is no run, or it has taken no step.
  FollowedRun(const RunFolder& folder, Precision precision);

  // Error: the loss of that step is another one.
  void compare(std::int64_t step, double loss);

  // "The losses of 20 steps are those of runs/nano; the largest relative difference is 2.1e-09, and
  // 1e-04 would be let pass." Where that is more than rounding does in so few steps, it says so.
  std::string verdict() const;

  // How much the losses of two runs may differ, relatively, by the rounding of the coarser one.
  double tolerance() const { return tolerance_; }

 private:
  std::string name_;
  double tolerance_ = 0;
  std::map<std::int64_t, double> losses_;  // by step
  std::int64_t compared_ = 0;
  double largest_difference_ = 0;
  // Of the steps that differ by more than rounding does.
  int suspicious_steps_ = 0;
  std::int64_t worst_step_ = 0;
  double worst_excess_ = 0;  // as a multiple of what rounding does by that step
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_FOLLOWED_RUN_H_
