#include "lessons/00_first_kernel/kernel.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/cuda_check.h"
#include "lessons/00_first_kernel/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

const double kUnwritten = std::nan("");

// Beside and far from the sizes of warps and blocks.
const std::vector<std::vector<int>> kLengths = {{1}, {2}, {31}, {33}, {127}, {128}, {129}, {1000}};
const std::vector<std::vector<int>> kMatrices = {{1, 1},  {3, 2},   {2, 3},    {1, 33}, {9, 1},
                                                 {8, 32}, {31, 97}, {33, 129}, {5, 300}};

Vector<double> unwritten_from(int first, Vector<double> numbers) {
  for (Eigen::Index i = first; i < numbers.size(); ++i) numbers[i] = kUnwritten;
  return numbers;
}

// How many numbers the kernels store in global memory, if that is counted in this build.
std::optional<std::int64_t> stores(Trial& trial, const std::function<void(const Launch&)>& work) {
  const simulator::Counters counters = trial.counted(work);
  if (!counters.counted()) return std::nullopt;
  return static_cast<std::int64_t>(counters.total().of(simulator::AccessKind::global_store).lanes);
}

std::int64_t loads_of(const simulator::Counters& counters) {
  return static_cast<std::int64_t>(counters.total().of(simulator::AccessKind::global_load).lanes);
}

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
      return unwritten_from(128, line(slope, offset));
    });
    // Each block begins one number behind the one before.
    trial.looks_like("overlapping", "y",
                     [&] { return unwritten_from(127 + (n + 127) / 128, line(slope, offset)); });
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
    const Matrix<double> right =
        as_vector<double>(scale).asDiagonal() * as_matrix<double>(in, rows, columns);
    // The scale that `factor(row, column)` chooses.
    const auto scaled = [&](auto factor) {
      Matrix<double> wrong = as_matrix<double>(in, rows, columns);
      for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
          const std::size_t at = static_cast<std::size_t>(factor(row, column));
          wrong(row, column) *= at < scale.size() ? static_cast<double>(scale[at]) : kUnwritten;
        }
      }
      return wrong;
    };
    // Of the right result, the first numbers of each axis.
    const auto corner = [&](int height, int width) {
      Matrix<double> wrong = Matrix<double>::Constant(rows, columns, kUnwritten);
      height = std::min(height, rows), width = std::min(width, columns);
      wrong.topLeftCorner(height, width) = right.topLeftCorner(height, width);
      return wrong;
    };
    trial.looks_like("scale_of_column", "out",
                     [&] { return scaled([](int, int column) { return column; }); });
    trial.looks_like("columns_first", "out", [&] {
      return scaled([&](int row, int column) { return (row * columns + column) % rows; });
    });
    trial.looks_like("one_block_across", "out", [&] { return corner(rows, 32); });
    trial.looks_like("one_block_down", "out", [&] { return corner(8, columns); });
    trial.looks_like("exchanged", "out",
                     [&] { return corner((columns + 31) / 32 * 32, (rows + 7) / 8 * 8); });
  }));
}

TEST(Lesson00, Exercise3) {
  EXPECT_TRUE(exercise("00.3", {"n"}, kLengths, [](Trial& trial) {
    const auto [n] = trial.sizes<1>();
    const auto x = trial.random().numbers(n), y = trial.random().numbers(n);
    const float* x_device = trial.input("x", {{"i", n}}, x);
    const float* y_device = trial.input("y", {{"i", n}}, y);
    float* z = trial.output("z", {{"i", n}});
    const auto work = [&](const Launch& launch) {
      lesson00::add(x_device, y_device, z, n, launch);
    };
    trial.run(work);
    trial.expect("z", [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
      return as_vector<Scalar>(x) + as_vector<Scalar>(y);
    });
    const Vector<double> right = as_vector<double>(x) + as_vector<double>(y);
    trial.looks_like("one_each", "z", [&] { return unwritten_from(256, right); });
    trial.looks_like("starts_alike", "z", [&] {
      Vector<double> wrong = right;
      for (int i = 0; i < n; ++i) {
        if (i % 256 >= 64) wrong[i] = kUnwritten;
      }
      return wrong;
    });
    if (n <= 256) return;  // where all blocks may start alike, and yet the numbers are right
    if (const auto count = stores(trial, work)) {
      trial.require(*count == n, "repeated",
                    {{"count", std::to_string(*count)}, {"n", std::to_string(n)}});
    }
  }));
}

