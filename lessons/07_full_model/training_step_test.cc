// 07.7: a step of training.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/device_buffer.h"
#include "kernels/global_norm.h"
#include "kernels/transformer.h"
#include "lessons/07_full_model/cross_entropy_reference.h"
#include "lessons/07_full_model/kernel.h"
#include "lessons/07_full_model/mistakes.h"
#include "lessons/07_full_model/model_case.h"
#include "lessons/07_full_model/optimiser_reference.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

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
        training.parameters = trial.prefilled("parameters_after", flat, it.model.parameters);
        training.gradients = trial.prefilled("gradients", flat, it.stale);
        training.first_moments = trial.prefilled("first_moments", flat, it.first);
        training.second_moments = trial.prefilled("second_moments", flat, it.second);
        for (const char* const name :
             {"parameters_after", "gradients", "first_moments", "second_moments"}) {
          trial.consists_of(name, parts_of(it.model.layout));
        }
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
        expect("parameters_after", parameters, kRoundings);

        const auto looks_like = [&](const std::string& mistake, const mistakes07::StepSlip& slip) {
          const auto show = [&](const std::string& name, const auto& member) {
            trial.looks_like(mistake, name, [&] { return member(it.stepped<double>(slip)); });
          };
          show("losses", losses);
          show("gradients", gradients);
          show("first_moments", first);
          show("second_moments", second);
          show("parameters_after", parameters);
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
