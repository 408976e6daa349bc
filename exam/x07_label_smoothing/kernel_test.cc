#include "exam/x07_label_smoothing/kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "exam/x07_label_smoothing/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

constexpr float kSmoothing = 0.125f, kGradientScale = 0.37f;
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// Around the sizes of warps and blocks, with and without padding.
const std::vector<std::string> kNames = {"N", "V", "stride"};
const std::vector<std::vector<int>> kSizes = {{1, 2, 2},    {3, 2, 4},     {2, 5, 5},
                                              {4, 31, 32},  {3, 33, 40},   {33, 3, 8},
                                              {5, 97, 128}, {2, 257, 260}, {3, 1025, 1030}};

// Rows far from 0 among them, and padding that would show if it were counted.
struct LogitsCase {
  explicit LogitsCase(Trial& trial) {
    const auto sizes = trial.sizes<3>();
    N = sizes[0], V = sizes[1], stride = sizes[2];
    trial.need(stride >= V && V > 1);
    logits = trial.random().numbers(std::int64_t{N} * stride, 4);
    targets = trial.random().integers(N, V);
    for (int n = 1; n < N; n += 3) targets[static_cast<std::size_t>(n)] = -1;
    const float offsets[] = {2, 0, 200, -200};
    for (std::size_t i = 0; i < logits.size(); ++i) {
      logits[i] += offsets[i / static_cast<std::size_t>(stride) % 4];
    }
    all = as_matrix<double>(logits, N, stride);
    targets_device = trial.input("targets", {{"n", N}}, targets);
  }

  template <typename Scalar>
  Matrix<Scalar> matrix() const {
    return as_matrix<Scalar>(logits, N, stride).leftCols(V);
  }
  int target(int n) const { return targets[static_cast<std::size_t>(n)]; }
  double largest(int n) const { return all.row(n).head(V).maxCoeff(); }
  // log of the sum of exp over the row, and of every step-th of its columns.
  double log_sum(int n, int step = 1) const {
    double total = 0;
    for (int v = 0; v < V; v += step) total += std::exp(all(n, v) - largest(n));
    return std::log(total) + largest(n);
  }

  int N, V, stride;
  std::vector<float> logits;
  std::vector<int> targets;
  const int* targets_device;
  Matrix<double> all;
};

TEST(Exam07, Exercise1) {
  EXPECT_TRUE(exercise("x07.1", kNames, kSizes, [](Trial& trial) {
    const LogitsCase it(trial);
    const int N = it.N, V = it.V, stride = it.stride;
    const float* logits = trial.input("logits", {{"n", N}, {"v", stride}}, it.logits);
    float* losses = trial.output("losses", {{"n", N}});
    trial.run([&](const Launch& launch) {
      exam07::smoothed_losses(logits, it.targets_device, losses, kSmoothing, N, V, stride, launch);
    });
    trial.expect(
        "losses",
        [&]<typename Scalar>(Scalar) {
          return reference::smoothed_losses<Scalar>(it.matrix<Scalar>(), it.targets, kSmoothing);
        },
        500);

    const double smoothing = static_cast<double>(kSmoothing);
    const auto looks_like = [&](const std::string& name, const auto& loss, double uncounted = 0) {
      trial.looks_like(name, "losses", [&] {
        Vector<double> wrong(N);
        for (int n = 0; n < N; ++n) wrong[n] = it.target(n) >= 0 ? loss(n) : uncounted;
        return wrong;
      });
    };
    const auto own = [&](int n) { return it.log_sum(n) - it.all(n, it.target(n)); };
    const auto mean = [&](int n) { return it.log_sum(n) - it.all.row(n).head(V).mean(); };
    const auto right = [&](int n) { return (1 - smoothing) * own(n) + smoothing * mean(n); };
    looks_like("no_smoothing", own);
    looks_like("exchanged", [&](int n) { return smoothing * own(n) + (1 - smoothing) * mean(n); });
    looks_like("target_whole", [&](int n) { return own(n) + smoothing * mean(n); });
    looks_like("sum_for_mean",
               [&](int n) { return (1 - smoothing) * own(n) + smoothing * V * mean(n); });
    looks_like("others_alone", [&](int n) {
      return (1 - smoothing) * own(n) + smoothing * (V * mean(n) - own(n)) / (V - 1);
    });
    looks_like("padding_in_the_mean", [&](int n) {
      return it.log_sum(n) - (1 - smoothing) * it.all(n, it.target(n)) -
             smoothing * it.all.row(n).mean();
    });
    looks_like("divided_by_stride", [&](int n) {
      return it.log_sum(n) - (1 - smoothing) * it.all(n, it.target(n)) -
             smoothing * it.all.row(n).head(V).sum() / stride;
    });
    looks_like("mean_not_counted",
               [&](int n) { return it.log_sum(n) - (1 - smoothing) * it.all(n, it.target(n)); });
    looks_like("wrong_sign", [&](int n) { return -right(n); });
    looks_like("minus_one_unwritten", right, kNotANumber);
    looks_like("no_maximum", [&](int n) {
      float sum = 0;
      for (int v = 0; v < V; ++v) sum += std::exp(static_cast<float>(it.all(n, v)));
      return static_cast<double>(std::log(sum)) - (it.log_sum(n) - right(n));
    });
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
      looks_like("sum_of_one_thread",
                 [&](int n) { return it.log_sum(n, threads) - (it.log_sum(n) - right(n)); });
    }
  }));
}

