// File: followed_run.h
//
// Another run whose losses this one is to have, step by step: the same model and data, trained by
// other kernels.

#ifndef ANDREA_TRAINER_RUN_FOLLOWED_RUN_H_
#define ANDREA_TRAINER_RUN_FOLLOWED_RUN_H_

#include <cstdint>
#include <map>
#include <string>

#include "trainer/run/run_folder.h"

namespace andrea {

class FollowedRun {
 public:
  // Sums in another order change a loss in its seventh digit, and 50 steps let that grow tenfold. A
  // wrong gradient shows sooner or later in the fourth.
  static constexpr double kTolerance = 1e-4;  // relative

  // Error: there is no run, or it has taken no step.
  explicit FollowedRun(const RunFolder& folder);

  // Error: the loss of that step is another one.
  void compare(std::int64_t step, double loss);

  // "The losses of 20 steps are those of runs/nano; the largest relative difference is 2.1e-09."
  std::string verdict() const;

 private:
  std::string name_;
  std::map<std::int64_t, double> losses_;  // by step
  std::int64_t compared_ = 0;
  double largest_difference_ = 0;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_FOLLOWED_RUN_H_