TEST(Lesson00, Exercise4) {
  EXPECT_TRUE(exercise("00.4", {"rows", "columns"}, kMatrices, [](Trial& trial) {
    const auto [rows, columns] = trial.sizes<2>();
    const auto x = trial.random().numbers(rows * columns);
    const float* x_device = trial.input("x", {{"row", rows}, {"column", columns}}, x);
    float* sums = trial.output("sums", {{"row", rows}});
    const auto work = [&, rows = rows, columns = columns](const Launch& launch) {
      lesson00::row_sums(x_device, sums, rows, columns, launch);
    };
    trial.run(work);
    const Matrix<double> exact = as_matrix<double>(x, rows, columns);
    trial.expect(
        "sums",
        [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return as_matrix<Scalar>(x, rows, columns).rowwise().sum();
        },
        columns);
    // The sum of the columns of some of the 128 threads.
    const auto sum_of = [&](auto has_thread) {
      Vector<double> wrong = Vector<double>::Zero(rows);
      for (int column = 0; column < columns; ++column) {
        if (has_thread(column % 128)) wrong += exact.col(column);
      }
      return wrong;
    };
    trial.looks_like("first_round", "sums", [&]() -> Vector<double> {
      return exact.leftCols(std::min(columns, 128)).rowwise().sum();
    });
    trial.looks_like("one_thread", "sums",
                     [&] { return sum_of([](int thread) { return thread == 0; }); });
    trial.looks_like("half_lost", "sums",
                     [&] { return sum_of([](int thread) { return thread < 64; }); });
    trial.looks_like("last_step_missing", "sums",
                     [&] { return sum_of([](int thread) { return thread % 2 == 0; }); });
    trial.looks_like("not_added", "sums",
                     [&] { return sum_of([](int thread) { return thread == 127; }); });

    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const simulator::KernelCounters all = counters.total();
    trial.require(
        all.barriers_of_fewer == 0, "barrier_in_a_branch",
        {{"count", std::to_string(all.barriers_of_fewer)}, {"all", std::to_string(all.barriers)}});
    const std::uint64_t count = all.of(simulator::AccessKind::global_store).lanes;
    trial.require(count <= static_cast<std::uint64_t>(rows), "repeated",
                  {{"count", std::to_string(count)}, {"rows", std::to_string(rows)}});
  }));
}

TEST(Lesson00, Exercise5) {
  EXPECT_TRUE(exercise("00.5", {"rows", "columns"}, kMatrices, [](Trial& trial) {
    const auto [rows, columns] = trial.sizes<2>();
    std::vector<float> x = trial.random().numbers(rows * columns);
    for (float& number : x) number -= 2;  // all negative: 0 would be larger
    const float* x_device = trial.input("x", {{"row", rows}, {"column", columns}}, x);
    float* maxima = trial.output("maxima", {{"row", rows}});
    const auto work = [&](const Launch& launch) {
      lesson00::row_maxima(x_device, maxima, rows, columns, launch);
    };
    trial.run(work);
    const Matrix<double> exact = as_matrix<double>(x, rows, columns);
    trial.expect("maxima", [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
      return as_matrix<Scalar>(x, rows, columns).rowwise().maxCoeff();
    });
    trial.looks_like("from_zero", "maxima",
                     [&]() -> Vector<double> { return Vector<double>::Zero(rows); });
    trial.looks_like("first_round", "maxima", [&]() -> Vector<double> {
      return exact.leftCols(std::min(columns, 32)).rowwise().maxCoeff();
    });
    // The maximum of the columns of some of the 32 lanes.
    const auto maximum_of = [&](auto has_lane) {
      Vector<double> wrong = exact.col(0);
      for (int column = 1; column < columns; ++column) {
        if (has_lane(column % 32)) wrong = wrong.cwiseMax(Vector<double>(exact.col(column)));
      }
      return wrong;
    };
    trial.looks_like("one_lane", "maxima",
                     [&] { return maximum_of([](int lane) { return lane == 0; }); });
    trial.looks_like("half_of_lanes", "maxima",
                     [&] { return maximum_of([](int lane) { return lane < 16; }); });
    trial.looks_like("last_step_missing", "maxima",
                     [&] { return maximum_of([](int lane) { return lane % 2 == 0; }); });
    trial.looks_like("last_column_only", "maxima", [&]() -> Vector<double> {
      return exact.rightCols(std::min(columns, 32)).rowwise().maxCoeff();
    });
    trial.looks_like("taken_over", "maxima", [&]() -> Vector<double> {
      // What lane 31 has comes to lane 0 by the five steps.
      if (columns < 32)
        return Vector<double>::Constant(rows, -std::numeric_limits<double>::infinity());
      Vector<double> wrong = exact.col(31);
      for (int column = 63; column < columns; column += 32) {
        wrong = wrong.cwiseMax(Vector<double>(exact.col(column)));
      }
      return wrong;
    });
    if (const auto count = stores(trial, work)) {
      trial.require(*count == rows, "repeated",
                    {{"count", std::to_string(*count)}, {"rows", std::to_string(rows)}});
    }
  }));
}

