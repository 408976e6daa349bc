#include "lessons/07_full_model/kernel.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "kernels/cross_entropy.h"
#include "kernels/global_norm.h"
#include "kernels/transformer.h"
#include "lessons/07_full_model/cross_entropy_reference.h"
#include "lessons/07_full_model/mistakes.h"
#include "lessons/07_full_model/model_case.h"
#include "lessons/07_full_model/optimiser_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes07::kNotANumber;
using reference::Matrix;
using reference::Vector;

// ---- 07.1, 07.2: the loss.

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
  }));
}

// ---- 07.3, 07.4: the optimiser.

// The count; max_norm in tenths, of which 0 is "off". The first number alone is longer than 1.
const std::vector<std::vector<int>> kNorms = {{3, 10},     {3, 100000}, {1, 10},  {2, 0},
                                              {33, 10},    {97, 15},    {255, 0}, {1025, 10},
                                              {70001, 10}, {70001, 0},  {300, 10}};

TEST(Lesson07, Exercise3) {
  ASSERT_TRUE(exercise("07.3", {"count", "tenths of max_norm"}, kNorms, [](Trial& trial) {
    const auto [count, tenths] = trial.sizes<2>();
    const float max_norm = static_cast<float>(tenths) / 10;
    auto gradients = trial.random().numbers(count, 3);
    gradients[0] = 4;
    const float* gradients_device = trial.input("gradients", {{"i", count}}, gradients);
    float* norm = trial.output("gradient_norm", {{"one", 1}});
    float* scale = trial.output("clip_scale", {{"one", 1}});
    const std::size_t scratch = lesson07::kPartialSums * sizeof(float);
    trial.run(
        [&](const Launch& launch) {
          lesson07::norm_and_clip(gradients_device, count, max_norm, norm, scale, launch);
        },
        scratch);
    trial.expect(
        "gradient_norm",
        [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return Vector<Scalar>::Constant(1,
                                          static_cast<Scalar>(as_vector<double>(gradients).norm()));
        },
        16 * as_vector<double>(gradients).norm());
    trial.expect(
        "clip_scale",
        [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return Vector<Scalar>::Constant(
              1, static_cast<Scalar>(
                     reference::global_norm<double>(as_vector<double>(gradients), max_norm)
                         .clip_scale));
        },
        16);

    // What a wrong norm, clipped rightly, and the right norm, clipped wrongly, leave.
    const Vector<double> g = as_vector<double>(gradients);
    const double most = max_norm;
    const auto clip = [&](double of) {
      if (!std::isfinite(of)) return kNotANumber;
      return most > 0 && of > most ? most / of : 1.0;
    };
    const auto looks_like = [&](const std::string& mistake, double wrong_norm, double wrong_scale) {
      trial.looks_like(mistake, "gradient_norm",
                       [&] { return Vector<double>::Constant(1, wrong_norm).eval(); });
      trial.looks_like(mistake, "clip_scale",
                       [&] { return Vector<double>::Constant(1, wrong_scale).eval(); });
    };
    const double right = g.norm();
    looks_like("no_root", g.squaredNorm(), clip(g.squaredNorm()));
    looks_like("not_squared", std::sqrt(g.sum()), clip(std::sqrt(g.sum())));
    looks_like("absolute_values", g.cwiseAbs().sum(), clip(g.cwiseAbs().sum()));
    looks_like("absolute_values", std::sqrt(g.cwiseAbs().sum()),
               clip(std::sqrt(g.cwiseAbs().sum())));
    looks_like("largest", g.cwiseAbs().maxCoeff(), clip(g.cwiseAbs().maxCoeff()));
    looks_like("mean", right / std::sqrt(count), clip(right / std::sqrt(count)));
    looks_like("zero_clips", right, right > most ? most / right : 1);
    looks_like("always_scaled", right, most / right);
    looks_like("upside_down", right, most > 0 && right > most ? right / most : 1);
    looks_like("never_scaled", right, 1);
    looks_like("clipped_the_wrong_way", right, most > 0 && right < most ? most / right : 1);
    looks_like("norm_for_scale", right, most > 0 && right > most ? most : 1);
    looks_like("norm_after_clipping", right * clip(right), clip(right));
    // A thread of each block keeps what the others have found to itself.
    for (const int threads : {32, 64, 128, 256, 512, 1024}) {
      double squares = 0;
      for (int i = 0; i < count; i += threads) squares += g[i] * g[i];
      looks_like("sum_of_one_thread", std::sqrt(squares), clip(std::sqrt(squares)));
      // With the stride of a block each number is counted by all blocks that begin before it.
      squares = 0;
      for (int i = 0; i < count; ++i) {
        squares += std::min(i / threads + 1, lesson07::kPartialSums) * g[i] * g[i];
      }
      looks_like("stride_of_block", std::sqrt(squares), clip(std::sqrt(squares)));
      squares = g.head(std::min(count, threads)).squaredNorm();
      looks_like("first_block", std::sqrt(squares), clip(std::sqrt(squares)));
      squares = g.head(std::min(count, lesson07::kPartialSums * threads)).squaredNorm();
      looks_like("one_round", std::sqrt(squares), clip(std::sqrt(squares)));
    }
  }));

  // A gradient that is no number, or infinite, must not be clipped into a harmless one.
  EXPECT_TRUE(exercise(
      "07.3", {"count", "what is broken"}, {{3, 0}, {3, 1}, {97, 0}, {97, 1}}, [](Trial& trial) {
        const auto [count, kind] = trial.sizes<2>();
        auto gradients = trial.random().numbers(count, 3);
        gradients[static_cast<std::size_t>(count) / 2] =
            kind == 0 ? std::numeric_limits<float>::quiet_NaN()
                      : std::numeric_limits<float>::infinity();
        const float* device = trial.input("gradients", {{"i", count}}, gradients);
        DeviceBuffer<float> norm(1), scale(1);
        trial.run(
            [&](const Launch& launch) {
              lesson07::norm_and_clip(device, count, 1, norm.data(), scale.data(), launch);
            },
            lesson07::kPartialSums * sizeof(float));
        trial.require(!std::isfinite(norm.to_host()[0]), "norm_hidden");
        trial.require(std::isnan(scale.to_host()[0]), "broken_hidden");
      }));
}

