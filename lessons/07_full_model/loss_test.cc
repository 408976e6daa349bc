// 07.1, 07.2: the loss; and kernels/cross_entropy.h, made of both.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/cross_entropy.h"
#include "lessons/07_full_model/cross_entropy_reference.h"
#include "lessons/07_full_model/kernel.h"
#include "lessons/07_full_model/mistakes.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes07::kNotANumber;
using reference::Matrix;
using reference::Vector;

// Around the sizes of warps and blocks, with and without padding.
const std::vector<std::vector<int>> kLogits = {{3, 2, 4},    {1, 1, 1},     {2, 5, 5},
                                               {4, 31, 32},  {3, 33, 40},   {33, 3, 8},
                                               {5, 97, 128}, {2, 257, 260}, {3, 1025, 1030}};

// Rows far from 0 among them, and padding that would show if it were counted.
struct LogitsCase {
  explicit LogitsCase(Trial& trial) {
    const auto sizes = trial.sizes<3>();
    N = sizes[0], V = sizes[1], stride = sizes[2];
    trial.need(stride >= V);
    logits = trial.random().numbers(std::int64_t{N} * stride, 4);
    targets = trial.random().integers(N, V);
    if (N > 1) targets[1] = -1;
    for (int n = 4; n < N; n += 3) targets[static_cast<std::size_t>(n)] = -1;
    const float offsets[] = {0, 2, 200, -200};
    for (int i = 0; i < N * stride; ++i) {
      logits[static_cast<std::size_t>(i)] += offsets[i / stride % 4];
    }
    all = as_matrix<double>(logits, N, stride);
  }

  template <typename Scalar>
  Matrix<Scalar> matrix() const {
    return as_matrix<Scalar>(logits, N, stride).leftCols(V);
  }
  bool counts(int n) const { return targets[static_cast<std::size_t>(n)] >= 0; }
  int target(int n) const { return targets[static_cast<std::size_t>(n)]; }
  // The logit of the target; that of target -1 lies in the row before.
  double of_target(int n) const { return all.data()[n * stride + target(n)]; }
  double largest(int n) const { return all.row(n).head(V).maxCoeff(); }
  // Of exp(logit - largest) over the first `columns`, of which every step-th is counted.
  double sum(int n, int columns, int step = 1) const {
    double total = 0;
    for (int v = 0; v < columns; v += step) total += std::exp(all(n, v) - largest(n));
    return total;
  }

  // The largest logit of row n, and the sum, as each thread of a block gets them that is no whole
  // number of warps.
  struct Reduced {
    std::vector<double> largest, sum;
  };
  Reduced reduced(int n, int threads) const {
    const double none = -std::numeric_limits<double>::infinity();
    std::vector<double> parts(static_cast<std::size_t>(threads), none);
    const auto part = [&](int v) -> double& {
      return parts[static_cast<std::size_t>(v % threads)];
    };
    for (int v = 0; v < V; ++v) part(v) = std::max(part(v), all(n, v));
    Reduced result;
    result.largest =
        mistakes07::of_block(parts, none, [](double a, double b) { return std::max(a, b); });
    std::fill(parts.begin(), parts.end(), 0);
    for (int v = 0; v < V; ++v) {
      part(v) += std::exp(all(n, v) - result.largest[static_cast<std::size_t>(v % threads)]);
    }
    result.sum = mistakes07::of_block(parts, 0, [](double a, double b) { return a + b; });
    return result;
  }

  // A number for each counted row, 0 for the others.
  template <typename Loss>
  Vector<double> losses(const Loss& loss) const {
    Vector<double> result(N);
    for (int n = 0; n < N; ++n) result[n] = counts(n) ? loss(n) : 0;
    return result;
  }

  int N, V, stride;
  std::vector<float> logits;
  std::vector<int> targets;
  Matrix<double> all;
};

