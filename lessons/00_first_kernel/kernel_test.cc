#include "lessons/00_first_kernel/kernel.h"

#include <vector>

#include "lessons/00_first_kernel/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

// Beside and far from the sizes of warps and blocks.
const std::vector<std::vector<int>> kLengths = {{1}, {2}, {31}, {33}, {127}, {128}, {129}, {1000}};
const std::vector<std::vector<int>> kMatrices = {{1, 1},  {2, 3},   {1, 33},   {9, 1},
                                                 {8, 32}, {31, 97}, {33, 129}, {5, 300}};

TEST(Lesson00, Exercise1) {
  EXPECT_TRUE(exercise("00.1", {"n"}, kLengths, [](Trial& trial) {
    const auto [n] = trial.sizes<1>();
    const auto x = trial.random().numbers(n);
    const float slope = trial.random().numbers(1)[0] + 2, offset = trial.random().numbers(1)[0];
    const float* x_device = trial.input("x", {{"i", n}}, x);
    float* y = trial.output("y", {{"i", n}});
    trial.run([&](const Launch& launch) { lesson00::map(x_device, y, slope, offset, n, launch); });

    const auto line = [&](double a, double b) {
      return Vector<double>(as_vector<double>(x).array() * a + b);
    };
    trial.expect("y", [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
      return as_vector<Scalar>(x).array() * static_cast<Scalar>(slope) +
             static_cast<Scalar>(offset);
    });
    trial.looks_like("no_offset", "y", [&] { return line(slope, 0); });
    trial.looks_like("exchanged", "y", [&] { return line(offset, slope); });
    trial.looks_like("index_of_block", "y", [&] {
      // Without blockIdx every block does the work of the first.
      Vector<double> y_first = line(slope, offset);
      for (int i = 128; i < n; ++i) y_first[i] = std::nan("");
      return y_first;
    });
  }));
}

TEST(Lesson00, Exercise2) {
  EXPECT_TRUE(exercise("00.2", {"rows", "columns"}, kMatrices, [](Trial& trial) {
    const auto [rows, columns] = trial.sizes<2>();
    const auto in = trial.random().numbers(rows * columns);
    const auto scale = trial.random().numbers(rows);
    const float* in_device = trial.input("in", {{"row", rows}, {"column", columns}}, in);
    const float* scale_device = trial.input("scale", {{"row", rows}}, scale);
    float* out = trial.output("out", {{"row", rows}, {"column", columns}});
    trial.run([&](const Launch& launch) {
      lesson00::scale_rows(in_device, scale_device, out, rows, columns, launch);
    });
    trial.expect("out", [&]<typename Scalar>(Scalar) -> Matrix<Scalar> {
      return as_vector<Scalar>(scale).asDiagonal() * as_matrix<Scalar>(in, rows, columns);
    });
    trial.looks_like("scale_of_column", "out", [&] {
      Matrix<double> wrong = as_matrix<double>(in, rows, columns);
      for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
          wrong(row, column) *= static_cast<double>(scale[static_cast<std::size_t>(column % rows)]);
        }
      }
      return wrong;
    });
  }));
}

TEST(Lesson00, Exercise3) {
  EXPECT_TRUE(exercise("00.3", {"n"}, kLengths, [](Trial& trial) {
    const auto [n] = trial.sizes<1>();
    const auto x = trial.random().numbers(n), y = trial.random().numbers(n);
    const float* x_device = trial.input("x", {{"i", n}}, x);
    const float* y_device = trial.input("y", {{"i", n}}, y);
    float* z = trial.output("z", {{"i", n}});
    trial.run([&](const Launch& launch) { lesson00::add(x_device, y_device, z, n, launch); });
    trial.expect("z", [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
      return as_vector<Scalar>(x) + as_vector<Scalar>(y);
    });
    trial.looks_like("one_each", "z", [&] {
      Vector<double> wrong = as_vector<double>(x) + as_vector<double>(y);
      for (int i = 256; i < n; ++i) wrong[i] = std::nan("");
      return wrong;
    });
  }));
}

TEST(Lesson00, Exercise4) {
  EXPECT_TRUE(exercise("00.4", {"rows", "columns"}, kMatrices, [](Trial& trial) {
    const auto [rows, columns] = trial.sizes<2>();
    const auto x = trial.random().numbers(rows * columns);
    const float* x_device = trial.input("x", {{"row", rows}, {"column", columns}}, x);
    float* sums = trial.output("sums", {{"row", rows}});
    trial.run(
        [&](const Launch& launch) { lesson00::row_sums(x_device, sums, rows, columns, launch); });
    const Matrix<double> exact = as_matrix<double>(x, rows, columns);
    trial.expect(
        "sums",
        [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return as_matrix<Scalar>(x, rows, columns).rowwise().sum();
        },
        columns);
    trial.looks_like("first_round", "sums", [&]() -> Vector<double> {
      return exact.leftCols(std::min(columns, 128)).rowwise().sum();
    });
    trial.looks_like("one_thread", "sums", [&] {
      Vector<double> wrong = Vector<double>::Zero(rows);
      for (int column = 0; column < columns; column += 128) wrong += exact.col(column);
      return wrong;
    });
  }));
}

