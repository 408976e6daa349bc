// 04.1, 04.2: the statistics of a row, and what is made of them.

#include <cmath>
#include <string>
#include <vector>

#include "lessons/04_layer_norm/kernel.h"
#include "lessons/04_layer_norm/layer_norm_case.h"
#include "lessons/04_layer_norm/mistakes.h"
#include "lessons/04_layer_norm/reference.h"
#include "lessons/04_layer_norm/statistics_case.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes04::kEpsilon;
using mistakes04::kStrides;
using mistakes04::Matrix;
using mistakes04::of_row;
using mistakes04::OfRow;
using mistakes04::Statistics;
using mistakes04::variance_of;
using mistakes04::Vector;

TEST(Lesson04, Exercise1) {
  const std::vector<std::vector<int>> sizes = {{3, 2},   {1, 3},   {2, 31},   {5, 32},
                                               {9, 33},  {4, 97},  {2, 127},  {3, 129},
                                               {2, 257}, {130, 3}, {2, 1025}, {kRowsOfOne, 1}};
  EXPECT_TRUE(exercise("04.1", {"N", "C"}, sizes, [](Trial& trial) {
    const auto [N, C] = trial.sizes<2>();
    trial.need(C > 1 || N == kRowsOfOne);
    StatisticsCase of(trial, N, C);
    of.run(lesson04::statistics, 1);

    of.looks_like_end("no_epsilon", [](double variance) { return 1 / std::sqrt(variance); });
    of.looks_like_end("epsilon_outside",
                      [](double variance) { return 1 / (std::sqrt(variance) + kEpsilon); });
    for (const double other : {1e-3, 1e-6, 1e-8, 1e-10, 1e-12}) {
      of.looks_like_end("other_epsilon",
                        [&](double variance) { return 1 / std::sqrt(variance + other); });
    }
    of.looks_like_end("standard_deviation",
                      [](double variance) { return std::sqrt(variance + kEpsilon); });
    of.looks_like_end("variance", [](double variance) { return variance; });
    of.looks_like_end("variance", [](double variance) { return variance + kEpsilon; });
    of.looks_like_end("no_root", [](double variance) { return 1 / (variance + kEpsilon); });
    of.looks_like_end("over_c_minus_1", [C = C](double variance) {
      return 1 / std::sqrt(variance * C / (C - 1.0) + kEpsilon);
    });
    of.looks_like_end("variance_not_divided",
                      [C = C](double variance) { return 1 / std::sqrt(variance * C + kEpsilon); });
    of.looks_like_by("mean_not_divided", [](const Vector& row) {
      const double sum = row.sum();
      return of_row(sum, (row.array() - sum).square().mean());
    });
    of.looks_like_by("sums_not_divided", [](const Vector& row) {
      const double sum = row.sum();
      return of_row(sum, (row.array() - sum).square().sum());
    });
    of.looks_like_by("about_zero", [](const Vector& row) {
      return of_row(row.mean(), row.array().square().mean());
    });
    of.looks_like_by("absolute", [](const Vector& row) {
      return of_row(row.mean(), (row.array() - row.mean()).abs().mean());
    });
    of.looks_like_by("exchanged", [](const Vector& row) {
      const OfRow right = of_row(row.mean(), variance_of(row));
      return OfRow{right.rstd, right.mean};
    });
    of.looks_like_by("first_row", [&](const Vector&) {
      return of_row(of.x.row(0).mean(), variance_of(of.x.row(0)));
    });
    const Matrix columns = mistakes04::by_columns(of.x);
    of.looks_like("by_columns", [&] { return reference::row_statistics(columns); });
    of.looks_like_by("lanes_left", mistakes04::of_lanes_left);
    for (const int stride : kStrides) {
      const auto part = [&](const std::string& name, const auto& counts) {
        for (const auto& formula : mistakes04::ways_of(counts)) of.looks_like_by(name, formula);
      };
      const auto apart = [&](const std::string& name, int size) {
        for (const auto& [means, variances] : mistakes04::kWaysApart) {
          const auto written = [&, means = means, variances = variances] {
            return mistakes04::apart(
                       of.x, stride / size, [&](int c) { return c % stride / size; }, means,
                       variances)
                .written();
          };
          of.looks_like(name, written);
        }
      };
      apart("one_thread", 1);
      part("first_round", [=](int c) { return c < stride; });
      part("last_of_each", [=, C = C](int c) { return c + stride >= C; });
      if (stride > 32) apart("one_warp", 32);
    }
  }));
}

