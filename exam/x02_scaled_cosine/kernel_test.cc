#include "exam/x02_scaled_cosine/kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "exam/x02_scaled_cosine/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::rows_times;
using reference::Vector;

constexpr float kScale = 6.5f;

// Rows 2, 7, 12, ... without length.
std::vector<float> rows_with_zeros(Trial& trial, int N, int C) {
  std::vector<float> rows = trial.random().numbers(std::int64_t{N} * C);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i / static_cast<std::size_t>(C) % 5 == 2) rows[i] = 0;
  }
  return rows;
}

// Short and long rows in turn.
std::vector<float> extreme_rows(Trial& trial, int N, int C) {
  std::vector<float> rows = trial.random().numbers(std::int64_t{N} * C);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] *= i / static_cast<std::size_t>(C) % 2 == 0 ? 1e-12f : 1e12f;
  }
  return rows;
}

TEST(Exam02, Exercise1) {
  const std::vector<std::vector<int>> sizes = {{1, 1},  {2, 3},   {3, 1},   {1, 33},
                                               {5, 31}, {33, 97}, {129, 2}, {9, 64}};
  EXPECT_TRUE(exercise("x02.1", {"N", "C"}, sizes, [](Trial& trial) {
    const auto [N, C] = trial.sizes<2>();
    const auto x = rows_with_zeros(trial, N, C), extreme = extreme_rows(trial, N, C);
    const float* x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
    const float* extreme_device = trial.input("short and long x", {{"n", N}, {"c", C}}, extreme);
    float* inverse = trial.output("inverse", {{"n", N}});
    float* of_extreme = trial.output("inverse of short and long x", {{"n", N}});
    trial.run([&, N = N, C = C](const Launch& launch) {
      exam02::inverse_lengths(x_device, inverse, N, C, launch);
      exam02::inverse_lengths(extreme_device, of_extreme, N, C, launch);
    });
    trial.expect("inverse", [&, N = N, C = C]<typename Scalar>(Scalar) {
      return reference::inverse_lengths(as_matrix<Scalar>(x, N, C));
    });
    const Matrix<double> X = as_matrix<double>(x, N, C);
    const auto looks_like = [&](const std::string& name, const auto& of) {
      trial.looks_like(name, "inverse", [&, N = N] {
        Vector<double> wrong(N);
        for (int n = 0; n < N; ++n) wrong[n] = of(n, X.row(n).norm());
        return wrong;
      });
    };
    const auto or_zero = [](double length, double number) { return length > 0 ? number : 0; };
    looks_like("zero_row", [](int, double length) { return 1 / length; });
    looks_like("no_root", [&](int, double length) { return or_zero(length, 1 / length / length); });
    looks_like("length", [](int, double length) { return length; });
    const auto part = [&](const std::string& name, const auto& counts) {
      looks_like(name, [&, C = C](int n, double) {
        double squares = 0;
        for (int c = 0; c < C; ++c) squares += counts(c) ? X(n, c) * X(n, c) : 0;
        return or_zero(squares, 1 / std::sqrt(squares));
      });
    };
    part("one_lane", [](int c) { return c % 32 == 0; });
    part("first_round", [](int c) { return c < 32; });
    if (trial.failure().kind != Failure::none) return;

    // Of numbers from 1e-13 to 1e13 each is looked at relative to itself.
    const auto exact = reference::inverse_lengths(as_matrix<double>(extreme, N, C));
    double worst = 0;
    for (int n = 0; n < N; ++n) {
      const float is = trial.contents("inverse of short and long x")[static_cast<std::size_t>(n)];
      const double error = std::abs(static_cast<double>(is) / exact[n] - 1);
      worst = std::isfinite(error) ? std::max(worst, error) : 1;
    }
    trial.require(worst < 1e-5, "not_exact");
  }));
}

// N, M, C, stride.
const std::vector<std::vector<int>> kAllPairs = {{1, 1, 1, 1},    {1, 2, 3, 4},   {3, 1, 32, 1},
                                                 {2, 33, 31, 40}, {31, 9, 33, 9}, {33, 31, 97, 40},
                                                 {9, 65, 5, 66}};