TEST(Lesson00, Exercise5) {
  EXPECT_TRUE(exercise("00.5", {"rows", "columns"}, kMatrices, [](Trial& trial) {
    const auto [rows, columns] = trial.sizes<2>();
    std::vector<float> x = trial.random().numbers(rows * columns);
    for (float& number : x) number -= 2;  // all negative: 0 would be larger
    const float* x_device = trial.input("x", {{"row", rows}, {"column", columns}}, x);
    float* maxima = trial.output("maxima", {{"row", rows}});
    trial.run([&](const Launch& launch) {
      lesson00::row_maxima(x_device, maxima, rows, columns, launch);
    });
    const Matrix<double> exact = as_matrix<double>(x, rows, columns);
    trial.expect("maxima", [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
      return as_matrix<Scalar>(x, rows, columns).rowwise().maxCoeff();
    });
    trial.looks_like("from_zero", "maxima",
                     [&]() -> Vector<double> { return Vector<double>::Zero(rows); });
    trial.looks_like("first_round", "maxima", [&]() -> Vector<double> {
      return exact.leftCols(std::min(columns, 32)).rowwise().maxCoeff();
    });
    trial.looks_like("one_lane", "maxima", [&] {
      Vector<double> wrong = exact.col(0);
      for (int column = 32; column < columns; column += 32) {
        wrong = wrong.cwiseMax(Vector<double>(exact.col(column)));
      }
      return wrong;
    });
  }));
}

TEST(Lesson00, Exercise6) {
  EXPECT_TRUE(exercise("00.6", {"n"}, kLengths, [](Trial& trial) {
    const auto [n] = trial.sizes<1>();
    const auto x = trial.random().numbers(n);
    const float* x_device = trial.input("x", {{"i", n}}, x);
    float* sum = trial.output("sum", {{"0", 1}});
    trial.run([&](const Launch& launch) { lesson00::total(x_device, sum, n, launch); });
    trial.expect(
        "sum",
        [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return Vector<Scalar>::Constant(1, as_vector<Scalar>(x).sum());
        },
        n);
    trial.looks_like("one_only", "sum", [&]() -> Vector<double> {
      return Vector<double>::Constant(1, static_cast<double>(x.back()));
    });
  }));
}

TEST(Lesson00, Exercise7) {
  EXPECT_TRUE(exercise("00.7", {"n"}, {{2}, {64}, {127}, {129}, {1000}}, [](Trial& trial) {
    const auto [n] = trial.sizes<1>();
    trial.need(n > 1);
    std::vector<float> x = trial.random().numbers(n);
    for (float& number : x) number += 2;  // no sum of a run is near 0
    const float* x_device = trial.input("x", {{"i", n}}, x);
    float* differences = trial.output("differences", {{"i", n - 1}});
    float* reversed = trial.output("reversed", {{"i", n}});
    float* shares = trial.output("shares", {{"i", n}});
    trial.run([&](const Launch& launch) {
      lesson00::differences(x_device, differences, n, launch);
      lesson00::reverse_runs(x_device, reversed, n, launch);
      lesson00::shares(x_device, shares, n, launch);
    });
    trial.expect("differences", [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
      const Vector<Scalar> all = as_vector<Scalar>(x);
      return all.tail(n - 1) - all.head(n - 1);
    });
    trial.expect("reversed", [&]<typename Scalar>(Scalar) {
      return reference::reverse_runs(as_vector<Scalar>(x), 64);
    });
    trial.expect("shares", [&]<typename Scalar>(Scalar) {
      return reference::shares(as_vector<Scalar>(x), 64);
    });
  }));
}

TEST(Lesson00, Exercise8) {
  EXPECT_TRUE(exercise("00.8", {"n"}, kLengths, [](Trial& trial) {
    const auto [n] = trial.sizes<1>();
    const auto x = trial.random().numbers(n, 4), dy = trial.random().numbers(n);
    const float* x_device = trial.input("x", {{"i", n}}, x);
    const float* dy_device = trial.input("dy", {{"i", n}}, dy);
    float* y = trial.output("y", {{"i", n}});
    float* dx = trial.output("dx", {{"i", n}});
    trial.run([&](const Launch& launch) {
      lesson00::silu_forward(x_device, y, n, launch);
      lesson00::silu_backward(dy_device, x_device, dx, n, launch);
    });
    const auto each = [&](auto slope) {
      Vector<double> result = as_vector<double>(dy);
      for (int i = 0; i < n; ++i) {
        result[i] *= slope(static_cast<double>(x[static_cast<std::size_t>(i)]));
      }
      return result;
    };
    trial.expect("y", [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
      return as_vector<Scalar>(x).unaryExpr(&reference::silu<Scalar>);
    });
    trial.expect(
        "dx",
        [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return each(reference::silu_slope).template cast<Scalar>();
        },
        8);
    const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
    trial.looks_like("sigmoid_only", "dx", [&] { return each(sigmoid); });
    trial.looks_like("second_term_only", "dx", [&] {
      return each([&](double v) { return v * sigmoid(v) * (1 - sigmoid(v)); });
    });
    trial.looks_like("no_dy", "dx", [&] {
      Vector<double> wrong(n);
      for (int i = 0; i < n; ++i) {
        wrong[i] = reference::silu_slope(static_cast<double>(x[static_cast<std::size_t>(i)]));
      }
      return wrong;
    });
  }));
}

}  // namespace
}  // namespace andrea