// Not the defaults, and an epsilon that shows.
constexpr AdamWOptions kOptions = {
    .beta1 = 0.8f, .beta2 = 0.95f, .epsilon = 0.03f, .weight_decay = 0.2f};

// The count, how many decay, and the step.
const std::vector<std::vector<int>> kSteps = {{3, 2, 1},   {3, 2, 2},      {1, 1, 1},
                                              {1, 0, 3},   {33, 31, 2},    {97, 33, 4},
                                              {255, 7, 1}, {257, 256, 10}, {1025, 512, 1000}};

TEST(Lesson07, Exercise4) {
  EXPECT_TRUE(exercise("07.4", {"count", "decayed", "step"}, kSteps, [](Trial& trial) {
    const auto [count, decayed, step] = trial.sizes<3>();
    trial.need(decayed <= count);
    const auto parameters = trial.random().numbers(count, 2);
    const auto gradients = trial.random().numbers(count, 2);
    const auto first = trial.random().numbers(count);
    auto second = trial.random().numbers(count);
    for (float& number : second) number = 0.01f + number * number;
    const StepScalars scalars = {.step = step, .learning_rate = 0.25f, .clip_scale = 0.7f};
    float* parameters_device = trial.prefilled("parameters", {{"i", count}}, parameters);
    const float* gradients_device = trial.input("gradients", {{"i", count}}, gradients);
    float* first_device = trial.prefilled("first_moments", {{"i", count}}, first);
    float* second_device = trial.prefilled("second_moments", {{"i", count}}, second);
    const StepScalars* scalars_device =
        trial.input<StepScalars>("scalars", {{"one", 1}}, {scalars});
    trial.run([&](const Launch& launch) {
      lesson07::adamw_update(parameters_device, gradients_device, first_device, second_device,
                             count, decayed, kOptions, scalars_device, launch);
    });
    const auto after = [&]<typename Scalar>(Scalar) {
      reference::AdamWState<Scalar> state{as_vector<Scalar>(parameters), as_vector<Scalar>(first),
                                          as_vector<Scalar>(second)};
      reference::adamw<Scalar>(state, as_vector<Scalar>(gradients), decayed, kOptions, step,
                               scalars.learning_rate, scalars.clip_scale);
      return state;
    };
    trial.expect(
        "first_moments", [&]<typename Scalar>(Scalar s) { return after(s).first_moments; }, 4);
    trial.expect(
        "second_moments", [&]<typename Scalar>(Scalar s) { return after(s).second_moments; }, 8);
    trial.expect(
        "parameters", [&]<typename Scalar>(Scalar s) { return after(s).parameters; }, 64);

    using mistakes07::AdamW;
    using mistakes07::Decay;
    const reference::AdamWState<double> before = {
        as_vector<double>(parameters), as_vector<double>(first), as_vector<double>(second)};
    const Vector<double> g = as_vector<double>(gradients);
    const auto show = [&](const std::string& mistake, const reference::AdamWState<double>& wrong) {
      trial.looks_like(mistake, "parameters", [&] { return wrong.parameters; });
      trial.looks_like(mistake, "first_moments", [&] { return wrong.first_moments; });
      trial.looks_like(mistake, "second_moments", [&] { return wrong.second_moments; });
    };
    const auto looks_like = [&](const std::string& mistake, const AdamW& how,
                                const AdamWOptions& options = kOptions) {
      show(mistake, mistakes07::adamw(how, before, g, decayed, options, scalars));
    };
    looks_like("no_correction", {.first_corrected = false, .second_corrected = false});
    looks_like("first_not_corrected", {.first_corrected = false});
    looks_like("second_not_corrected", {.second_corrected = false});
    looks_like("step_from_0", {.step_offset = -1});
    looks_like("step_too_late", {.step_offset = 1});
    looks_like("epsilon_inside", {.epsilon_inside = true});
    looks_like("no_root", {.root = false});
    looks_like("no_clip", {.clip = false});
    looks_like("no_rate", {.rate = false});
    looks_like("not_squared", {.square = false});
    looks_like("corrected_kept", {.keeps_corrected = true});
    looks_like("moments_not_kept", {.keeps_moments = false});
    looks_like("old_moments", {.uses_old = true});
    looks_like("added", {.sign = 1});
    looks_like("whole_gradient", {.new_share1 = 1, .new_share2 = 1});
    looks_like("whole_gradient", {.new_share1 = 1});
    looks_like("whole_gradient", {.new_share2 = 1});
    looks_like("no_decay", {.decay = Decay::none});
    looks_like("all_decay", {.decay = Decay::all});
    looks_like("vectors_decay", {.decay = Decay::of_vectors});
    looks_like("coupled", {.decay = Decay::coupled});
    looks_like("decay_without_rate", {.decay = Decay::without_rate});
    looks_like("default_options", {}, AdamWOptions());
    AdamWOptions exchanged = kOptions;
    std::swap(exchanged.beta1, exchanged.beta2);
    looks_like("betas_exchanged", {}, exchanged);
    // Each moment is made of the other.
    const reference::AdamWState<double> turned = {before.parameters, before.second_moments,
                                                  before.first_moments};
    reference::AdamWState<double> wrong =
        mistakes07::adamw({}, turned, g, decayed, kOptions, scalars);
    std::swap(wrong.first_moments, wrong.second_moments);
    show("moments_exchanged", wrong);
    // Each moment is right, and stored where the other belongs.
    wrong = mistakes07::adamw({}, before, g, decayed, kOptions, scalars);
    std::swap(wrong.first_moments, wrong.second_moments);
    show("stored_exchanged", wrong);
  }));
}