TEST(Lesson00, Exercise6) {
  EXPECT_TRUE(exercise("00.6", {"n"}, kLengths, [](Trial& trial) {
    const auto [n] = trial.sizes<1>();
    const auto x = trial.random().numbers(n);
    const float* x_device = trial.input("x", {{"i", n}}, x);
    float* sum = trial.output("sum", {{"", 1}});
    trial.run([&](const Launch& launch) { lesson00::total(x_device, sum, n, launch); });
    trial.expect(
        "sum",
        [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return Vector<Scalar>::Constant(1, as_vector<Scalar>(x).sum());
        },
        n);
    const auto number = [](double value) { return Vector<double>::Constant(1, value).eval(); };
    trial.looks_like("one_only", "sum", [&] { return number(static_cast<double>(x.back())); });
    trial.looks_like("first_only", "sum", [&] { return number(static_cast<double>(x.front())); });
    trial.looks_like("one_a_block", "sum", [&] {
      double of_first = 0;
      for (std::size_t i = 0; i < x.size(); i += 128) of_first += static_cast<double>(x[i]);
      return number(of_first);
    });
    trial.looks_like("counted", "sum", [&] { return number(n); });
    // Who reads *sum by itself loads more than each x[i]; what comes of it, chance decides.
    trial.looks_like("read_first", "sum", [&] {
      float is = 0;
      CUDA_CHECK(cudaMemcpy(&is, sum, sizeof is, cudaMemcpyDeviceToHost));
      simulator::start_counting();
      lesson00::total(x_device, sum, n, Launch());
      const simulator::Counters counters = simulator::stop_counting();
      const bool reads_sum = counters.counted() && loads_of(counters) > n;
      return number(reads_sum ? static_cast<double>(is) : std::numeric_limits<double>::infinity());
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
    const Vector<double> all = as_vector<double>(x);
    const Vector<double> right = all.tail(n - 1) - all.head(n - 1);
    trial.looks_like("sign", "differences", [&]() -> Vector<double> { return -right; });
    trial.looks_like("last_missing", "differences", [&] { return unwritten_from(n - 2, right); });
    trial.looks_like("not_turned", "reversed", [&] { return all; });
    trial.looks_like("padded", "shares", [&] {
      Vector<double> wrong = reference::shares(all, 64);
      const int length = n % 64;  // of the last run, if it is not full
      const double sum = all.tail(length).sum();
      wrong.tail(length) *= sum / (sum + 64 - length);
      return wrong;
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
    trial.looks_like("no_x", "dx", [&] {
      return each([&](double v) { return sigmoid(v) + sigmoid(v) * (1 - sigmoid(v)); });
    });
    trial.looks_like("s_for_its_slope", "dx",
                     [&] { return each([&](double v) { return sigmoid(v) + v * sigmoid(v); }); });
    trial.looks_like("slope_of_tanh", "dx", [&] {
      return each([&](double v) { return sigmoid(v) + v * (1 - sigmoid(v) * sigmoid(v)); });
    });
    trial.looks_like("minus", "dx", [&] {
      return each([&](double v) { return sigmoid(v) - v * sigmoid(v) * (1 - sigmoid(v)); });
    });
    trial.looks_like("sign_of_x", "dx", [&] {
      return each([&](double v) { return sigmoid(-v) + v * sigmoid(-v) * (1 - sigmoid(-v)); });
    });
    trial.looks_like("slope_of_sigmoid", "dx",
                     [&] { return each([&](double v) { return sigmoid(v) * (1 - sigmoid(v)); }); });
    trial.looks_like("no_inner_parentheses", "dx", [&] {
      return each([&](double v) { return sigmoid(v) + v * sigmoid(v) - sigmoid(v); });
    });
    trial.looks_like("no_parentheses", "dx", [&] {
      Vector<double> wrong = each(sigmoid);
      for (int i = 0; i < n; ++i) {
        const double v = static_cast<double>(x[static_cast<std::size_t>(i)]);
        wrong[i] += v * sigmoid(v) * (1 - sigmoid(v));
      }
      return wrong;
    });
    trial.looks_like("no_parentheses", "dx", [&] {
      Vector<double> wrong = each([&](double v) { return v * sigmoid(v) * (1 - sigmoid(v)); });
      for (int i = 0; i < n; ++i) {
        wrong[i] += sigmoid(static_cast<double>(x[static_cast<std::size_t>(i)]));
      }
      return wrong;
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
