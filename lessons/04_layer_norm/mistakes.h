// File: mistakes.h
//
// Layer normalisation as it is often got wrong, for the tests to recognise.
//
// Threads of a block, or the lanes of a warp, share the columns of a row: with `stride` threads,
// thread t has the columns t, t + stride, t + 2 stride, ... What a thread, or a warp, has found
// alone is what a kernel works with that forgets to put it together.

#ifndef ANDREA_LESSONS_04_LAYER_NORM_MISTAKES_H_
#define ANDREA_LESSONS_04_LAYER_NORM_MISTAKES_H_

#include <algorithm>
#include <cmath>

#include "kernels/model_config.h"
#include "lessons/04_layer_norm/reference.h"
#include "lessons/reference_types.h"

namespace andrea::mistakes04 {

using Matrix = reference::Matrix<double>;
using Vector = reference::Vector<double>;
using Statistics = reference::RowStatistics<double>;

inline constexpr double kEpsilon = static_cast<double>(kLayerNormEpsilon);

// How many threads may share a row.
inline constexpr int kStrides[] = {32, 64, 128, 256, 512, 1024};

// What a wrong formula finds in one row.
struct OfRow {
  double mean, rstd;
};

inline OfRow of_row(double mean, double variance) {
  return {mean, 1 / std::sqrt(variance + kEpsilon)};
}

template <typename Formula>
Statistics statistics_by(const Matrix& x, const Formula& formula) {
  Statistics statistics{Vector(x.rows()), Vector(x.rows())};
  for (int n = 0; n < x.rows(); ++n) {
    const OfRow found = formula(Vector(x.row(n)));
    statistics.mean[n] = found.mean;
    statistics.rstd[n] = found.rstd;
  }
  return statistics;
}

// The sum of term(c) over the columns of a row for which `counts(c)` holds.
template <typename Counts, typename Term>
double sum_where(Eigen::Index columns, const Counts& counts, const Term& term) {
  double sum = 0;
  for (int c = 0; c < columns; ++c) sum += counts(c) ? term(c) : 0.0;
  return sum;
}

inline double mean_of(const Vector& row) { return row.mean(); }

inline double variance_of(const Vector& row) {
  return (row.array() - row.mean()).square().sum() / static_cast<double>(row.size());
}

// Both sums over the columns alone for which `counts(c)` holds; the variance is about the mean that
// was found so, or about the right one.
template <typename Counts>
OfRow over_part(const Vector& row, const Counts& counts, bool of_mean = true) {
  const auto C = static_cast<double>(row.size());
  const double mean =
      of_mean ? sum_where(row.size(), counts, [&](int c) { return row[c]; }) / C : row.mean();
  return of_row(mean, sum_where(row.size(), counts, [&](int c) {
                        return (row[c] - mean) * (row[c] - mean);
                      }) / C);
}

// The mean is what a group of `group` threads has found alone, of `stride` threads that share the
// row; the variance is put together.
inline OfRow mean_of_group(const Vector& row, int stride, int group) {
  const auto C = static_cast<double>(row.size());
  const auto group_of = [&](int c) { return c % stride / group; };
  const auto mean = [&](int of) {
    return sum_where(
               row.size(), [&](int c) { return group_of(c) == of; },
               [&](int c) { return row[c]; }) /
           C;
  };
  double squares = 0;
  for (int g = 0; g < stride / group; ++g) {
    const double of_group = mean(g);
    squares += sum_where(
        row.size(), [&](int c) { return group_of(c) == g; },
        [&](int c) { return (row[c] - of_group) * (row[c] - of_group); });
  }
  return of_row(mean(0), squares / C);
}

// Welford's one pass, by 32 lanes. The sums of squares of all lanes, each about the lane's own
// mean, are added as they are.
inline OfRow lanes_apart(const Vector& row) {
  const auto C = static_cast<int>(row.size());
  double squares = 0;
  for (int lane = 0; lane < std::min(32, C); ++lane) {
    const Vector own = row(Eigen::seq(lane, Eigen::last, 32));
    squares += (own.array() - own.mean()).square().sum();
  }
  return of_row(row.mean(), squares / C);
}

// The same, where lane 0 writes what it has seen alone.
inline OfRow of_lane_0(const Vector& row) {
  const Vector own = row(Eigen::seq(0, Eigen::last, 32));
  return of_row(own.mean(), variance_of(own));
}

// The same, with the squares of how far each number is from the mean before it.
inline OfRow old_mean_twice(const Vector& row) {
  const auto C = static_cast<int>(row.size());
  double count = 0, mean = 0, squares = 0;
  for (int lane = 0; lane < std::min(32, C); ++lane) {
    double own_count = 0, own_mean = 0, own_squares = 0;
    for (int c = lane; c < C; c += 32) {
      const double before = row[c] - own_mean;
      own_mean += before / ++own_count;
      own_squares += before * before;
    }
    const double apart = own_mean - mean;
    squares += own_squares + apart * apart * count * own_count / (count + own_count);
    mean += apart * own_count / (count + own_count);
    count += own_count;
  }
  return of_row(mean, squares / C);
}

// A matrix of number(n, c).
template <typename Number>
Matrix matrix_of(Eigen::Index rows, Eigen::Index columns, const Number& number) {
  Matrix matrix(rows, columns);
  for (int n = 0; n < rows; ++n) {
    for (int c = 0; c < columns; ++c) matrix(n, c) = number(n, c);
  }
  return matrix;
}

inline Matrix mean_of_rows(const Matrix& x) { return x.rowwise().mean().replicate(1, x.cols()); }
inline Matrix mean_of_columns(const Matrix& x) { return x.colwise().mean().replicate(x.rows(), 1); }

// In each column the sum over its row's columns k for which `counts(k, c)` holds, divided by C.
template <typename Counts>
Matrix mean_of_part(const Matrix& x, const Counts& counts) {
  return matrix_of(x.rows(), x.cols(), [&](int n, int c) {
    return sum_where(
               x.cols(), [&](int k) { return counts(k, c); }, [&](int k) { return x(n, k); }) /
           static_cast<double>(x.cols());
  });
}

// The rows of `numbers`, each times its row's factor.
inline Matrix rows_times(const Matrix& numbers, const Vector& factors) {
  return numbers.array().colwise() * factors.transpose().array();
}

// A matrix that is read as if its columns lay one behind the other.
inline Matrix by_columns(const Matrix& x) {
  return matrix_of(x.rows(), x.cols(), [&](int n, int c) {
    return x.data()[static_cast<Eigen::Index>(c) * x.rows() + n];
  });
}

}  // namespace andrea::mistakes04

#endif  // ANDREA_LESSONS_04_LAYER_NORM_MISTAKES_H_