// ---- 07.5, 07.6: the model.

const std::vector<std::vector<int>> kModels = {
    {1, 3, 1, 3, 1, 3}, {2, 3, 2, 4, 2, 5}, {1, 1, 2, 4, 1, 2}, {2, 5, 3, 6, 3, 131}};

TEST(Lesson07, Exercise5) {
  EXPECT_TRUE(exercise("07.5", kModelSizeNames, kModels, [](Trial& trial) {
    const ModelCase it(trial, trial.sizes<6>());
    ForwardOutputs outputs(it);
    float* logits = trial.output("logits", {{"n", it.N}, {"v", it.stride}});
    trial.run(
        [&](const Launch& launch) {
          lesson07::model_forward(it.config, it.parameter_tensors(), it.tokens_device,
                                  outputs.memory, logits, it.B, it.T, launch);
        },
        lesson07::operation_scratch_bytes(it.config, it.B, it.T));
    const auto streams = it.streams<double>();
    const auto float_streams = it.streams<float>();
    const auto logits_of = [&]<typename Scalar>(Scalar) {
      return it.padded<Scalar>(reference::transformer_forward(
          it.layout, it.all_parameters<Scalar>(), it.tokens, it.B, it.T));
    };
    const auto streams_of = [&]<typename Scalar>(Scalar) {
      if constexpr (std::is_same_v<Scalar, double>)
        return joined(streams);
      else
        return joined(float_streams);
    };
    const auto normed_of = [&]<typename Scalar>(Scalar s) {
      const Vector<Scalar> all = streams_of(s);
      return it.normed<Scalar>(reference::load(all.data() + it.L * it.N * it.C, it.N, it.C));
    };
    trial.expect("streams", streams_of, kRoundings * joined(streams).cwiseAbs().maxCoeff());
    trial.expect("normed", normed_of, kRoundings * normed_of(0.0).cwiseAbs().maxCoeff());
    trial.expect("logits", logits_of, kRoundings * logits_of(0.0).cwiseAbs().maxCoeff());

    const auto show = [&](const std::string& mistake, const auto& wrong) {
      trial.looks_like(mistake, "streams", [&] { return wrong().streams; });
      trial.looks_like(mistake, "normed", [&] { return wrong().normed; });
      trial.looks_like(mistake, "logits", [&] { return wrong().logits; });
    };
    const auto looks_like = [&](const std::string& mistake, const mistakes07::ForwardSlip& slip) {
      show(mistake, [&] { return mistakes07::forward(it, slip); });
    };
    const int last = it.L - 1;
    show("logits_of_stream", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      wrong.logits = mistakes07::forward(it, {.last_norm = false}).logits;
      return wrong;
    });
    looks_like("no_positions", {.positions = false});
    looks_like("tied", {.tied = true});
    looks_like("tables_exchanged", {.exchanged = true});
    looks_like("no_last_norm", {.last_norm = false});
    looks_like("norm_of_first", {.norm_of_first = true});
    looks_like("first_block_always", {.block = [](int) { return 0; }});
    looks_like("blocks_reversed", {.block = [=](int l) { return last - l; }});
    looks_like("first_stream_always", {.stream = [](int) { return 0; }});
    // What is computed from memory that nobody has written is no number.
    show("logits_too_early", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      wrong.logits.setConstant(kNotANumber);
      return wrong;
    });
    show("last_block_missing", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      wrong.streams.tail(it.N * it.C).setConstant(kNotANumber);
      wrong.normed.setConstant(kNotANumber);
      wrong.logits.setConstant(kNotANumber);
      return wrong;
    });
    show("no_embedding", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      wrong.streams.setConstant(kNotANumber);
      wrong.normed.setConstant(kNotANumber);
      wrong.logits.setConstant(kNotANumber);
      return wrong;
    });
    show("padding_unwritten", [&] {
      mistakes07::Forward wrong = mistakes07::forward(it, {});
      wrong.logits.rightCols(it.stride - it.V).setConstant(kNotANumber);
      return wrong;
    });
  }));
}

