#include "trainer/run/followed_run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "trainer/base/error.h"
#include "trainer/report/run_record.h"

namespace andrea {

FollowedRun::FollowedRun(const RunFolder& folder) : name_(folder.path.string()) {
  for (const StepMetrics& metrics : read_run_record(folder.path).metrics) {
    if (metrics.loss.has_value()) losses_[metrics.step] = *metrics.loss;
  }
  require(!losses_.empty(), "the run in ", name_, " has no losses to follow");
}

void FollowedRun::compare(std::int64_t step, double loss) {
  const auto found = losses_.find(step);
  if (found == losses_.end()) return;
  const double difference = std::abs(loss - found->second) / std::abs(found->second);
  if (!(difference <= kTolerance)) {
    char losses[100];
    std::snprintf(losses, sizeof losses, "%.6f here and %.6f there", loss, found->second);
    throw Error(
        text("the losses leave those of ", name_, " at step ", step, ": ", losses,
             step == 1 ? "; before the first update only the forward pass can differ"
                       : "; up to there a gradient or an update differs",
             ". A lesson's together_test names the first tensor that does; --use with fewer "
             "lessons tells whose it is"));
  }
  largest_difference_ = std::max(largest_difference_, difference);
  ++compared_;
}

std::string FollowedRun::verdict() const {
  if (compared_ == 0) return "No step of this run is in " + name_ + ", so nothing was compared.";
  char difference[40];
  std::snprintf(difference, sizeof difference, "%.1e", largest_difference_);
  return text("The losses of ", compared_, compared_ == 1 ? " step are" : " steps are",
              " those of ", name_, "; the largest relative difference is ", difference, ".");
}

}  // namespace andrea