TEST(Lesson07, Exercise1) {
  EXPECT_TRUE(exercise("07.1", {"N", "V", "stride"}, kLogits, [](Trial& trial) {
    const LogitsCase it(trial);
    const auto [N, V, stride] = trial.sizes<3>();
    const float* logits = trial.input("logits", {{"n", N}, {"v", stride}}, it.logits);
    const int* targets = trial.input("targets", {{"n", N}}, it.targets);
    float* losses = trial.output("losses", {{"n", N}});
    trial.run([&](const Launch& launch) {
      lesson07::row_losses(logits, targets, losses, N, V, stride, launch);
    });
    trial.expect(
        "losses",
        [&]<typename Scalar>(Scalar) {
          return reference::cross_entropy_forward<Scalar>(it.matrix<Scalar>(), it.targets);
        },
        40);

    const auto right = [&](int n) {
      return std::log(it.sum(n, V)) + it.largest(n) - it.of_target(n);
    };
    trial.looks_like("wrong_sign", "losses",
                     [&] { return it.losses([&](int n) { return -right(n); }); });
    trial.looks_like("base_2", "losses", [&] {
      return it.losses(
          [&](int n) { return std::log2(it.sum(n, V)) + it.largest(n) - it.of_target(n); });
    });
    trial.looks_like("base_10", "losses", [&] {
      return it.losses(
          [&](int n) { return std::log10(it.sum(n, V)) + it.largest(n) - it.of_target(n); });
    });
    trial.looks_like("no_logarithm", "losses", [&] {
      return it.losses([&](int n) { return it.sum(n, V) + it.largest(n) - it.of_target(n); });
    });
    trial.looks_like("probability", "losses",
                     [&] { return it.losses([&](int n) { return std::exp(-right(n)); }); });
    trial.looks_like("no_maximum", "losses", [&] {
      return it.losses([&](int n) {
        float total = 0;
        for (int v = 0; v < V; ++v) total += std::exp(static_cast<float>(it.all(n, v)));
        return static_cast<double>(std::log(total)) - it.of_target(n);
      });
    });
    trial.looks_like("maximum_from_zero", "losses", [&] {
      return it.losses([&](int n) {
        const auto largest = static_cast<float>(std::max(0.0, it.largest(n)));
        float total = 0;
        for (int v = 0; v < V; ++v) total += std::exp(static_cast<float>(it.all(n, v)) - largest);
        return static_cast<double>(std::log(total) + largest) - it.of_target(n);
      });
    });
    trial.looks_like("maximum_lost", "losses", [&] {
      return it.losses([&](int n) { return std::log(it.sum(n, V)) - it.of_target(n); });
    });
    trial.looks_like("maximum_taken_twice", "losses", [&] {
      return it.losses(
          [&](int n) { return std::log(it.sum(n, V)) - it.largest(n) - it.of_target(n); });
    });
    trial.looks_like("padding_counted", "losses", [&] {
      return it.losses(
          [&](int n) { return std::log(it.sum(n, stride)) + it.largest(n) - it.of_target(n); });
    });
    trial.looks_like("target_forgotten", "losses", [&] {
      return it.losses([&](int n) { return std::log(it.sum(n, V)) + it.largest(n); });
    });
    trial.looks_like("target_added", "losses", [&] {
      return it.losses(
          [&](int n) { return std::log(it.sum(n, V)) + it.largest(n) + it.of_target(n); });
    });
    trial.looks_like("first_target", "losses", [&] {
      return it.losses(
          [&](int n) { return std::log(it.sum(n, V)) + it.largest(n) - it.all(n, it.target(0)); });
    });
    trial.looks_like("minus_one_counted", "losses", [&] {
      Vector<double> all(N);
      for (int n = 0; n < N; ++n) all[n] = right(n);
      return all;
    });
    trial.looks_like("minus_one_unwritten", "losses", [&] {
      Vector<double> all(N);
      for (int n = 0; n < N; ++n) all[n] = it.counts(n) ? right(n) : kNotANumber;
      return all;
    });
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
      trial.looks_like("sum_of_one_thread", "losses", [&] {
        return it.losses([&](int n) {
          return std::log(it.sum(n, V, threads)) + it.largest(n) - it.of_target(n);
        });
      });
    }
    for (const int threads : mistakes07::kNoWholeWarps) {
      trial.looks_like("no_whole_warps", "losses", [&] {
        return it.losses([&](int n) {
          const LogitsCase::Reduced got = it.reduced(n, threads);
          return std::log(got.sum[0]) + got.largest[0] - it.of_target(n);
        });
      });
    }
    trial.looks_like("no_stride", "losses", [&] {
      const auto at = [&](int n, int v) { return it.all.data()[n * V + v]; };
      return it.losses([&](int n) {
        double largest = -1e30, total = 0;
        for (int v = 0; v < V; ++v) largest = std::max(largest, at(n, v));
        for (int v = 0; v < V; ++v) total += std::exp(at(n, v) - largest);
        return std::log(total) + largest - at(n, it.target(n));
      });
    });
  }));
}