const std::vector<std::string> kBackwardNames = {"B", "T", "L", "C", "H", "V", "add"};

// A case and whether gradients are added.
struct BackwardSizes {
  explicit BackwardSizes(const Trial& trial) {
    const auto all = trial.sizes<7>();
    std::copy_n(all.begin(), 6, sizes.begin());
    accumulate = all[6] != 0 ? Accumulate::add : Accumulate::overwrite;
  }

  std::array<int, 6> sizes;
  Accumulate accumulate;
};

TEST(Lesson07, Exercise6) {
  EXPECT_TRUE(exercise("07.6", kBackwardNames, both_ways(kModels), [](Trial& trial) {
    const BackwardSizes sizes(trial);
    const Accumulate accumulate = sizes.accumulate;
    const ModelCase it(trial, sizes.sizes);
    const ForwardInputs inputs(it);
    const auto dlogits = trial.random().numbers(std::int64_t{it.N} * it.V);
    const Matrix<double> dlogits_matrix = as_matrix<double>(dlogits, it.N, it.V);
    const Matrix<float> padded = it.padded<float>(as_matrix<float>(dlogits, it.N, it.V));
    const float* dlogits_device = trial.input<float>(
        "dlogits", {{"n", it.N}, {"v", it.stride}}, {padded.data(), padded.data() + padded.size()});
    lesson07::BackwardMemory working;
    working.dnormed = trial.output("dnormed", {{"n", it.N}, {"c", it.C}});
    working.dstream = trial.output("dstream", {{"n", it.N}, {"c", it.C}});
    GradientOutputs gradients(it, accumulate);
    trial.run(
        [&](const Launch& launch) {
          lesson07::model_backward(it.config, it.parameter_tensors(), it.tokens_device,
                                   dlogits_device, inputs.memory, working, gradients.tensors, it.B,
                                   it.T, accumulate, launch);
        },
        lesson07::operation_scratch_bytes(it.config, it.B, it.T));
    const auto right = [&]<typename Scalar>(Scalar) {
      return reference::transformer_backward(it.layout, it.all_parameters<Scalar>(), it.tokens,
                                             as_matrix<Scalar>(dlogits, it.N, it.V), it.B, it.T);
    };
    gradients.expect(right);

    const auto wrong = [&](const mistakes07::BackwardSlip& slip) {
      return mistakes07::backward(it, dlogits_matrix, slip);
    };
    gradients.look_like("tied", [&] { return wrong({.tied = true}); });
    gradients.look_like("stream_for_normed", [&] { return wrong({.stream_for_normed = true}); });
    gradients.look_like("no_last_norm", [&] {
      Vector<double> flat = wrong({.last_norm = false});
      gradients.keep(flat, ".final_");
      return flat;
    });
    gradients.look_like("blocks_from_first", [&] { return wrong({.from_first = true}); });
    gradients.look_like("tables_early", [&] { return wrong({.tables_early = true}); });
    gradients.look_like("tables_forgotten", [&] {
      Vector<double> flat = right(0.0);
      gradients.keep(flat, "token_table");
      gradients.keep(flat, "position_table");
      return flat;
    });
    // The gradient of the output table goes to the token table, where it stays with `add` only.
    gradients.look_like("output_into_token_table", [&] {
      Vector<double> flat = right(0.0);
      const auto at = it.layout.view<double>(flat.data());
      const Vector<double> of_output =
          Eigen::Map<const Vector<double>>(at.output_table, std::int64_t{it.stride} * it.C);
      if (accumulate == Accumulate::add) reference::add_to(at.token_table, of_output);
      gradients.keep(flat, "output_table");
      return flat;
    });
    gradients.look_like("positions_not_cleared", [&] {
      Vector<double> flat = right(0.0);
      if (accumulate == Accumulate::add) return flat;
      const auto at = it.layout.view<double>(flat.data());
      const auto& before = trial.before("gradients.position_table");
      for (int i = it.T * it.C; i < it.config.context * it.C; ++i) {
        at.position_table[i] = static_cast<double>(before[static_cast<std::size_t>(i)]);
      }
      return flat;
    });
    gradients.look_like("positions_cleared", [&] {
      Vector<double> flat = right(0.0);
      if (accumulate == Accumulate::overwrite) return flat;
      const auto at = it.layout.view<double>(flat.data());
      const auto& before = trial.before("gradients.position_table");
      for (int i = it.T * it.C; i < it.config.context * it.C; ++i) {
        at.position_table[i] = -static_cast<double>(before[static_cast<std::size_t>(i)]);
      }
      return flat;
    });
    gradients.look_like("all_positions_cleared", [&] {
      Vector<double> flat = right(0.0);
      const auto at = it.layout.view<double>(flat.data());
      if (accumulate == Accumulate::add) return flat;
      std::fill_n(at.position_table, it.config.context * it.C, 0.0);
      return flat;
    });
    // Of all blocks into those of the first: only what is added stays.
    gradients.look_like("gradients_of_first_block", [&] {
      Vector<double> flat = right(0.0);
      const auto at = it.layout.view<double>(flat.data());
      for (int l = 1; l < it.L; ++l) {
        auto first = at.blocks[0], other = at.blocks[static_cast<std::size_t>(l)];
        if (accumulate == Accumulate::add) mistakes07::add_block(it.config, first, other);
        gradients.keep(flat, "blocks[" + std::to_string(l) + "]");
      }
      return flat;
    });
    const auto scaled_before = [&](double factor) {
      return [&, factor] {
        Vector<double> flat = right(0.0);
        gradients.add_before(flat, factor);
        return flat;
      };
    };
    if (accumulate == Accumulate::add) {
      gradients.look_like("always_overwritten", scaled_before(-1));
    } else {
      gradients.look_like("always_added", scaled_before(1));
    }

    // Exactly 0, and not as good as 0: a byte of 1 is hardly seen in a float.
    if (trial.failure().kind != Failure::none || accumulate == Accumulate::add) return;
    std::vector<float> unused(static_cast<std::size_t>(2 * it.C));
    CUDA_CHECK(cudaMemcpy(unused.data(), gradients.tensors.position_table + it.T * it.C,
                          unused.size() * sizeof(float), cudaMemcpyDeviceToHost));
    trial.require(
        std::all_of(unused.begin(), unused.end(), [](float number) { return number == 0; }),
        "positions_nearly_zero");
  }));
}

