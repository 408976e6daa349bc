#include "exam/x00_running_maximum/kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "exam/x00_running_maximum/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;
using simulator::AccessKind;

constexpr float kFactor = 1.75f;
constexpr int kThreads = 256;  // of the whole grid of x00.1, in kernel.cu

TEST(Exam00, Exercise1) {
  const std::vector<std::vector<int>> sizes = {{1, 1},   {2, 3},   {3, 2},   {31, 1},  {33, 5},
                                               {97, 33}, {255, 2}, {257, 3}, {1025, 2}};
  EXPECT_TRUE(exercise("x00.1", {"count", "stride"}, sizes, [](Trial& trial) {
    const auto [count, stride] = trial.sizes<2>();
    const auto x = trial.random().numbers(count);
    const float* x_device = trial.input("x", {{"i", count}}, x);
    float* y = trial.gradient("y", {{"i", count}, {"column", stride}}, Accumulate::add);
    trial.run([&, count = count, stride = stride](const Launch& launch) {
      exam00::add_scaled(kFactor, x_device, y, count, stride, launch);
    });
    trial.expect("y", [&, stride = stride]<typename Scalar>(Scalar) {
      return reference::scaled_in_column_0<Scalar>(kFactor, as_vector<Scalar>(x), stride);
    });

    const Vector<double> X = as_vector<double>(x);
    const double factor = kFactor;
    const Matrix<double> right = reference::scaled_in_column_0(factor, X, stride);
    const auto before = [&, count = count, stride = stride] {
      return as_matrix<double>(trial.before("y"), count, stride);
    };
    trial.looks_like("no_stride", "y", [&] {
      Matrix<double> wrong = 0 * right;
      for (int i = 0; i < X.size(); ++i) wrong.data()[i] = factor * X[i];
      return wrong;
    });
    trial.looks_like("no_factor", "y", [&]() -> Matrix<double> { return right / factor; });
    trial.looks_like("assigned", "y", [&] {
      Matrix<double> wrong = right;
      wrong.col(0) -= before().col(0);
      return wrong;
    });
    trial.looks_like("y_scaled", "y", [&]() -> Matrix<double> {
      Matrix<double> wrong = right;
      wrong.col(0) += (factor - 1) * before().col(0) + (1 - factor) * X.transpose();
      return wrong;
    });
    trial.looks_like("first_round", "y", [&, count = count] {
      Matrix<double> wrong = right;
      if (count > kThreads) wrong.bottomRows(count - kThreads).setZero();
      return wrong;
    });
  }));
}

TEST(Exam00, Exercise2) {
  const std::vector<std::vector<int>> sizes = {{1},   {2},   {3},   {31},  {33},  {97},
                                               {255}, {256}, {257}, {513}, {1024}};
  EXPECT_TRUE(exercise("x00.2", {"count"}, sizes, [](Trial& trial) {
    const auto [count] = trial.sizes<1>();
    // Most runs climb slowly, some hold nothing above 0.
    std::vector<float> x = trial.random().numbers(count);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += i / exam00::kRun % 2 == 0 ? -1.5f : static_cast<float>(i) / 100;
    }
    const float* x_device = trial.input("x", {{"i", count}}, x);
    float* out = trial.output("out", {{"i", count}});
    const auto work = [&, count = count](const Launch& launch) {
      exam00::running_maximum(x_device, out, count, launch);
    };
    trial.run(work);
    trial.expect("out", [&]<typename Scalar>(Scalar) {
      return reference::running_maximum<Scalar>(as_vector<Scalar>(x), exam00::kRun);
    });

    const Vector<double> X = as_vector<double>(x);
    const Vector<double> right = reference::running_maximum(X, exam00::kRun);
    // What `of(first, i, last)` says for each i of a run that is first .. last.
    const auto by = [&, count = count](const auto& of) {
      Vector<double> wrong(count);
      for (int i = 0; i < count; ++i) {
        const int first = i / exam00::kRun * exam00::kRun;
        wrong[i] = of(first, i, std::min(first + exam00::kRun, count) - 1);
      }
      return wrong;
    };
    const auto largest = [&](int first, int last) {
      return X.segment(first, last - first + 1).maxCoeff();
    };
    trial.looks_like("whole_run", "out", [&] {
      return by([&](int first, int, int last) { return largest(first, last); });
    });
    trial.looks_like("from_the_start", "out",
                     [&] { return by([&](int, int i, int) { return largest(0, i); }); });
    trial.looks_like("first_round", "out", [&] {
      return by([&](int first, int i, int) { return largest(std::max(first, i - 1), i); });
    });
    trial.looks_like("x_itself", "out", [&] { return X; });
    trial.looks_like("from_zero", "out", [&]() -> Vector<double> { return right.cwiseMax(0.0); });
    trial.looks_like("not_itself", "out", [&] {
      return by([&](int first, int i, int) {
        return i > first ? largest(first, i - 1) : -std::numeric_limits<double>::infinity();
      });
    });
    trial.looks_like("smallest", "out", [&]() -> Vector<double> {
      return -reference::running_maximum<double>(-X, exam00::kRun);
    });

    if (count < 1024) return;  // where most mistakes have shown
    const simulator::Counters counters = trial.counted(work);
    if (!counters.counted()) return;
    const std::uint64_t loads = counters.total().of(AccessKind::global_load).lanes;
    trial.require(loads <= static_cast<std::uint64_t>(count), "read_again",
                  {{"loads", std::to_string(loads)}, {"count", std::to_string(count)}});
  }));
}

}  // namespace
}  // namespace andrea
