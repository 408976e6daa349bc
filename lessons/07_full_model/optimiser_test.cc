// 07.3, 07.4: the norm, and AdamW.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cuda_check.h"
#include "kernels/device_buffer.h"
#include "lessons/07_full_model/kernel.h"
#include "lessons/07_full_model/mistakes.h"
#include "lessons/07_full_model/optimiser_reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/exercise.h"
#include "tests/harness/marked_nan.h"

namespace andrea {
namespace {

using mistakes07::kNotANumber;
using reference::Vector;

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
    // Scratch memory holds what another kernel has left there.
    std::vector<float> sums(lesson07::kPartialSums, stale_number());
    const std::size_t scratch = sums.size() * sizeof(float);
    trial.run(
        [&](const Launch& launch) {
          CUDA_CHECK(cudaMemcpy(launch.scratch, sums.data(), scratch, cudaMemcpyHostToDevice));
          lesson07::norm_and_clip(gradients_device, count, max_norm, norm, scale, launch);
          (void)cudaMemcpy(sums.data(), launch.scratch, scratch, cudaMemcpyDeviceToHost);
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
    // A norm of what lay in scratch memory before; clip_scale is then whatever came of that.
    const std::vector<float>& norm_found = trial.contents("gradient_norm");
    const bool is_stale = !norm_found.empty() && is_from_stale(norm_found[0]);
    const bool none_left = is_never_written(sums[0]);
    const auto of_stale = [&](const std::string& mistake, bool is) {
      constexpr double kNeither = -1;  // no norm, and no factor
      if (!is_stale || !is) return looks_like(mistake, kNeither, kNeither);
      looks_like(mistake, kNotANumber, static_cast<double>(trial.contents("clip_scale")[0]));
    };
    of_stale("sums_not_left", none_left);
    of_stale("past_the_sums", !none_left);
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
    // Threads of whole warps alone are counted, whatever the number of blocks is.
    for (const int threads : mistakes07::kNoWholeWarps) {
      double squares = 0;
      for (int i = 0; i < count; ++i) {
        if (i % threads < threads / 32 * 32) squares += g[i] * g[i];
      }
      looks_like("no_whole_warps", std::sqrt(squares), clip(std::sqrt(squares)));
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
    looks_like("decay_after", {.decay = Decay::after});
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

}  // namespace
}  // namespace andrea