TEST(Exam07, Exercise2) {
  EXPECT_TRUE(exercise("x07.2", kNames, kSizes, [](Trial& trial) {
    const LogitsCase it(trial);
    const int N = it.N, V = it.V, stride = it.stride;
    float* logits = trial.prefilled("logits", {{"n", N}, {"v", stride}}, it.logits);
    trial.run([&](const Launch& launch) {
      exam07::gradient_of_logits(logits, it.targets_device, kSmoothing, kGradientScale, N, V,
                                 stride, launch);
    });
    trial.expect("logits", [&]<typename Scalar>(Scalar) {
      Matrix<Scalar> all = Matrix<Scalar>::Zero(N, stride);
      all.leftCols(V) = reference::smoothed_losses_backward<Scalar>(it.matrix<Scalar>(), it.targets,
                                                                    kSmoothing, kGradientScale);
      return all;
    });

    const double smoothing = static_cast<double>(kSmoothing);
    const double scale = static_cast<double>(kGradientScale);
    // term(n, v, p) for v < V of counted rows; the rest 0.
    const auto by = [&](const auto& term) {
      Matrix<double> all = Matrix<double>::Zero(N, stride);
      for (int n = 0; n < N; ++n) {
        if (it.target(n) < 0) continue;
        for (int v = 0; v < V; ++v) {
          all(n, v) = term(n, v, std::exp(it.all(n, v) - it.log_sum(n)));
        }
      }
      return all;
    };
    const auto looks_like = [&](const std::string& name, const auto& term) {
      trial.looks_like(name, "logits", [&] { return by(term); });
    };
    const auto one = [&](int n, int v) { return v == it.target(n) ? 1.0 : 0.0; };
    const auto gradient = [&](int n, int v, double p) {
      return p - (1 - smoothing) * one(n, v) - smoothing / V;
    };
    const auto right = [&](int n, int v, double p) { return scale * gradient(n, v, p); };
    looks_like("no_scale", gradient);
    looks_like("no_smoothing", [&](int n, int v, double p) { return scale * (p - one(n, v)); });
    looks_like("uniform_missing",
               [&](int n, int v, double p) { return scale * (p - (1 - smoothing) * one(n, v)); });
    looks_like("not_divided_by_v", [&](int n, int v, double p) {
      return scale * (p - (1 - smoothing) * one(n, v) - smoothing);
    });
    looks_like("target_whole",
               [&](int n, int v, double p) { return scale * (p - one(n, v) - smoothing / V); });
    looks_like("target_missing", [&](int, int, double p) { return scale * (p - smoothing / V); });
    looks_like("target_without_share", [&](int n, int v, double p) {
      return scale * (p - (one(n, v) > 0 ? 1 - smoothing : smoothing / V));
    });
    looks_like("divided_by_stride", [&](int n, int v, double p) {
      return scale * (p - (1 - smoothing) * one(n, v) - smoothing / stride);
    });
    looks_like("wrong_sign", [&](int n, int v, double p) { return -right(n, v, p); });
    trial.looks_like("padding_left", "logits", [&] {
      Matrix<double> wrong = by(right);
      for (int n = 0; n < N; ++n) wrong.row(n).tail(stride - V) = it.all.row(n).tail(stride - V);
      return wrong;
    });
    trial.looks_like("minus_one_left", "logits", [&] {
      Matrix<double> wrong = by(right);
      for (int n = 0; n < N; ++n) {
        if (it.target(n) < 0) wrong.row(n) = it.all.row(n);
      }
      return wrong;
    });
    trial.looks_like("minus_one_counted", "logits", [&] {
      Matrix<double> wrong = by(right);
      for (int n = 0; n < N; ++n) {
        for (int v = 0; v < V && it.target(n) < 0; ++v) {
          wrong(n, v) = scale * (std::exp(it.all(n, v) - it.log_sum(n)) - smoothing / V);
        }
      }
      return wrong;
    });
  }));
}

}  // namespace
}  // namespace andrea