struct PairsCase {
  explicit PairsCase(Trial& trial) {
    const auto sizes = trial.sizes<4>();
    N = sizes[0], M = sizes[1], C = sizes[2], stride = sizes[3];
    trial.need(stride >= M);
    x = rows_with_zeros(trial, N, C);
    table = rows_with_zeros(trial, M, C);
    x_inverse = floats(reference::inverse_lengths(as_matrix<double>(x, N, C)));
    table_inverse = floats(reference::inverse_lengths(as_matrix<double>(table, M, C)));
    x_device = trial.input("x", {{"n", N}, {"c", C}}, x);
    table_device = trial.input("table", {{"m", M}, {"c", C}}, table);
    x_inverse_device = trial.input("x_inverse", {{"n", N}}, x_inverse);
    table_inverse_device = trial.input("table_inverse", {{"m", M}}, table_inverse);
  }

  static std::vector<float> floats(const Vector<double>& numbers) {
    const Vector<float> rounded = numbers.cast<float>();
    return {rounded.data(), rounded.data() + rounded.size()};
  }
  template <typename Scalar>
  Matrix<Scalar> cosines() const {
    return reference::scaled_cosines<Scalar>(
        as_matrix<Scalar>(x, N, C), as_matrix<Scalar>(table, M, C), as_vector<Scalar>(x_inverse),
        as_vector<Scalar>(table_inverse), kScale);
  }

  int N, M, C, stride;
  std::vector<float> x, table, x_inverse, table_inverse;
  const float *x_device, *table_device, *x_inverse_device, *table_inverse_device;
};

TEST(Exam02, Exercise2) {
  EXPECT_TRUE(exercise("x02.2", {"N", "M", "C", "stride"}, kAllPairs, [](Trial& trial) {
    const PairsCase it(trial);
    // Columns from M on are to stay; what the others hold must not count.
    auto before = trial.random().numbers(std::int64_t{it.N} * it.stride);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (static_cast<int>(i) % it.stride < it.M) before[i] = stale_number();
    }
    float* out = trial.prefilled("out", {{"n", it.N}, {"m", it.stride}}, before);
    trial.run([&](const Launch& launch) {
      exam02::scaled_cosines(it.x_device, it.table_device, it.x_inverse_device,
                             it.table_inverse_device, out, kScale, it.N, it.M, it.C, it.stride,
                             launch);
    });
    const auto in_buffer = [&]<typename Scalar>(const Matrix<Scalar>& columns) {
      Matrix<Scalar> all = as_matrix<Scalar>(before, it.N, it.stride);
      all.leftCols(it.M) = columns;
      return all;
    };
    trial.expect(
        "out",
        [&]<typename Scalar>(Scalar) {
          return in_buffer.template operator()<Scalar>(it.cosines<Scalar>());
        },
        kScale + it.C);

    const Matrix<double> X = as_matrix<double>(it.x, it.N, it.C),
                         Table = as_matrix<double>(it.table, it.M, it.C);
    const Vector<double> of_x = as_vector<double>(it.x_inverse),
                         of_table = as_vector<double>(it.table_inverse);
    const Vector<double> x_ones = Vector<double>::Ones(it.N),
                         table_ones = Vector<double>::Ones(it.M);
    const auto by = [&](const std::string& name, const Vector<double>& x_factors,
                        const Vector<double>& table_factors, double scale) {
      trial.looks_like(name, "out", [&] {
        return in_buffer.template operator()<double>(
            reference::scaled_cosines(X, Table, x_factors, table_factors, scale));
      });
    };
    const double scale = kScale;
    by("no_scale", of_x, of_table, 1);
    by("divided_by_scale", of_x, of_table, 1 / scale);
    by("no_lengths", x_ones, table_ones, scale);
    by("one_length", of_x, table_ones, scale);
    by("one_length", x_ones, of_table, scale);
    const auto lengths = [](const Vector<double>& inverse) -> Vector<double> {
      return inverse.unaryExpr([](double one) { return 1 / one; });
    };
    by("divided_by_inverse", lengths(of_x), lengths(of_table), scale);
    trial.looks_like("last_product", "out", [&] {
      const Matrix<double> x_last = X.rightCols(1), table_last = Table.rightCols(1);
      return in_buffer.template operator()<double>(
          reference::scaled_cosines(x_last, table_last, of_x, of_table, scale));
    });
    trial.looks_like("no_stride", "out", [&] {
      Matrix<double> all = as_matrix<double>(before, it.N, it.stride);
      const Matrix<double> right = it.cosines<double>();
      std::copy(right.data(), right.data() + right.size(), all.data());
      return all;
    });
  }));
}