// kernels/cross_entropy.h as a whole.
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

// kernels/transformer.h as a whole: with and without saved, and what it refuses.
TEST(Lesson07, WholeTransformer) {
  EXPECT_TRUE(
      whole("07.6", "kernels/transformer.h", kBackwardNames, both_ways(kModels), [](Trial& trial) {
        const BackwardSizes sizes(trial);
        const Accumulate accumulate = sizes.accumulate;
        const ModelCase it(trial, sizes.sizes);
        const auto dlogits = trial.random().numbers(std::int64_t{it.N} * it.V);
        const Matrix<float> padded = it.padded<float>(as_matrix<float>(dlogits, it.N, it.V));
        const float* dlogits_device =
            trial.input<float>("dlogits", {{"n", it.N}, {"v", it.stride}},
                               {padded.data(), padded.data() + padded.size()});
        float* logits = trial.output("logits", {{"n", it.N}, {"v", it.stride}});
        float* logits_alone = trial.output("logits without saved", {{"n", it.N}, {"v", it.stride}});
        DeviceBuffer<char> saved(
            static_cast<std::int64_t>(transformer_saved_bytes(it.config, it.B, it.T)));
        auto before = random_parameters(it.layout, trial.random());
        const int size = static_cast<int>(it.layout.size());
        float* gradients = trial.prefilled("gradients", {{"place", size}}, before);
        trial.run(
            [&](const Launch& launch) {
              transformer_forward(it.layout, it.parameters_device, it.tokens_device, logits_alone,
                                  nullptr, it.B, it.T, launch);
              transformer_forward(it.layout, it.parameters_device, it.tokens_device, logits,
                                  saved.data(), it.B, it.T, launch);
              transformer_backward(it.layout, it.parameters_device, it.tokens_device,
                                   dlogits_device, saved.data(), gradients, it.B, it.T, accumulate,
                                   launch);
            },
            transformer_scratch_bytes(it.config, it.B, it.T));
        const auto logits_of = [&]<typename Scalar>(Scalar) {
          return it.padded<Scalar>(reference::transformer_forward(
              it.layout, it.all_parameters<Scalar>(), it.tokens, it.B, it.T));
        };
        const double rounding = kRoundings * logits_of(0.0).cwiseAbs().maxCoeff();
        trial.expect("logits", logits_of, rounding);
        trial.expect("logits without saved", logits_of, rounding);
        const auto gradients_of = [&]<typename Scalar>(Scalar) {
          Vector<Scalar> flat =
              reference::transformer_backward(it.layout, it.all_parameters<Scalar>(), it.tokens,
                                              as_matrix<Scalar>(dlogits, it.N, it.V), it.B, it.T);
          if (accumulate == Accumulate::add) flat += as_vector<Scalar>(before);
          return flat;
        };
        trial.expect("gradients", gradients_of,
                     kRoundings * gradients_of(0.0).cwiseAbs().maxCoeff());

        const auto refuses = [&](auto ModelConfig::*variant, auto value, const std::string& name) {
          ModelConfig config = it.config;
          config.*variant = value;
          const std::string sentence = transformer_supports(config);
          return sentence.find("the kernels of lesson 07 have") == 0 &&
                 sentence.find(name) != std::string::npos;
        };
        trial.require(transformer_supports(it.config).empty() &&
                          transformer_supports(ModelConfig()).empty() &&
                          refuses(&ModelConfig::positions, Positions::rotary, "positions") &&
                          refuses(&ModelConfig::positions, Positions::none, "positions") &&
                          refuses(&ModelConfig::positions, Positions::sinusoidal, "positions") &&
                          refuses(&ModelConfig::norm, NormPlacement::post, "norm") &&
                          refuses(&ModelConfig::norm, NormPlacement::none, "norm") &&
                          refuses(&ModelConfig::activation, Activation::relu, "activation") &&
                          refuses(&ModelConfig::activation, Activation::swiglu, "activation") &&
                          refuses(&ModelConfig::tied, true, "tied") &&
                          refuses(&ModelConfig::biases, false, "biases"),
                      "refusal");
      }));
}

