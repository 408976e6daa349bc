#include "trainer/run/followed_run.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "trainer/base/error.h"
#include "trainer/report/run_record.h"
#include "trainer/run/train_options.h"

namespace andrea {
namespace {

// In fp32, sums in another order change a loss in its seventh digit, and 50 steps let that grow
// tenfold; a wrong gradient shows sooner or later in the fourth. TF32 rounds what is multiplied to
// 11 bits, bf16 everything to 8: where these are right they stay within a small part of their
// bounds.
constexpr double kTolerance = 1e-4;

double tolerance_of(const std::string& precision) {
  if (precision == precision_name(Precision::bf16)) return 2e-2;
  if (precision == precision_name(Precision::tf32)) return 2e-3;
  return kTolerance;
}

// How far rounding alone takes the losses of two runs in fp32 apart in so many steps, amply: those
// of nano with right kernels stayed below a quarter of this through 20 steps.
double rounding_by(std::int64_t step) {
  return 1e-7 * std::pow(10, static_cast<double>(step) / 25);
}

// Where more steps than a single one, at which a loss has jumped, are above it, a gradient may be
// nearly right.
constexpr int kSuspiciousSteps = 3;

std::string printed(const char* format, double number) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, format, number);
  return buffer;
}

}  // namespace

FollowedRun::FollowedRun(const RunFolder& folder, Precision precision)
    : name_(folder.path.string()), tolerance_(tolerance_of(precision_name(precision))) {
  const RunRecord record = read_run_record(folder.path);
  for (const auto& [option, value] : record.options) {
    if (option == "precision") tolerance_ = std::max(tolerance_, tolerance_of(value));
  }
  for (const StepMetrics& metrics : record.metrics) {
    if (metrics.loss.has_value()) losses_[metrics.step] = *metrics.loss;
  }
  require(!losses_.empty(), "the run in ", name_, " has no losses to follow");
}

void FollowedRun::compare(std::int64_t step, double loss) {
  const auto found = losses_.find(step);
  if (found == losses_.end()) return;
  const double difference = std::abs(loss - found->second) / std::abs(found->second);
  if (!(difference <= tolerance_)) {
    char losses[100];
    std::snprintf(losses, sizeof losses, "%.6f here and %.6f there", loss, found->second);
    throw Error(text(
        "the losses leave those of ", name_, " at step ", step, ": ", losses,
        step == 1 ? "; before the first update only the forward pass can differ"
                  : "; up to there a gradient or an update differs",
        ". ./andrea check NN.together names the first tensor that does, for a lesson NN; --use "
        "with fewer lessons tells whose it is"));
  }
  largest_difference_ = std::max(largest_difference_, difference);
  if (const double excess = difference / rounding_by(step); excess > 1) {
    ++suspicious_steps_;
    if (excess > worst_excess_) worst_excess_ = excess, worst_step_ = step;
  }
  ++compared_;
}

std::string FollowedRun::verdict() const {
  if (compared_ == 0) return "No step of this run is in " + name_ + ", so nothing was compared.";
  const std::string followed =
      text("The losses of ", compared_, compared_ == 1 ? " step are" : " steps are", " those of ",
           name_, "; the largest relative difference is ", printed("%.1e", largest_difference_),
           ", and ", printed("%.0e", tolerance_), " would be let pass.");
  // What coarser precisions do is not known so well.
  if (tolerance_ > kTolerance || suspicious_steps_ < kSuspiciousSteps) return followed;
  const double rounding = rounding_by(worst_step_);
  return text(followed, " But at step ", worst_step_, " it is ",
              printed("%.1e", worst_excess_ * rounding),
              ", and by then rounding alone makes less than ", printed("%.1e", rounding),
              ": a kernel may be slightly wrong. ./andrea check NN and ./andrea check "
              "NN.together, for the lessons NN that were used, tell more closely.");
}

}  // namespace andrea