TEST(Lesson04, Exercise2) {
  const std::vector<std::vector<int>> sizes = {
      {3, 2, 1, 1},  {2, 3, 0, 0},   {4, 5, 1, 0},   {5, 4, 0, 1},   {3, 31, 1, 1},  {9, 33, 1, 1},
      {2, 97, 0, 1}, {5, 127, 1, 0}, {3, 129, 1, 1}, {130, 3, 1, 1}, {2, 1025, 1, 1}};
  EXPECT_TRUE(exercise("04.2", {"N", "C", "gain", "bias"}, sizes, [](Trial& trial) {
    const auto [N, C, has_gain, has_bias] = trial.sizes<4>();
    const auto x = various_rows(trial.random(), N, C);
    const StatisticsInputs statistics(x, N, C);
    const auto gain = trial.random().numbers(has_gain ? C : 0, 2);
    const auto bias = trial.random().numbers(has_bias ? C : 0, 2);
    const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
    const float* mean = trial.input("mean", {{"n", N}}, statistics.mean);
    const float* rstd = trial.input("rstd", {{"n", N}}, statistics.rstd);
    const float* gain_device = has_gain ? trial.input("gain", {{"c", C}}, gain) : nullptr;
    const float* bias_device = has_bias ? trial.input("bias", {{"c", C}}, bias) : nullptr;
    float* y = trial.output("y", {{"n", N}, {"c", C}});
    trial.run([&, N = N, C = C](const Launch& launch) {
      lesson04::normalise(x_device, mean, rstd, gain_device, bias_device, y, N, C, launch);
    });
    trial.expect(
        "y",
        [&, N = N, C = C]<typename Scalar>(Scalar) {
          return reference::with_gain_and_bias<Scalar>(
              reference::normalised(as_matrix<Scalar>(x, N, C), statistics.as<Scalar>()),
              as_vector<Scalar>(gain), as_vector<Scalar>(bias));
        },
        5);

    const Matrix X = as_matrix<double>(x, N, C);
    const Statistics of = statistics.as<double>();
    const Vector Gain = as_vector<double>(gain), Bias = as_vector<double>(bias);
    const auto gain_at = [&](int c) { return has_gain ? Gain[c] : 1; };
    const auto bias_at = [&](int c) { return has_bias ? Bias[c] : 0; };
    const auto looks_like = [&, N = N, C = C](const std::string& name, const auto& number) {
      trial.looks_like(name, "y", [&] { return mistakes04::matrix_of(N, C, number); });
    };
    const auto x_hat = [&](int n, int c) { return (X(n, c) - of.mean[n]) * of.rstd[n]; };
    // y with another x_hat.
    const auto with = [&](const std::string& name, const auto& other) {
      looks_like(name, [&](int n, int c) { return gain_at(c) * other(n, c) + bias_at(c); });
    };
    with("mean_not_subtracted", [&](int n, int c) { return X(n, c) * of.rstd[n]; });
    with("mean_added", [&](int n, int c) { return (X(n, c) + of.mean[n]) * of.rstd[n]; });
    with("not_scaled", [&](int n, int c) { return X(n, c) - of.mean[n]; });
    with("divided", [&](int n, int c) { return (X(n, c) - of.mean[n]) / of.rstd[n]; });
    with("scaled_first", [&](int n, int c) { return X(n, c) * of.rstd[n] - of.mean[n]; });
    with("exchanged_statistics", [&](int n, int c) { return (X(n, c) - of.rstd[n]) * of.mean[n]; });
    with("x_itself", [&](int n, int c) { return X(n, c); });
    with("first_statistics", [&](int n, int c) { return (X(n, c) - of.mean[0]) * of.rstd[0]; });
    with("first_row", [&](int, int c) { return x_hat(0, c); });
    with("first_column", [&](int n, int) { return x_hat(n, 0); });
    with("by_columns", [&](int n, int c) {
      return (X.data()[static_cast<Eigen::Index>(c) * X.rows() + n] - of.mean[n]) * of.rstd[n];
    });
    looks_like("no_gain", [&](int n, int c) { return x_hat(n, c) + bias_at(c); });
    looks_like("no_bias", [&](int n, int c) { return gain_at(c) * x_hat(n, c); });
    looks_like("no_gain_no_bias", x_hat);
    looks_like("bias_inside",
               [&](int n, int c) { return gain_at(c) * (x_hat(n, c) + bias_at(c)); });
    looks_like("bias_subtracted",
               [&](int n, int c) { return gain_at(c) * x_hat(n, c) - bias_at(c); });
    looks_like("gain_added", [&](int n, int c) { return gain_at(c) + x_hat(n, c) + bias_at(c); });
    looks_like("exchanged", [&](int n, int c) { return bias_at(c) * x_hat(n, c) + gain_at(c); });
    looks_like("first_gain", [&](int n, int c) { return gain_at(0) * x_hat(n, c) + bias_at(0); });
    looks_like("first_gain", [&](int n, int c) { return gain_at(0) * x_hat(n, c) + bias_at(c); });
    looks_like("first_gain", [&](int n, int c) { return gain_at(c) * x_hat(n, c) + bias_at(0); });
    // Where there are enough of them; elsewhere the simulator reports it.
    looks_like("gain_of_row", [&, C = C](int n, int c) {
      return n < C ? gain_at(n) * x_hat(n, c) + bias_at(n) : 0;
    });
    with("statistics_of_column",
         [&, N = N](int n, int c) { return c < N ? (X(n, c) - of.mean[c]) * of.rstd[c] : 0; });
  }));
}

}  // namespace
}  // namespace andrea