// ---- 07.7: a step.

// B, T, L, C, H, V, and the step.
const std::vector<std::vector<int>> kTrainingSteps = {
    {1, 3, 1, 3, 1, 3, 3}, {2, 3, 2, 4, 2, 5, 3}, {2, 5, 2, 6, 3, 131, 10}};

// A step calls what the exercises before it make. Where one of those is wrong, it is that one's
// mistake, and told as that: each is tried on numbers of the reference.
void require_earlier_exercises(Trial& trial, const mistakes07::TrainingCase& it) {
  const ModelCase& model = it.model;
  const ParameterLayout& layout = model.layout;
  const Matrix<double> logits = reference::transformer_forward(
      layout, model.all_parameters<double>(), model.tokens, it.B, it.T);
  const Matrix<double> dlogits = reference::cross_entropy_backward<double>(logits, it.targets, 0.5);
  const Vector<double> gradients = reference::transformer_backward(
      layout, model.all_parameters<double>(), model.tokens, dlogits, it.B, it.T);
  const auto device = [](const auto& numbers) {
    const Matrix<float> rounded = numbers.template cast<float>();
    return DeviceBuffer<float>(
        std::span<const float>(rounded.data(), static_cast<std::size_t>(rounded.size())));
  };
  const auto first_is = [&](const std::string& exercise, const DeviceBuffer<float>& result,
                            const auto& right) {
    const std::vector<float> is = result.to_host();
    const double tolerance = 1e-3 * (1 + right.cwiseAbs().maxCoeff());
    bool same = true;
    for (std::size_t i = 0; i < is.size(); ++i) {
      same = same && std::abs(static_cast<double>(is[i]) - right.data()[i]) <= tolerance;
    }
    trial.require(same, "earlier_first", {{"exercise", exercise}});
  };

  const Matrix<double> padded = model.padded<double>(logits);
  const DeviceBuffer<int> targets(std::span<const int>(it.targets));
  DeviceBuffer<float> losses(it.N), gradient_of_logits = device(padded);
  trial.run([&](const Launch& launch) {
    lesson07::row_losses(gradient_of_logits.data(), targets.data(), losses.data(), it.N, model.V,
                         model.stride, launch);
  });
  first_is("07.1", losses, reference::cross_entropy_forward<double>(logits, it.targets));
  trial.run([&](const Launch& launch) {
    lesson07::gradient_of_logits(gradient_of_logits.data(), targets.data(), 0.5f, it.N, model.V,
                                 model.stride, launch);
  });
  first_is("07.2", gradient_of_logits, model.padded<double>(dlogits));

  const DeviceBuffer<float> all_gradients = device(gradients);
  DeviceBuffer<float> norm(1), clip_scale(1);
  trial.run(
      [&](const Launch& launch) {
        lesson07::norm_and_clip(all_gradients.data(), layout.size(), mistakes07::kMaxNorm,
                                norm.data(), clip_scale.data(), launch);
      },
      lesson07::kPartialSums * sizeof(float));
  first_is("07.3", norm, Vector<double>::Constant(1, gradients.norm()).eval());

  const DeviceBuffer<StepScalars> scalars(std::span<const StepScalars>(&it.scalars, 1));
  DeviceBuffer<float> parameters(model.parameters), first(it.first), second(it.second);
  trial.run([&](const Launch& launch) {
    lesson07::adamw_update(parameters.data(), all_gradients.data(), first.data(), second.data(),
                           layout.size(), layout.decayed(), mistakes07::kStepOptions,
                           scalars.data(), launch);
  });
  reference::AdamWState<double> state{model.all_parameters<double>(), as_vector<double>(it.first),
                                      as_vector<double>(it.second)};
  reference::adamw<double>(state, gradients, layout.decayed(), mistakes07::kStepOptions,
                           it.scalars.step, it.scalars.learning_rate, it.scalars.clip_scale);
  first_is("07.4", parameters, state.parameters);

  DeviceBuffer<char> saved(
      static_cast<std::int64_t>(transformer_saved_bytes(model.config, it.B, it.T)));
  DeviceBuffer<float> models_logits(padded.size()), models_gradients(layout.size());
  const std::size_t scratch = transformer_scratch_bytes(model.config, it.B, it.T);
  trial.run(
      [&](const Launch& launch) {
        transformer_forward(layout, model.parameters_device, model.tokens_device,
                            models_logits.data(), saved.data(), it.B, it.T, launch);
      },
      scratch);
  first_is("07.5", models_logits, padded);
  const DeviceBuffer<float> padded_dlogits = device(model.padded<double>(dlogits));
  CUDA_CHECK(cudaMemset(models_gradients.data(), 0,
                        static_cast<std::size_t>(layout.size()) * sizeof(float)));
  trial.run(
      [&](const Launch& launch) {
        transformer_backward(layout, model.parameters_device, model.tokens_device,
                             padded_dlogits.data(), saved.data(), models_gradients.data(), it.B,
                             it.T, Accumulate::overwrite, launch);
      },
      scratch);
  first_is("07.6", models_gradients, gradients);
}

