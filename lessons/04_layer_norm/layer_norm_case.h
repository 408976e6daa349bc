// File: layer_norm_case.h
//
// Inputs of lesson 04's tests: rows in which every mistake shows. Some are near 0 and as narrow as
// the epsilon, some are not centred, some hold nothing but zeros.

#ifndef ANDREA_LESSONS_04_LAYER_NORM_LAYER_NORM_CASE_H_
#define ANDREA_LESSONS_04_LAYER_NORM_LAYER_NORM_CASE_H_

#include <cstddef>
#include <vector>

#include "lessons/04_layer_norm/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/random_inputs.h"

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

}  // namespace andrea

#endif  // ANDREA_LESSONS_04_LAYER_NORM_LAYER_NORM_CASE_H_
