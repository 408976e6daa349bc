// File: layer_norm_case.h
//
// Inputs of lesson 04's tests: rows in which every mistake shows. Some are near 0 and as narrow as
// the epsilon, some are not centred, some hold nothing but zeros.

#ifndef ANDREA_LESSONS_04_LAYER_NORM_LAYER_NORM_CASE_H_
#define ANDREA_LESSONS_04_LAYER_NORM_LAYER_NORM_CASE_H_

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "lessons/04_layer_norm/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/trial.h"

namespace andrea {

// A row of one number, which is all mean, is tried in this many rows alone: in no smaller case.
inline constexpr int kRowsOfOne = 5;

// N rows of C numbers, of four kinds in turn: within 1 of 0; within 0.005 of 0, so that the
// variance is about the epsilon; within 2 of 3; one number in all places, 0 or 0.75.
inline std::vector<float> various_rows(RandomInputs& random, int N, int C) {
  std::vector<float> rows = random.numbers(std::int64_t{N} * C);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t n = i / static_cast<std::size_t>(C);
    if (n % 4 == 1) rows[i] *= 0.005f;
    if (n % 4 == 2) rows[i] = 3 + 2 * rows[i];
    if (n % 8 == 3) rows[i] = 0;
    if (n % 8 == 7) rows[i] = 0.75f;
  }
  return rows;
}

// Rows far from 0 and narrow: within 1 of kFar.
inline constexpr float kFar = 4000;
inline std::vector<float> far_rows(RandomInputs& random, int N, int C) {
  std::vector<float> rows = random.numbers(std::int64_t{N} * C);
  for (float& number : rows) number += kFar;
  return rows;
}

// The statistics of rows as a kernel has them: floats.
struct StatisticsInputs {
  StatisticsInputs(const std::vector<float>& x, int N, int C) {
    const auto exact = reference::row_statistics(as_matrix<double>(x, N, C));
    for (int n = 0; n < N; ++n) {
      mean.push_back(static_cast<float>(exact.mean[n]));
      rstd.push_back(static_cast<float>(exact.rstd[n]));
    }
  }
  template <typename Scalar>
  reference::RowStatistics<Scalar> as() const {
    return {as_vector<Scalar>(mean), as_vector<Scalar>(rstd)};
  }
  std::vector<float> mean, rstd;
};

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

// A variance that is the difference of two large numbers is nearly right in rows near 0, and
// nothing like it far away, although the mean is right: told by the sentence "cancellation", before
// any other mistake is looked for.
inline void require_no_cancellation(Trial& trial, const std::vector<float>& x, const float* rstd,
                                    const std::vector<float>& x_far, const float* far_mean,
                                    const float* far_rstd, int N, int C) {
  if (trial.failure().kind != Failure::none) return;
  const auto exact = reference::row_statistics(as_matrix<double>(x_far, N, C));
  const Worst near = worst_of(rstd, reference::row_statistics(as_matrix<double>(x, N, C)).rstd);
  const Worst mean = worst_of(far_mean, exact.mean), far = worst_of(far_rstd, exact.rstd);
  trial.require(near.error > 0.05 || mean.error > 1e-3 || far.error < 0.3, "cancellation",
                {{"far", std::to_string(static_cast<int>(kFar))},
                 {"is", std::to_string(far.is)},
                 {"should", std::to_string(far.should)}});
}

}  // namespace andrea

#endif  // ANDREA_LESSONS_04_LAYER_NORM_LAYER_NORM_CASE_H_