TEST(Exam02, Exercise3) {
  EXPECT_TRUE(exercise("x02.3", {"N", "M", "C", "stride"}, kAllPairs, [](Trial& trial) {
    const PairsCase it(trial);
    trial.need(it.C > 1 || it.N == 1);  // a row of one number has no direction to change
    const auto dout = trial.random().numbers(std::int64_t{it.N} * it.stride);
    auto out = trial.random().numbers(std::int64_t{it.N} * it.stride);
    const Matrix<float> cosines = it.cosines<float>();
    for (int n = 0; n < it.N; ++n) {
      for (int m = 0; m < it.M; ++m)
        out[static_cast<std::size_t>(n * it.stride + m)] = cosines(n, m);
    }
    const float* dout_device = trial.input("dout", {{"n", it.N}, {"m", it.stride}}, dout);
    const float* out_device = trial.input("out", {{"n", it.N}, {"m", it.stride}}, out);
    float* dx = trial.output("dx", {{"n", it.N}, {"c", it.C}});
    trial.run([&](const Launch& launch) {
      exam02::gradient_of_x(dout_device, out_device, it.x_device, it.table_device,
                            it.x_inverse_device, it.table_inverse_device, dx, kScale, it.N, it.M,
                            it.C, it.stride, launch);
    });
    const auto of = [&]<typename Scalar>(const std::vector<float>& numbers) -> Matrix<Scalar> {
      return as_matrix<Scalar>(numbers, it.N, it.stride).leftCols(it.M);
    };
    const double largest_inverse =
        static_cast<double>(*std::max_element(it.x_inverse.begin(), it.x_inverse.end()));
    trial.expect(
        "dx",
        [&]<typename Scalar>(Scalar) {
          return reference::scaled_cosines_backward<Scalar>(
              of.template operator()<Scalar>(dout), of.template operator()<Scalar>(out),
              as_matrix<Scalar>(it.x, it.N, it.C), as_matrix<Scalar>(it.table, it.M, it.C),
              as_vector<Scalar>(it.x_inverse), as_vector<Scalar>(it.table_inverse), kScale);
        },
        2 * it.M * kScale * largest_inverse);

    const Matrix<double> X = as_matrix<double>(it.x, it.N, it.C),
                         Table = as_matrix<double>(it.table, it.M, it.C);
    const Matrix<double> Dout = of.template operator()<double>(dout),
                         Out = of.template operator()<double>(out);
    const Vector<double> x_inverse = as_vector<double>(it.x_inverse),
                         table_inverse = as_vector<double>(it.table_inverse);
    const Matrix<double> x_hat = rows_times(X, x_inverse),
                         table_hat = rows_times(Table, table_inverse);
    const double scale = kScale;
    const Matrix<double> across = scale * Dout * table_hat;
    const Vector<double> along = Dout.cwiseProduct(Out).rowwise().sum();
    const auto looks_like = [&](const std::string& name, const auto& wrong) {
      trial.looks_like(name, "dx", [&]() -> Matrix<double> { return wrong(); });
    };
    looks_like("no_projection", [&] { return rows_times(across, x_inverse); });
    looks_like("projection_added",
               [&] { return rows_times<double>(across + rows_times(x_hat, along), x_inverse); });
    looks_like("no_x_length",
               [&]() -> Matrix<double> { return across - rows_times(x_hat, along); });
    looks_like("no_table_length", [&] {
      return rows_times<double>(scale * Dout * Table - rows_times(x_hat, along), x_inverse);
    });
    looks_like("x_for_x_hat",
               [&] { return rows_times<double>(across - rows_times(X, along), x_inverse); });
    looks_like("scale_lost", [&] {
      return rows_times<double>(across / scale - rows_times(x_hat, along), x_inverse);
    });
    looks_like("scale_twice", [&] {
      return rows_times<double>(across - scale * rows_times(x_hat, along), x_inverse);
    });
    looks_like("last_product", [&] {
      const Matrix<double> d = Dout.rightCols(1), o = Out.rightCols(1), t = Table.bottomRows(1);
      const Vector<double> inverse = table_inverse.tail(1);
      return reference::scaled_cosines_backward(d, o, X, t, x_inverse, inverse, scale);
    });
    looks_like("no_stride", [&] {
      const auto d = as_matrix<double>(dout, it.N, it.M), o = as_matrix<double>(out, it.N, it.M);
      return reference::scaled_cosines_backward(d, o, X, Table, x_inverse, table_inverse, scale);
    });
  }));
}

}  // namespace
}  // namespace andrea
