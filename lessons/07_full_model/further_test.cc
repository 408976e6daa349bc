#include "lessons/07_full_model/further.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/transformer.h"
#include "lessons/07_full_model/cross_entropy_reference.h"
#include "lessons/07_full_model/mistakes.h"
#include "lessons/07_full_model/model_case.h"
#include "lessons/07_full_model/optimiser_reference.h"
#include "lessons/07_full_model/rounded.h"
#include "lessons/07_full_model/sums_beside_copies.h"
#include "tests/harness/exercise/exercise.h"

namespace andrea {
namespace {

using mistakes07::kNotANumber;
using reference::Matrix;
using reference::Vector;

// ---- 07.8 Master weights.

std::vector<std::uint16_t> bits_of(const std::vector<float>& numbers) {
  std::vector<std::uint16_t> bits;
  for (const float number : numbers) bits.push_back(bfloat16_bits(number));
  return bits;
}

Vector<double> rounded(const Vector<double>& numbers) {
  return numbers.unaryExpr([](double number) {
    return static_cast<double>(rounded_to_bfloat16(static_cast<float>(number)));
  });
}

constexpr AdamWOptions kOptions = {
    .beta1 = 0.8f, .beta2 = 0.95f, .epsilon = 0.03f, .weight_decay = 0.2f};

// The count, how many decay, and how many steps are taken.
const std::vector<std::vector<int>> kSteps = {{3, 2, 1},   {3, 1, 40},   {1, 1, 5},
                                              {97, 33, 2}, {257, 0, 20}, {1025, 512, 3}};

TEST(Lesson07, Exercise8) {
  EXPECT_TRUE(exercise("07.8", {"count", "decayed", "steps"}, kSteps, [](Trial& trial) {
    const auto [count, decayed, steps] = trial.sizes<3>();
    trial.need(decayed <= count);
    auto master = trial.random().numbers(count);
    for (float& number : master) number += number < 0 ? -1.0f : 1.0f;
    auto gradients = trial.random().numbers(count);
    for (float& number : gradients) number = rounded_to_bfloat16(number);
    std::vector<StepScalars> scalars(static_cast<std::size_t>(steps));
    for (int k = 0; k < steps; ++k) {
      scalars[static_cast<std::size_t>(k)] = {
          .step = k + 1, .learning_rate = 0.001f, .clip_scale = 0.7f};
    }
    const std::vector<float> zeros(static_cast<std::size_t>(count), 0.0f);
    float* master_device = trial.prefilled("master", {{"i", count}}, master);
    float* first = trial.prefilled("first_moments", {{"i", count}}, zeros);
    float* second = trial.prefilled("second_moments", {{"i", count}}, zeros);
    DeviceBuffer<std::uint16_t> working{std::span<const std::uint16_t>(bits_of(master))};
    const auto* gradients_device = reinterpret_cast<const __nv_bfloat16*>(
        trial.input("gradients", {{"i", count}}, bits_of(gradients)));
    const StepScalars* scalars_device = trial.input("scalars", {{"step", steps}}, scalars);
    trial.run([&](const Launch& launch) {
      for (int k = 0; k < steps; ++k) {
        lesson07::mixed_adamw(master_device, reinterpret_cast<__nv_bfloat16*>(working.data()),
                              gradients_device, first, second, count, decayed, kOptions,
                              scalars_device + k, launch);
      }
    });
    // `seen`: what a step takes the parameter for.
    const auto after = [&]<typename Scalar>(Scalar, const auto& seen) {
      reference::AdamWState<Scalar> state{as_vector<Scalar>(master), as_vector<Scalar>(zeros),
                                          as_vector<Scalar>(zeros)};
      for (const StepScalars& one : scalars) {
        state.parameters = seen(state.parameters);
        reference::adamw<Scalar>(state, as_vector<Scalar>(gradients), decayed, kOptions, one.step,
                                 one.learning_rate, one.clip_scale);
      }
      return state;
    };
    const auto as_is = [](const auto& parameters) { return parameters; };
    trial.expect(
        "first_moments", [&]<typename Scalar>(Scalar s) { return after(s, as_is).first_moments; },
        4);
    trial.expect(
        "second_moments", [&]<typename Scalar>(Scalar s) { return after(s, as_is).second_moments; },
        4);
    trial.expect(
        "master", [&]<typename Scalar>(Scalar s) { return after(s, as_is).parameters; }, 2);

    trial.looks_like("from_working", "master", [&] { return after(0.0, rounded).parameters; });
    trial.looks_like("master_rounded", "master",
                     [&] { return rounded(after(0.0, rounded).parameters); });
    trial.looks_like("master_not_written", "master", [&] { return as_vector<double>(master); });
    trial.looks_like("added_twice", "master", [&]() -> Vector<double> {
      return 2 * after(0.0, as_is).parameters - as_vector<double>(master);
    });
    trial.looks_like("change_alone", "master", [&]() -> Vector<double> {
      if (steps > 1) return Vector<double>::Constant(count, kNotANumber);
      return after(0.0, as_is).parameters - as_vector<double>(master);
    });

    if (trial.failure().kind != Failure::none) return;
    std::vector<float> now(static_cast<std::size_t>(count));
    CUDA_CHECK(
        cudaMemcpy(now.data(), master_device, now.size() * sizeof(float), cudaMemcpyDeviceToHost));
    const std::vector<std::uint16_t> is = working.to_host();
    bool right = true, stale = true, cut = true;
    for (std::size_t i = 0; i < now.size(); ++i) {
      right = right && is[i] == bfloat16_bits(now[i]);
      stale = stale && is[i] == bfloat16_bits(master[i]);
      cut = cut && is[i] == std::bit_cast<std::uint32_t>(now[i]) >> 16;
    }
    trial.require(right || !stale, "working_stale");
    trial.require(right || !cut, "working_cut");
    trial.require(right, "working_wrong");
  }));
}

// ---- 07.9 Gradient accumulation.

// What a micro-batch reads, and what becomes of its gradients.
struct AccumulationSlip {
  double scale = -1;  // -1: 1 / counted
  bool own_mean = false, last_alone = false, stale = false, first_tokens = false,
       first_targets = false;
};

const std::vector<std::vector<int>> kBatches = {
    {1, 3, 1, 3, 1, 3, 2}, {1, 3, 1, 3, 1, 3, 1}, {2, 3, 2, 4, 2, 5, 3}, {1, 5, 1, 6, 3, 131, 4}};

TEST(Lesson07, Exercise9) {
  EXPECT_TRUE(
      exercise("07.9", {"B", "T", "L", "C", "H", "V", "micro-batches"}, kBatches, [](Trial& trial) {
        const auto all_sizes = trial.sizes<7>();
        const int M = all_sizes[6];
        std::array<int, 6> sizes;
        std::copy_n(all_sizes.begin(), 6, sizes.begin());
        const ModelCase it(trial, sizes, M);
        const int N = it.N;
        const std::vector<int>& tokens = it.all_tokens;
        auto targets = trial.random().integers(M * N, it.V);
        // Other micro-batches have fewer counted rows than the first.
        for (int n = N + 1; n < M * N; n += 2) targets[static_cast<std::size_t>(n)] = -1;
        const int counted = static_cast<int>(
            std::count_if(targets.begin(), targets.end(), [](int target) { return target >= 0; }));
        const auto stale = random_parameters(it.layout, trial.random());
        DeviceBuffer<char> saved(
            static_cast<std::int64_t>(transformer_saved_bytes(it.config, it.B, it.T)));
        DeviceBuffer<float> logits(std::int64_t{N} * it.stride);
        const Axes rows = {{"micro-batch", M}, {"n", N}};
        lesson07::Training training{};
        training.parameters = const_cast<float*>(it.parameters_device);
        training.gradients =
            trial.prefilled("gradients", {{"place", static_cast<int>(it.layout.size())}}, stale);
        trial.consists_of("gradients", parts_of(it.layout));
        training.logits = logits.data();
        training.losses = trial.output("losses", rows);
        training.saved = saved.data();
        const int* tokens_device = trial.input("all tokens", rows, tokens);
        const int* targets_device = trial.input("targets", rows, targets);
        trial.run(
            [&](const Launch& launch) {
              lesson07::accumulated_gradients(it.layout, training, tokens_device, targets_device,
                                              counted, M, it.B, it.T, launch);
            },
            transformer_scratch_bytes(it.config, it.B, it.T));

        const auto part = [&](const std::vector<int>& all, int k) {
          return std::vector<int>(all.begin() + k * N, all.begin() + (k + 1) * N);
        };
        const auto losses_of = [&]<typename Scalar>(Scalar, const AccumulationSlip& slip) {
          Vector<Scalar> losses(M * N);
          for (int k = 0; k < M; ++k) {
            losses.segment(k * N, N) = reference::cross_entropy_forward<Scalar>(
                reference::transformer_forward(it.layout, it.all_parameters<Scalar>(),
                                               part(tokens, slip.first_tokens ? 0 : k), it.B, it.T),
                part(targets, slip.first_targets ? 0 : k));
          }
          return losses;
        };
        const auto gradients_of = [&]<typename Scalar>(Scalar, const AccumulationSlip& slip) {
          Vector<Scalar> sum = Vector<Scalar>::Zero(it.layout.size());
          if (slip.stale) sum = as_vector<Scalar>(stale);
          for (int k = slip.last_alone ? M - 1 : 0; k < M; ++k) {
            const auto read = part(tokens, slip.first_tokens ? 0 : k);
            const auto truth = part(targets, slip.first_targets ? 0 : k);
            double scale = slip.scale >= 0 ? slip.scale : 1.0 / counted;
            if (slip.own_mean) {
              scale =
                  1.0 / static_cast<double>(std::count_if(truth.begin(), truth.end(),
                                                          [](int target) { return target >= 0; }));
            }
            const Matrix<Scalar> all = reference::transformer_forward(
                it.layout, it.all_parameters<Scalar>(), read, it.B, it.T);
            sum += reference::transformer_backward(
                it.layout, it.all_parameters<Scalar>(), read,
                Matrix<Scalar>(reference::cross_entropy_backward<Scalar>(
                    all, truth, static_cast<Scalar>(scale))),
                it.B, it.T);
          }
          return sum;
        };
        trial.expect(
            "losses", [&]<typename Scalar>(Scalar s) { return losses_of(s, {}); },
            kRoundings * (1 + losses_of(0.0, {}).maxCoeff()));
        trial.expect(
            "gradients", [&]<typename Scalar>(Scalar s) { return gradients_of(s, {}); },
            4 * kRoundings * gradients_of(0.0, {}).cwiseAbs().maxCoeff());

        const auto looks_like = [&](const std::string& mistake, const AccumulationSlip& slip) {
          trial.looks_like(mistake, "losses", [&] { return losses_of(0.0, slip); });
          trial.looks_like(mistake, "gradients", [&] { return gradients_of(0.0, slip); });
        };
        looks_like("no_mean", {.scale = 1});
        looks_like("whole_division", {.scale = counted > 1 ? 0.0 : 1.0});
        looks_like("all_rows", {.scale = 1.0 / (M * N)});
        looks_like("rows_of_micro_batch", {.scale = 1.0 / N});
        looks_like("divided_again", {.scale = 1.0 / counted / M});
        looks_like("own_mean", {.own_mean = true});
        looks_like("last_alone", {.last_alone = true});
        looks_like("stale", {.stale = true});
        looks_like("first_tokens", {.first_tokens = true});
        looks_like("first_targets", {.first_targets = true});
        trial.looks_like("losses_in_one_place", "losses", [&] {
          Vector<double> losses = Vector<double>::Constant(M * N, kNotANumber);
          losses.head(N) = losses_of(0.0, {}).tail(N);
          return losses;
        });
      }));
}

// ---- 07.10 Copies beside compute.

TEST(Lesson07, Exercise10) {
  EXPECT_TRUE(exercise(
      "07.10", {"batches", "count"}, {{1, 3}, {2, 5}, {3, 33}, {4, 97}, {5, 257}},
      [](Trial& trial) {
        const auto [batches, count] = trial.sizes<2>();
        const auto numbers = trial.random().numbers(std::int64_t{batches} * count, 2);
        float* sums = trial.output("sums", {{"batch", batches}});
        trial.run([&, batches = batches, count = count](const Launch& launch) {
          lesson07::sums_beside_copies(numbers, sums, batches, count, launch);
        });
        const auto sums_of = [&]<typename Scalar>(Scalar) -> Vector<Scalar> {
          return as_matrix<Scalar>(numbers, batches, count).rowwise().squaredNorm().transpose();
        };
        trial.expect("sums", sums_of, count);
        trial.looks_like("first_batch_always", "sums", [&]() -> Vector<double> {
          return Vector<double>::Constant(batches, sums_of(0.0)[0]);
        });
        trial.looks_like("sums_in_one_place", "sums", [&] {
          Vector<double> wrong = Vector<double>::Constant(batches, kNotANumber);
          wrong[0] = sums_of(0.0)[batches - 1];
          return wrong;
        });

        // The same work as a graph: which of its parts wait for which.
        if (trial.failure().kind != Failure::none) return;
        const lesson07::RecordedOrder order =
            lesson07::order_of_sums(numbers, sums, batches, count, Launch());
        trial.require(order.copies == batches && order.kernels == batches, "parts",
                      {{"copies", std::to_string(order.copies)},
                       {"kernels", std::to_string(order.kernels)},
                       {"batches", std::to_string(batches)}});
        const std::int64_t k = order.waited_for.empty() ? 0 : order.waited_for.front();
        trial.require(order.waited_for.empty(), "not_beside",
                      {{"kernel", std::to_string(k)}, {"copy", std::to_string(k + 1)}});
      }));
}

}  // namespace
}  // namespace andrea
