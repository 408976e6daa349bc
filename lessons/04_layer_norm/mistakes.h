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
#include <array>
#include <cmath>
#include <functional>
#include <vector>

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

// The mean from the columns for which `in_mean(c)` holds, the variance about it from those for
// which `in_variance(c)` does; both sums divided by all C.
template <typename InMean, typename InVariance>
OfRow over_parts(const Vector& row, const InMean& in_mean, const InVariance& in_variance) {
  const auto C = static_cast<double>(row.size());
  const double mean = sum_where(row.size(), in_mean, [&](int c) { return row[c]; }) / C;
  return of_row(mean, sum_where(row.size(), in_variance, [&](int c) {
                        return (row[c] - mean) * (row[c] - mean);
                      }) / C);
}

inline bool every_column(int) { return true; }

// Columns counted where `counts(c)` holds: in both sums, in the mean alone, in the variance alone.
template <typename Counts>
auto ways_of(const Counts& counts) {
  return std::array<std::function<OfRow(const Vector&)>, 3>{
      [=](const Vector& row) { return over_parts(row, counts, counts); },
      [=](const Vector& row) { return over_parts(row, counts, every_column); },
      [=](const Vector& row) { return over_parts(row, every_column, counts); }};
}

// What each of 32 lanes has as the sum of all after five exchanges, if the lanes without a column
// have gone: who asks a lane that is not there gets its own number back.
template <typename Term>
std::array<double, 32> sums_of_lanes_left(Eigen::Index columns, const Term& term) {
  std::array<double, 32> sums{};
  for (int c = 0; c < columns; ++c) sums[static_cast<std::size_t>(c % 32)] += term(c);
  for (std::size_t distance = 16; distance > 0; distance /= 2) {
    const std::array<double, 32> before = sums;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::size_t other = lane ^ distance;
      sums[lane] += before[static_cast<Eigen::Index>(other) < columns ? other : lane];
    }
  }
  return sums;
}
inline OfRow of_lanes_left(const Vector& row) {
  const auto C = static_cast<double>(row.size());
  const auto sums = sums_of_lanes_left(row.size(), [&](int c) { return row[c]; });
  const auto squares = sums_of_lanes_left(row.size(), [&](int c) {
    const double off = row[c] - sums[static_cast<std::size_t>(c % 32)] / C;
    return off * off;
  });
  return of_row(sums[0] / C, squares[0] / C);
}

// What the threads of a row work with where sums are not put together: a mean and an rstd for each
// number, as its thread has them.
struct Apart {
  Matrix mean, rstd;

  // One thread, that of column 0, writes them.
  Statistics written() const { return {mean.col(0).transpose(), rstd.col(0).transpose()}; }
};

// Each group of threads, a thread or a warp, has its own sum for the mean, for the variance, or for
// both. group_of(c) is the group that has column c.
template <typename GroupOf>
Apart apart(const Matrix& x, int groups, const GroupOf& group_of, bool means, bool variances) {
  const auto C = static_cast<double>(x.cols());
  Apart result{Matrix(x.rows(), x.cols()), Matrix(x.rows(), x.cols())};
  for (int n = 0; n < x.rows(); ++n) {
    std::vector<double> sums(static_cast<std::size_t>(groups), 0.0), squares = sums;
    const auto of = [&](std::vector<double>& sums_of_groups, int c, bool own) -> double& {
      return sums_of_groups[own ? static_cast<std::size_t>(group_of(c)) : 0];
    };
    for (int c = 0; c < x.cols(); ++c) of(sums, c, means) += x(n, c);
    for (int c = 0; c < x.cols(); ++c) {
      const double off = x(n, c) - of(sums, c, means) / C;
      of(squares, c, variances) += off * off;
    }
    for (int c = 0; c < x.cols(); ++c) {
      const OfRow found = of_row(of(sums, c, means) / C, of(squares, c, variances) / C);
      result.mean(n, c) = found.mean;
      result.rstd(n, c) = found.rstd;
    }
  }
  return result;
}

// In both sums, in the first, in the second.
inline constexpr bool kWaysApart[][2] = {{true, true}, {true, false}, {false, true}};

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

// In each column what its lane takes for the mean of the row, if lanes have gone.
inline Matrix mean_of_lanes_left(const Matrix& x) {
  Matrix mean(x.rows(), x.cols());
  for (int n = 0; n < x.rows(); ++n) {
    const auto sums = sums_of_lanes_left(x.cols(), [&](int c) { return x(n, c); });
    for (int c = 0; c < x.cols(); ++c) {
      mean(n, c) = sums[static_cast<std::size_t>(c % 32)] / static_cast<double>(x.cols());
    }
  }
  return mean;
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
