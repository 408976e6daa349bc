// 04.3, 04.4: the gradient of the input, and those of gain and bias.

#include <algorithm>
#include <string>
#include <vector>

#include "lessons/04_layer_norm/kernel.h"
#include "lessons/04_layer_norm/layer_norm_case.h"
#include "lessons/04_layer_norm/mistakes.h"
#include "lessons/04_layer_norm/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes04::kStrides;
using mistakes04::Matrix;
using mistakes04::mean_of_columns;
using mistakes04::mean_of_part;
using mistakes04::mean_of_rows;
using mistakes04::rows_times;
using mistakes04::Statistics;
using mistakes04::Vector;

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
    looks_like("gain_twice", [&] { return reference::times_gain<double>(right, Gain); });
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
    // Where there are enough rows; elsewhere the simulator reports it.
    gain_by("statistics_of_column", mistakes04::matrix_of(N, C, [&, N = N](int n, int c) {
              return c < N ? DY(n, c) * (X(n, c) - of.mean[c]) * of.rstd[c] : 0;
            }));
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

}  // namespace
}  // namespace andrea
