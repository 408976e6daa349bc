// File: layer_norm_case.h
//
// Inputs of lesson 04's tests: rows in which every mistake shows. Some are near 0 and as narrow as
// the epsilon, some are not centred, some hold nothing but zeros.

#ifndef ANDREA_LESSONS_04_LAYER_NORM_LAYER_NORM_CASE_H_
#define ANDREA_LESSONS_04_LAYER_NORM_LAYER_NORM_CASE_H_

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "lessons/04_layer_norm/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/trial.h"

namespace andrea {

// N rows of C numbers, of four kinds in turn: within 1 of 0; within 0.005 of 0, so that the
// variance is about the epsilon; within 2 of 3; zeros in every other fourth row.
inline std::vector<float> various_rows(RandomInputs& random, int N, int C) {
  std::vector<float> rows = random.numbers(std::int64_t{N} * C);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t n = i / static_cast<std::size_t>(C);
    if (n % 4 == 1) rows[i] *= 0.005f;
    if (n % 4 == 2) rows[i] = 3 + 2 * rows[i];
    if (n % 8 == 3) rows[i] = 0;
  }
  return rows;
}

// Rows far from 0 and narrow: within 1 of kFar.
inline constexpr float kFar = 1000;
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

// Requires that the rstd of rows far from 0 is right in its first three digits; the sentence is
// "cancellation".
inline void require_right_far_from_0(Trial& trial, const std::vector<float>& x_far,
                                     const float* rstd_device, int N, int C) {
  const auto exact = reference::row_statistics(as_matrix<double>(x_far, N, C)).rstd;
  std::vector<float> rstd(static_cast<std::size_t>(N), 0.0f);
  if (trial.failure().kind == Failure::none) {
    cudaMemcpy(rstd.data(), rstd_device, rstd.size() * sizeof(float), cudaMemcpyDeviceToHost);
  }
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t n = 0; n < rstd.size(); ++n) {
    const double right = exact[static_cast<Eigen::Index>(n)];
    const double error = std::abs(static_cast<double>(rstd[n]) / right - 1);
    if (error <= worst) continue;
    worst = std::isnan(error) ? 1 : error;
    at = n;
  }
  trial.require(worst < 1e-3, "cancellation",
                {{"far", std::to_string(static_cast<int>(kFar))},
                 {"is", std::to_string(rstd[at])},
                 {"should", std::to_string(exact[static_cast<Eigen::Index>(at)])}});
}

}  // namespace andrea

#endif  // ANDREA_LESSONS_04_LAYER_NORM_LAYER_NORM_CASE_H_
