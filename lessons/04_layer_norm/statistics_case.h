// File: statistics_case.h
//
// What both kernels of the statistics, 04.1 and 04.6, are tested with: various rows, and rows that
// are far from 0.

#ifndef ANDREA_LESSONS_04_LAYER_NORM_STATISTICS_CASE_H_
#define ANDREA_LESSONS_04_LAYER_NORM_STATISTICS_CASE_H_

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "kernels/launch.h"
#include "lessons/04_layer_norm/layer_norm_case.h"
#include "lessons/04_layer_norm/mistakes.h"
#include "lessons/04_layer_norm/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/trial.h"
#include "tests/harness/random_inputs.h"

namespace andrea {

// Rows far from 0 and narrow: within 1 of kFar.
inline constexpr float kFar = 4000;
inline std::vector<float> far_rows(RandomInputs& random, int N, int C) {
  std::vector<float> rows = random.numbers(std::int64_t{N} * C);
  for (float& number : rows) number += kFar;
  return rows;
}

// How wrong the worst statistic of N rows is, relative to the right one.
struct Worst {
  double error = 0, is = 0, should = 0;
};
inline Worst worst_of(const float* device, const reference::Vector<double>& exact) {
  std::vector<float> statistics(static_cast<std::size_t>(exact.size()));
  cudaMemcpy(statistics.data(), device, statistics.size() * sizeof(float), cudaMemcpyDeviceToHost);
  Worst worst;
  for (std::size_t n = 0; n < statistics.size(); ++n) {
    const double is = static_cast<double>(statistics[n]);
    const double should = exact[static_cast<Eigen::Index>(n)];
    const double error = std::isfinite(is) ? std::abs(is / should - 1) : 1;
    if (error >= worst.error) worst = {error, is, should};
  }
  return worst;
}

class StatisticsCase {
 public:
  StatisticsCase(Trial& trial, int N, int C)
      : trial_(trial),
        N_(N),
        C_(C),
        x_(various_rows(trial.random(), N, C)),
        x_far_(far_rows(trial.random(), N, C)) {
    x_device = trial.input("x", {{"n", N}, {"c", C}}, x_);
    far_device_ = trial.input("x far from 0", {{"n", N}, {"c", C}}, x_far_);
    mean = trial.output("mean", {{"n", N}});
    rstd = trial.output("rstd", {{"n", N}});
    far_mean_ = trial.output("mean far from 0", {{"n", N}});
    far_rstd_ = trial.output("rstd far from 0", {{"n", N}});
    x = as_matrix<double>(x_, N, C);
  }

  // Calls `statistics` with either rows; so many operations round a number of rstd.
  template <typename Operation>
  void run(const Operation& statistics, double rstd_accumulated) {
    trial_.run([&](const Launch& launch) {
      statistics(x_device, mean, rstd, N_, C_, launch);
      statistics(far_device_, far_mean_, far_rstd_, N_, C_, launch);
    });
    require_no_cancellation();
    const auto expected = [&]<typename Scalar>(Scalar) {
      return reference::row_statistics(as_matrix<Scalar>(x_, N_, C_));
    };
    trial_.expect(
        "mean", [&]<typename Scalar>(Scalar scalar) { return expected(scalar).mean; },
        5 + C_ / 16.0);
    trial_.expect(
        "rstd", [&]<typename Scalar>(Scalar scalar) { return expected(scalar).rstd; },
        rstd_accumulated);
  }

  // `wrong` makes the statistics of all rows.
  template <typename Wrong>
  void looks_like(const std::string& mistake, const Wrong& wrong) {
    trial_.looks_like(mistake, "mean", [&] { return wrong().mean; });
    trial_.looks_like(mistake, "rstd", [&] { return wrong().rstd; });
  }
  // `formula` makes those of one.
  template <typename Formula>
  void looks_like_by(const std::string& mistake, const Formula& formula) {
    looks_like(mistake, [&] { return mistakes04::statistics_by(x, formula); });
  }
  // A wrong end, with the right mean and variance.
  template <typename End>
  void looks_like_end(const std::string& mistake, const End& rstd_of) {
    looks_like_by(mistake, [&](const mistakes04::Vector& row) {
      return mistakes04::OfRow{row.mean(), rstd_of(mistakes04::variance_of(row))};
    });
  }

  mistakes04::Matrix x;
  const float* x_device;
  float *mean, *rstd;

 private:
  // A variance that is the difference of two large numbers is nearly right in rows near 0, and
  // nothing like it far away, although the mean is right: told by the sentence "cancellation",
  // before any other mistake is looked for.
  void require_no_cancellation() {
    if (trial_.failure().kind != Failure::none) return;
    const auto exact = reference::row_statistics(as_matrix<double>(x_far_, N_, C_));
    const Worst near = worst_of(rstd, reference::row_statistics(x).rstd);
    const Worst far_mean = worst_of(far_mean_, exact.mean), far = worst_of(far_rstd_, exact.rstd);
    trial_.require(near.error > 0.05 || far_mean.error > 1e-3 || far.error < 0.3, "cancellation",
                   {{"far", std::to_string(static_cast<int>(kFar))},
                    {"is", std::to_string(far.is)},
                    {"should", std::to_string(far.should)}});
  }

  Trial& trial_;
  int N_, C_;
  std::vector<float> x_, x_far_;
  const float* far_device_;
  float *far_mean_, *far_rstd_;
};

}  // namespace andrea

#endif  // ANDREA_LESSONS_04_LAYER_NORM_STATISTICS_CASE_H_