constexpr float kGradientScale = 0.37f;

TEST(Lesson07, Exercise2) {
  EXPECT_TRUE(exercise("07.2", {"N", "V", "stride"}, kLogits, [](Trial& trial) {
    const LogitsCase it(trial);
    const auto [N, V, stride] = trial.sizes<3>();
    trial.need(V > 1);
    float* logits = trial.prefilled("logits", {{"n", N}, {"v", stride}}, it.logits);
    const int* targets = trial.input("targets", {{"n", N}}, it.targets);
    trial.run([&](const Launch& launch) {
      lesson07::gradient_of_logits(logits, targets, kGradientScale, N, V, stride, launch);
    });
    trial.expect("logits", [&]<typename Scalar>(Scalar) {
      Matrix<Scalar> all = Matrix<Scalar>::Zero(N, stride);
      all.leftCols(V) = reference::cross_entropy_backward<Scalar>(
          it.matrix<Scalar>(), it.targets, static_cast<Scalar>(kGradientScale));
      return all;
    });

    // term(n, v, probability) for v < V of counted rows; the rest 0.
    const double scale = kGradientScale;
    const auto by = [&](const auto& term) {
      Matrix<double> all = Matrix<double>::Zero(N, stride);
      for (int n = 0; n < N; ++n) {
        if (!it.counts(n)) continue;
        const double sum = it.sum(n, V);
        for (int v = 0; v < V; ++v) {
          all(n, v) = term(n, v, std::exp(it.all(n, v) - it.largest(n)) / sum);
        }
      }
      return all;
    };
    const auto one = [&](int n, int v) { return v == it.target(n) ? 1.0 : 0.0; };
    const auto right = [&](int n, int v, double p) { return scale * (p - one(n, v)); };
    trial.looks_like("no_scale", "logits",
                     [&] { return by([&](int n, int v, double p) { return p - one(n, v); }); });
    trial.looks_like("divided_by_scale", "logits", [&] {
      return by([&](int n, int v, double p) { return (p - one(n, v)) / scale; });
    });
    trial.looks_like("target_not_subtracted", "logits",
                     [&] { return by([&](int, int, double p) { return scale * p; }); });
    trial.looks_like("one_not_scaled", "logits", [&] {
      return by([&](int n, int v, double p) { return scale * p - one(n, v); });
    });
    trial.looks_like("probability_not_scaled", "logits", [&] {
      return by([&](int n, int v, double p) { return p - scale * one(n, v); });
    });
    trial.looks_like("one_added", "logits", [&] {
      return by([&](int n, int v, double p) { return scale * (p + one(n, v)); });
    });
    trial.looks_like("wrong_sign", "logits",
                     [&] { return by([&](int n, int v, double p) { return -right(n, v, p); }); });
    trial.looks_like("one_everywhere", "logits",
                     [&] { return by([&](int, int, double p) { return scale * (p - 1); }); });
    trial.looks_like("target_alone", "logits", [&] {
      return by([&](int n, int v, double p) { return one(n, v) * right(n, v, p); });
    });
    trial.looks_like("not_divided", "logits", [&] {
      return by([&](int n, int v, double p) { return scale * (p * it.sum(n, V) - one(n, v)); });
    });
    trial.looks_like("padding_counted", "logits", [&] {
      return by([&](int n, int v, double p) {
        return scale * (p * it.sum(n, V) / it.sum(n, stride) - one(n, v));
      });
    });
    trial.looks_like("padding_left", "logits", [&] {
      Matrix<double> all = by(right);
      all.rightCols(stride - V) = it.all.rightCols(stride - V);
      return all;
    });
    trial.looks_like("minus_one_counted", "logits", [&] {
      Matrix<double> all = by(right);
      for (int n = 0; n < N; ++n) {
        if (it.counts(n)) continue;
        for (int v = 0; v < V; ++v) {
          all(n, v) = scale * std::exp(it.all(n, v) - it.largest(n)) / it.sum(n, V);
        }
      }
      return all;
    });
    trial.looks_like("minus_one_left", "logits", [&] {
      Matrix<double> all = by(right);
      for (int n = 0; n < N; ++n) {
        if (!it.counts(n)) all.row(n) = it.all.row(n);
      }
      return all;
    });
    const auto float_sum = [&](int n, float largest) {
      float total = 0;
      for (int v = 0; v < V; ++v) total += std::exp(static_cast<float>(it.all(n, v)) - largest);
      return total;
    };
    const auto by_floats = [&](const auto& largest) {
      return by([&](int n, int v, double) {
        const float e = std::exp(static_cast<float>(it.all(n, v)) - largest(n));
        return scale * (static_cast<double>(e / float_sum(n, largest(n))) - one(n, v));
      });
    };
    trial.looks_like("no_maximum", "logits", [&] { return by_floats([](int) { return 0.0f; }); });
    trial.looks_like("maximum_from_zero", "logits", [&] {
      return by_floats([&](int n) { return static_cast<float>(std::max(0.0, it.largest(n))); });
    });
    for (const int threads : mistakes07::kNoWholeWarps) {
      trial.looks_like("no_whole_warps", "logits", [&] {
        Matrix<double> wrong = Matrix<double>::Zero(N, stride);
        for (int n = 0; n < N; ++n) {
          if (!it.counts(n)) continue;
          const LogitsCase::Reduced got = it.reduced(n, threads);
          for (int v = 0; v < V; ++v) {
            const auto thread = static_cast<std::size_t>(v % threads);
            const double share = std::exp(it.all(n, v) - got.largest[thread]) / got.sum[thread];
            wrong(n, v) = scale * (share - one(n, v));
          }
        }
        return wrong;
      });
    }
  }));
}

