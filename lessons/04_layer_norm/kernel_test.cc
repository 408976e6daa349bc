#include "lessons/04_layer_norm/kernel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/layer_norm.h"
#include "lessons/04_layer_norm/layer_norm_case.h"
#include "lessons/04_layer_norm/mistakes.h"
#include "lessons/04_layer_norm/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes04::kEpsilon;
using mistakes04::kStrides;
using mistakes04::Matrix;
using mistakes04::mean_of_columns;
using mistakes04::mean_of_part;
using mistakes04::mean_of_rows;
using mistakes04::of_row;
using mistakes04::OfRow;
using mistakes04::rows_times;
using mistakes04::Statistics;
using mistakes04::variance_of;
using mistakes04::Vector;

// A row of one number, which is all mean, is tried in this many rows alone: in no smaller case.
constexpr int kRowsOfOne = 5;

TEST(Lesson04, Exercise1) {
  const std::vector<std::vector<int>> sizes = {{3, 2},   {1, 3},   {2, 31},   {5, 32},
                                               {9, 33},  {4, 97},  {2, 127},  {3, 129},
                                               {2, 257}, {130, 3}, {2, 1025}, {kRowsOfOne, 1}};
  EXPECT_TRUE(exercise("04.1", {"N", "C"}, sizes, [](Trial& trial) {
    const auto [N, C] = trial.sizes<2>();
    trial.need(C > 1 || N == kRowsOfOne);
    const auto x = various_rows(trial.random(), N, C), x_far = far_rows(trial.random(), N, C);
    const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
    const float* far_device = trial.input("x far from 0", {{"n", N}, {"c", C}}, x_far);
    float* mean = trial.output("mean", {{"n", N}});
    float* rstd = trial.output("rstd", {{"n", N}});
    float* far_mean = trial.output("mean far from 0", {{"n", N}});
    float* far_rstd = trial.output("rstd far from 0", {{"n", N}});
    trial.run([&, N = N, C = C](const Launch& launch) {
      lesson04::statistics(x_device, mean, rstd, N, C, launch);
      lesson04::statistics(far_device, far_mean, far_rstd, N, C, launch);
    });
    require_no_cancellation(trial, x, rstd, x_far, far_mean, far_rstd, N, C);
    const auto expected = [&, N = N, C = C]<typename Scalar>(Scalar) {
      return reference::row_statistics(as_matrix<Scalar>(x, N, C));
    };
    trial.expect(
        "mean", [&]<typename Scalar>(Scalar scalar) { return expected(scalar).mean; },
        5 + C / 16.0);
    trial.expect("rstd", [&]<typename Scalar>(Scalar scalar) { return expected(scalar).rstd; });

    const Matrix X = as_matrix<double>(x, N, C);
    const auto both = [&](const std::string& name, const auto& formula) {
      const auto wrong = [&] { return mistakes04::statistics_by(X, formula); };
      trial.looks_like(name, "mean", [&] { return wrong().mean; });
      trial.looks_like(name, "rstd", [&] { return wrong().rstd; });
    };
    // A wrong end, with the right mean and variance.
    const auto end = [&](const std::string& name, const auto& rstd_of) {
      both(name, [&](const Vector& row) { return OfRow{row.mean(), rstd_of(variance_of(row))}; });
    };
    end("no_epsilon", [](double variance) { return 1 / std::sqrt(variance); });
    end("epsilon_outside", [](double variance) { return 1 / (std::sqrt(variance) + kEpsilon); });
    for (const double other : {1e-3, 1e-6, 1e-8, 1e-10, 1e-12}) {
      end("other_epsilon", [&](double variance) { return 1 / std::sqrt(variance + other); });
    }
    end("standard_deviation", [](double variance) { return std::sqrt(variance + kEpsilon); });
    end("variance", [](double variance) { return variance; });
    end("variance", [](double variance) { return variance + kEpsilon; });
    end("no_root", [](double variance) { return 1 / (variance + kEpsilon); });
    end("over_c_minus_1",
        [C = C](double variance) { return 1 / std::sqrt(variance * C / (C - 1.0) + kEpsilon); });
    end("variance_not_divided",
        [C = C](double variance) { return 1 / std::sqrt(variance * C + kEpsilon); });
    both("mean_not_divided", [](const Vector& row) {
      const double sum = row.sum();
      return of_row(sum, (row.array() - sum).square().mean());
    });
    both("sums_not_divided", [](const Vector& row) {
      const double sum = row.sum();
      return of_row(sum, (row.array() - sum).square().sum());
    });
    both("about_zero",
         [](const Vector& row) { return of_row(row.mean(), row.array().square().mean()); });
    both("absolute", [](const Vector& row) {
      return of_row(row.mean(), (row.array() - row.mean()).abs().mean());
    });
    both("exchanged", [](const Vector& row) {
      const OfRow right = of_row(row.mean(), variance_of(row));
      return OfRow{right.rstd, right.mean};
    });
    both("first_row",
         [&](const Vector&) { return of_row(X.row(0).mean(), variance_of(X.row(0))); });
    const Matrix columns = mistakes04::by_columns(X);
    trial.looks_like("by_columns", "mean", [&] { return reference::row_statistics(columns).mean; });
    trial.looks_like("by_columns", "rstd", [&] { return reference::row_statistics(columns).rstd; });
    both("lanes_left", mistakes04::of_lanes_left);
    for (const int stride : kStrides) {
      const auto part = [&](const std::string& name, const auto& counts) {
        for (const auto& formula : mistakes04::ways_of(counts)) both(name, formula);
      };
      const auto apart = [&](const std::string& name, int size) {
        for (const auto& [means, variances] : mistakes04::kWaysApart) {
          const auto written = [&, means = means, variances = variances] {
            return mistakes04::apart(
                       X, stride / size, [&](int c) { return c % stride / size; }, means, variances)
                .written();
          };
          trial.looks_like(name, "mean", [&] { return written().mean; });
          trial.looks_like(name, "rstd", [&] { return written().rstd; });
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

TEST(Lesson04, Exercise3) {
  // With one number or two nothing of dx is left but what the epsilon does: not in smaller cases.
  const std::vector<std::vector<int>> sizes = {
      {2, 3, 1},   {3, 5, 0},   {3, 31, 1},  {5, 32, 1},  {9, 33, 1},         {4, 97, 1},
      {2, 129, 0}, {3, 257, 1}, {130, 3, 1}, {2, 517, 1}, {kRowsOfOne, 1, 1}, {kRowsOfOne, 2, 1}};
  EXPECT_TRUE(exercise("04.3", {"N", "C", "gain"}, sizes, [](Trial& trial) {
    const auto [N, C, has_gain] = trial.sizes<3>();
    trial.need(C > 2 || N == kRowsOfOne);
    const auto x = various_rows(trial.random(), N, C);
    const StatisticsInputs statistics(x, N, C);
    const auto dy = trial.random().numbers(N * C, 2);
    const auto gain = trial.random().numbers(has_gain ? C : 0, 2);
    const float* dy_device = trial.input("dy", {{"n", N}, {"c", C}}, dy);
    const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
    const float* mean = trial.input("mean", {{"n", N}}, statistics.mean);
    const float* rstd = trial.input("rstd", {{"n", N}}, statistics.rstd);
    const float* gain_device = has_gain ? trial.input("gain", {{"c", C}}, gain) : nullptr;
    float* dx = trial.output("dx", {{"n", N}, {"c", C}});
    trial.run([&, N = N, C = C](const Launch& launch) {
      lesson04::input_gradient(dy_device, x_device, mean, rstd, gain_device, dx, N, C, launch);
    });
    trial.expect(
        "dx",
        [&, N = N, C = C]<typename Scalar>(Scalar) {
          return reference::layer_norm_backward(as_matrix<Scalar>(dy, N, C),
                                                as_matrix<Scalar>(x, N, C), as_vector<Scalar>(gain),
                                                statistics.as<Scalar>())
              .dx;
        },
        20 * *std::max_element(statistics.rstd.begin(), statistics.rstd.end()));

    const Matrix X = as_matrix<double>(x, N, C), DY = as_matrix<double>(dy, N, C);
    const Statistics of = statistics.as<double>();
    const Vector Gain = as_vector<double>(gain);
    const Matrix x_hat = reference::normalised(X, of), g = reference::times_gain(DY, Gain);
    const Matrix product = g.cwiseProduct(x_hat);
    const Matrix g_mean = mean_of_rows(g), product_mean = mean_of_rows(product);
    const Matrix zero = Matrix::Zero(N, C);
    const auto columns = static_cast<double>(C);
    // rstd * (a - first - b * second), as dx is for g, its mean, x_hat, and the products' mean.
    const auto combined = [&](const Matrix& a, const Matrix& first, const Matrix& b,
                              const Matrix& second) {
      return rows_times(a - first - b.cwiseProduct(second), of.rstd);
    };
    const auto looks_like = [&](const std::string& name, const auto& wrong) {
      trial.looks_like(name, "dx", [&]() -> Matrix { return wrong(); });
    };
    looks_like("no_g_mean", [&] { return combined(g, zero, x_hat, product_mean); });
    looks_like("no_product_mean", [&] { return combined(g, g_mean, x_hat, zero); });
    looks_like("no_means", [&] { return combined(g, zero, x_hat, zero); });
    const auto without_gain = [&] {
      return combined(DY, mean_of_rows(DY), x_hat, mean_of_rows(DY.cwiseProduct(x_hat)));
    };
    looks_like("no_gain", without_gain);
    looks_like("gain_at_the_end",
               [&] { return reference::times_gain<double>(without_gain(), Gain); });
    looks_like("means_without_gain", [&] {
      return combined(g, mean_of_rows(DY), x_hat, mean_of_rows(DY.cwiseProduct(x_hat)));
    });
    looks_like("gain_in_means_only", [&] { return combined(DY, g_mean, x_hat, product_mean); });
    const Matrix right = combined(g, g_mean, x_hat, product_mean);
    looks_like("no_rstd", [&] { return g - g_mean - x_hat.cwiseProduct(product_mean); });
    looks_like("divided", [&] {
      return rows_times(g - g_mean - x_hat.cwiseProduct(product_mean), of.rstd.cwiseInverse());
    });
    looks_like("rstd_twice", [&] { return rows_times(right, of.rstd); });
    looks_like("sums",
               [&] { return combined(g, columns * g_mean, x_hat, columns * product_mean); });
    looks_like("sums", [&] { return combined(g, columns * g_mean, x_hat, product_mean); });
    looks_like("sums", [&] { return combined(g, g_mean, x_hat, columns * product_mean); });
    const auto other_x_hat = [&](const std::string& name, const Matrix& other) {
      const Matrix other_mean = mean_of_rows(g.cwiseProduct(other));
      looks_like(name, [&] { return combined(g, g_mean, other, other_mean); });
      looks_like(name, [&] { return combined(g, g_mean, x_hat, other_mean); });
      looks_like(name, [&] { return combined(g, g_mean, other, product_mean); });
    };
    other_x_hat("x_for_x_hat", X);
    other_x_hat("not_scaled", X.colwise() - of.mean.transpose());
    other_x_hat("mean_not_subtracted", rows_times(X, of.rstd));
    looks_like("no_x_hat", [&] { return rows_times(g - g_mean - product_mean, of.rstd); });
    looks_like("added", [&] { return combined(g, -g_mean, x_hat, -product_mean); });
    looks_like("added", [&] { return combined(g, -g_mean, x_hat, product_mean); });
    looks_like("added", [&] { return combined(g, g_mean, x_hat, -product_mean); });
    looks_like("wrong_axis",
               [&] { return combined(g, mean_of_columns(g), x_hat, mean_of_columns(product)); });
    looks_like("first_statistics", [&] {
      const Matrix first = (X.array() - of.mean[0]) * of.rstd[0];
      return Matrix(of.rstd[0] *
                    (g - g_mean - first.cwiseProduct(mean_of_rows(g.cwiseProduct(first)))));
    });
    looks_like("first_row_of_dy", [&] {
      const Matrix first = g.row(0).replicate(g.rows(), 1);
      return combined(first, mean_of_rows(first), x_hat, mean_of_rows(first.cwiseProduct(x_hat)));
    });
    looks_like("lanes_left", [&] {
      return combined(g, mistakes04::mean_of_lanes_left(g), x_hat,
                      mistakes04::mean_of_lanes_left(product));
    });
    for (const int stride : kStrides) {
      const auto part = [&](const std::string& name, const auto& counts) {
        const auto g_part = [&] { return mean_of_part(g, counts); };
        const auto product_part = [&] { return mean_of_part(product, counts); };
        looks_like(name, [&] { return combined(g, g_part(), x_hat, product_part()); });
        looks_like(name, [&] { return combined(g, g_part(), x_hat, product_mean); });
        looks_like(name, [&] { return combined(g, g_mean, x_hat, product_part()); });
      };
      part("one_thread", [&](int k, int c) { return k % stride == c % stride; });
      part("first_round", [&](int k, int) { return k < stride; });
      part("last_of_each", [&, C = C](int k, int) { return k + stride >= C; });
      if (stride == 32) continue;
      part("one_warp", [&](int k, int c) { return k % stride / 32 == c % stride / 32; });
    }
  }));
}

TEST(Lesson04, Exercise4) {
  const std::vector<std::vector<int>> sizes = {
      {3, 2, 0, 1, 1},   {3, 2, 1, 1, 1},   {2, 3, 0, 1, 0},   {3, 1, 1, 0, 1},
      {5, 31, 0, 1, 1},  {33, 32, 1, 1, 1}, {31, 33, 0, 0, 1}, {9, 97, 1, 1, 0},
      {4, 129, 0, 1, 1}, {130, 3, 1, 1, 1}, {2, 1025, 0, 1, 1}};
  EXPECT_TRUE(exercise("04.4", {"N", "C", "add", "dgain", "dbias"}, sizes, [](Trial& trial) {
    const auto [N, C, add, has_dgain, has_dbias] = trial.sizes<5>();
    const Accumulate accumulate = add ? Accumulate::add : Accumulate::overwrite;
    const auto x = various_rows(trial.random(), N, C);
    const StatisticsInputs statistics(x, N, C);
    const auto dy = trial.random().numbers(N * C, 2);
    const float* dy_device = trial.input("dy", {{"n", N}, {"c", C}}, dy);
    const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
    const float* mean = trial.input("mean", {{"n", N}}, statistics.mean);
    const float* rstd = trial.input("rstd", {{"n", N}}, statistics.rstd);
    float* dgain = has_dgain ? trial.gradient("dgain", {{"c", C}}, accumulate) : nullptr;
    float* dbias = has_dbias ? trial.gradient("dbias", {{"c", C}}, accumulate) : nullptr;
    trial.run([&, N = N, C = C](const Launch& launch) {
      lesson04::gain_and_bias_gradients(dy_device, x_device, mean, rstd, dgain, dbias, N, C,
                                        accumulate, launch);
    });
    const auto gradients = [&, N = N, C = C]<typename Scalar>(Scalar) {
      return reference::layer_norm_backward<Scalar>(
          as_matrix<Scalar>(dy, N, C), as_matrix<Scalar>(x, N, C), {}, statistics.as<Scalar>());
    };
    if (has_dgain) {
      trial.expect(
          "dgain", [&]<typename Scalar>(Scalar scalar) { return gradients(scalar).dgain; }, 4 * N);
    }
    if (has_dbias) {
      trial.expect(
          "dbias", [&]<typename Scalar>(Scalar scalar) { return gradients(scalar).dbias; }, 2 * N);
    }

    const Matrix X = as_matrix<double>(x, N, C), DY = as_matrix<double>(dy, N, C);
    const Statistics of = statistics.as<double>();
    const Matrix x_hat = reference::normalised(X, of);
    const Vector right_gain = DY.cwiseProduct(x_hat).colwise().sum(),
                 right_bias = DY.colwise().sum();
    const auto looks_like = [&](const std::string& name, const Vector& wrong_gain,
                                const Vector& wrong_bias) {
      if (has_dgain) trial.looks_like(name, "dgain", [&] { return wrong_gain; });
      if (has_dbias) trial.looks_like(name, "dbias", [&] { return wrong_bias; });
    };
    const auto gain_by = [&](const std::string& name, const Matrix& terms) {
      looks_like(name, terms.colwise().sum(), right_bias);
    };
    gain_by("no_x_hat", DY);
    gain_by("x_for_x_hat", DY.cwiseProduct(X));
    gain_by("not_scaled", DY.cwiseProduct(X.colwise() - of.mean.transpose()));
    gain_by("mean_not_subtracted", DY.cwiseProduct(rows_times(X, of.rstd)));
    gain_by("divided",
            DY.cwiseProduct(rows_times(X.colwise() - of.mean.transpose(), of.rstd.cwiseInverse())));
    gain_by("no_dy", x_hat);
    gain_by("first_statistics", DY.cwiseProduct(Matrix((X.array() - of.mean[0]) * of.rstd[0])));
    looks_like("bias_with_x_hat", right_gain, right_gain);
    looks_like("exchanged", right_bias, right_gain);
    const auto rows = static_cast<double>(N);
    looks_like("mean_over_rows", right_gain / rows, right_bias / rows);
    looks_like("mean_over_rows", right_gain / rows, right_bias);
    looks_like("mean_over_rows", right_gain, right_bias / rows);
    const Vector last_gain = DY.row(N - 1).cwiseProduct(x_hat.row(N - 1)),
                 last_bias = DY.row(N - 1);
    looks_like("last_row", last_gain, last_bias);
    looks_like("last_row", last_gain, right_bias);
    looks_like("last_row", right_gain, last_bias);
    const Vector first_gain = DY.row(0).cwiseProduct(x_hat.row(0)), first_bias = DY.row(0);
    looks_like("first_row", first_gain, first_bias);
    looks_like("first_row", N * first_gain, N * first_bias);
    // Where there are enough rows; elsewhere the simulator reports it.
    const auto along = [&, N = N, C = C](const Matrix& terms) -> Vector {
      Vector sums = Vector::Zero(C);
      for (int n = 0; n < std::min(N, C); ++n) sums[n] = terms.row(n).sum();
      return sums;
    };
    looks_like("along_the_row", along(DY.cwiseProduct(x_hat)), along(DY));
    // What was there before, forgotten or counted against the wish.
    const auto before = [&](bool exists, const std::string& name) -> Vector {
      return exists ? as_vector<double>(trial.before(name))
                    : Vector(Vector::Zero(right_bias.size()));
    };
    const Vector gain_before = before(has_dgain, "dgain"), bias_before = before(has_dbias, "dbias");
    const Vector zero = Vector::Zero(C);
    looks_like("assigned", right_gain - (add ? gain_before : zero),
               right_bias - (add ? bias_before : zero));
    looks_like("always_added", right_gain + (add ? zero : gain_before),
               right_bias + (add ? zero : bias_before));
  }));
}

// The steps together, as kernels/layer_norm.h asks for them.
TEST(Lesson04, Whole) {
  const std::vector<std::vector<int>> sizes = {
      {3, 2, 1, 1, 0},  {2, 3, 0, 0, 0},   {4, 5, 1, 0, 1}, {9, 33, 0, 1, 1},
      {5, 97, 1, 1, 1}, {3, 129, 1, 1, 0}, {1, 1, 1, 1, 0}};
  EXPECT_TRUE(whole(
      "04.4", "kernels/layer_norm.h", {"N", "C", "gain", "bias", "add"}, sizes, [](Trial& trial) {
        const auto [N, C, has_gain, has_bias, add] = trial.sizes<5>();
        const Accumulate accumulate = add ? Accumulate::add : Accumulate::overwrite;
        const auto x = various_rows(trial.random(), N, C);
        const auto dy = trial.random().numbers(N * C, 2);
        const auto gain = trial.random().numbers(has_gain ? C : 0, 2);
        const auto bias = trial.random().numbers(has_bias ? C : 0, 2);
        const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
        const float* dy_device = trial.input("dy", {{"n", N}, {"c", C}}, dy);
        const float* gain_device = has_gain ? trial.input("gain", {{"c", C}}, gain) : nullptr;
        const float* bias_device = has_bias ? trial.input("bias", {{"c", C}}, bias) : nullptr;
        float* y = trial.output("y", {{"n", N}, {"c", C}});
        float* y_alone = trial.output("y without saved", {{"n", N}, {"c", C}});
        float* dx = trial.output("dx", {{"n", N}, {"c", C}});
        float* dgain = has_gain ? trial.gradient("dgain", {{"c", C}}, accumulate) : nullptr;
        float* dbias = has_bias ? trial.gradient("dbias", {{"c", C}}, accumulate) : nullptr;
        const int saved_numbers = static_cast<int>(layer_norm_saved_bytes(N, C) / sizeof(float));
        float* saved = trial.output("saved", {{"i", saved_numbers}});
        trial.run(
            [&, N = N, C = C](const Launch& launch) {
              layer_norm_forward(x_device, gain_device, bias_device, y_alone, nullptr, N, C,
                                 launch);
              layer_norm_forward(x_device, gain_device, bias_device, y, saved, N, C, launch);
              layer_norm_backward(dy_device, x_device, gain_device, saved, dx, dgain, dbias, N, C,
                                  accumulate, launch);
            },
            layer_norm_scratch_bytes(N, C));
        const auto expected = [&, N = N, C = C]<typename Scalar>(Scalar) {
          return reference::layer_norm_forward<Scalar>(
              as_matrix<Scalar>(x, N, C), as_vector<Scalar>(gain), as_vector<Scalar>(bias));
        };
        const auto gradients = [&, N = N, C = C]<typename Scalar>(Scalar) {
          return reference::layer_norm_backward<Scalar>(
              as_matrix<Scalar>(dy, N, C), as_matrix<Scalar>(x, N, C), as_vector<Scalar>(gain));
        };
        const double accumulated = 20 + C / 16.0;
        trial.expect("y", expected, accumulated);
        trial.expect("y without saved", expected, accumulated);
        const double largest_rstd = 320;
        trial.expect(
            "dx", [&]<typename Scalar>(Scalar scalar) { return gradients(scalar).dx; },
            20 * largest_rstd);
        if (has_gain) {
          trial.expect(
              "dgain", [&]<typename Scalar>(Scalar scalar) { return gradients(scalar).dgain; },
              20 * N);
        }
        if (has_bias) {
          trial.expect(
              "dbias", [&]<typename Scalar>(Scalar scalar) { return gradients(scalar).dbias; },
              2 * N);
        }
      }));
}

}  // namespace
}  // namespace andrea