TEST(Lesson07, Exercise7) {
  EXPECT_TRUE(
      exercise("07.7", {"B", "T", "L", "C", "H", "V", "step"}, kTrainingSteps, [](Trial& trial) {
        const auto all_sizes = trial.sizes<7>();
        const int step = all_sizes[6];
        std::array<int, 6> sizes;
        std::copy_n(all_sizes.begin(), 6, sizes.begin());
        const mistakes07::TrainingCase it(trial, sizes, step);
        require_earlier_exercises(trial, it);
        DeviceBuffer<char> saved(
            static_cast<std::int64_t>(transformer_saved_bytes(it.model.config, it.B, it.T)));
        DeviceBuffer<StepScalars> scalars(std::span<const StepScalars>(&it.scalars, 1));
        DeviceBuffer<float> logits(std::int64_t{it.N} * it.model.stride);
        const Axes flat = {{"place", static_cast<int>(it.model.layout.size())}};
        lesson07::Training training;
        training.parameters = trial.prefilled("parameters after", flat, it.model.parameters);
        training.gradients = trial.prefilled("gradients", flat, it.stale);
        training.first_moments = trial.prefilled("first_moments", flat, it.first);
        training.second_moments = trial.prefilled("second_moments", flat, it.second);
        training.scalars = scalars.data();
        training.logits = logits.data();
        training.losses = trial.output("losses", {{"b", it.B}, {"t", it.T}});
        training.saved = saved.data();
        const int* targets = trial.input("targets", {{"b", it.B}, {"t", it.T}}, it.targets);
        trial.run(
            [&](const Launch& launch) {
              lesson07::training_step(it.model.layout, training, it.model.tokens_device, targets,
                                      it.counted, mistakes07::kMaxNorm, mistakes07::kStepOptions,
                                      it.B, it.T, launch);
            },
            std::max(transformer_scratch_bytes(it.model.config, it.B, it.T),
                     global_norm_scratch_bytes(it.model.layout.size())));
        const auto exact = it.stepped<double>({});
        const auto rounded = it.stepped<float>({});
        const auto expect = [&](const std::string& name, auto member, double accumulated) {
          trial.expect(
              name,
              [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
                if constexpr (std::is_same_v<Scalar, double>)
                  return member(exact);
                else
                  return member(rounded);
              },
              accumulated);
        };
        const auto losses = [](const auto& after) { return after.losses; };
        const auto gradients = [](const auto& after) { return after.gradients; };
        const auto first = [](const auto& after) { return after.state.first_moments; };
        const auto second = [](const auto& after) { return after.state.second_moments; };
        const auto parameters = [](const auto& after) { return after.state.parameters; };
        const double largest = exact.gradients.cwiseAbs().maxCoeff();
        expect("losses", losses, kRoundings * (1 + exact.losses.maxCoeff()));
        expect("gradients", gradients, 4 * kRoundings * largest);
        expect("first_moments", first, kRoundings);
        expect("second_moments", second, kRoundings);
        expect("parameters after", parameters, kRoundings);

        const auto looks_like = [&](const std::string& mistake, const mistakes07::StepSlip& slip) {
          const auto show = [&](const std::string& name, const auto& member) {
            trial.looks_like(mistake, name, [&] { return member(it.stepped<double>(slip)); });
          };
          show("losses", losses);
          show("gradients", gradients);
          show("first_moments", first);
          show("second_moments", second);
          show("parameters after", parameters);
        };
        const double mean = 1.0 / it.counted;
        using Slip = mistakes07::StepSlip;
        looks_like("no_mean", Slip{.scale = 1});
        looks_like("all_rows_counted", Slip{.scale = 1.0 / it.N});
        looks_like("whole_division", Slip{.scale = it.counted > 1 ? 0.0 : 1.0});
        looks_like("count_for_scale", Slip{.scale = static_cast<double>(it.counted)});
        looks_like("padding_counted", Slip{.columns = it.model.stride});
        looks_like("gradients_added", Slip{.adds_stale = true});
        looks_like("no_norm", Slip{.measures_norm = false});
        looks_like("norm_of_matrices", Slip{.norm_of = it.model.layout.decayed()});
        looks_like("all_decay", Slip{.decayed = it.model.layout.size()});
        looks_like("matrices_alone", Slip{.updated = it.model.layout.decayed()});
        looks_like("gradients_not_computed", Slip{.backward = false});
        looks_like("not_updated", Slip{.updated = 0});
        looks_like("tokens_for_targets", Slip{.tokens_for_targets = true, .scale = mean});
        looks_like("moments_exchanged", Slip{.exchanges_moments = true});
      }));
}

}  // namespace
}  // namespace andrea