TEST(Lesson07, WholeCrossEntropy) {
  EXPECT_TRUE(
      whole("07.2", "kernels/cross_entropy.h", {"N", "V", "stride"}, kLogits, [](Trial& trial) {
        const LogitsCase it(trial);
        const auto [N, V, stride] = trial.sizes<3>();
        const float* logits = trial.input("logits", {{"n", N}, {"v", stride}}, it.logits);
        const int* targets = trial.input("targets", {{"n", N}}, it.targets);
        float* losses = trial.output("losses", {{"n", N}});
        float* losses_too = trial.output("losses with gradients", {{"n", N}});
        float* dlogits = trial.prefilled("dlogits", {{"n", N}, {"v", stride}}, it.logits);
        trial.run([&](const Launch& launch) {
          cross_entropy_forward(logits, targets, losses, N, V, stride, launch);
          cross_entropy_forward_backward(dlogits, targets, losses_too, kGradientScale, N, V, stride,
                                         launch);
        });
        const auto right = [&]<typename Scalar>(Scalar) {
          return reference::cross_entropy_forward<Scalar>(it.matrix<Scalar>(), it.targets);
        };
        trial.expect("losses", right, 40);
        trial.expect("losses with gradients", right, 40);
        trial.expect("dlogits", [&]<typename Scalar>(Scalar) {
          Matrix<Scalar> all = Matrix<Scalar>::Zero(N, stride);
          all.leftCols(V) = reference::cross_entropy_backward<Scalar>(
              it.matrix<Scalar>(), it.targets, static_cast<Scalar>(kGradientScale));
          return all;
        });
      }));
}

}  // namespace
}  // namespace andrea
