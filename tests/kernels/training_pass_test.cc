#include "kernels/training_pass.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/model_inputs.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"
#include "tests/kernels/model_cases.h"

namespace andrea {
namespace {

struct Size {
  int B, T;
};

constexpr Size kSizes[] = {{1, 1}, {2, 33}, {1, 97}};

void expect_reference(const ModelConfig& config, int B, int T, Accumulate accumulate) {
  RandomInputs random;
  const ParameterLayout layout(config);
  const int N = B * T, V = config.vocabulary;
  const float gradient_scale = 1.0f / static_cast<float>(N);
  GuardedTensor<const float> parameters("parameters", {layout.size()},
                                        random_parameters(layout, random));
  const std::vector<int> token_values = random.integers(N, V, V - 5);
  std::vector<int> target_values = random.integers(N, V);
  if (N > 2) target_values[1] = -1;
  GuardedTensor<const int> tokens("tokens", {B, T}, token_values);
  GuardedTensor<const int> targets("targets", {B, T}, target_values);
  GuardedTensor<float> losses("losses", {B, T});
  auto gradients = model_gradients(layout, accumulate, random);
  StepScalars step_values;
  step_values.seed = 7;
  GuardedTensor<const StepScalars> scalars("scalars", {1}, {step_values});
  const Workspace workspace(training_pass_bytes(config, B, T).total());

  training_pass(layout, parameters.data(), tokens.data(), targets.data(), losses.data(),
                gradients.data(), scalars.data(), gradient_scale, B, T, accumulate,
                workspace.launch());

  const auto logits = [&]<typename Scalar>(Scalar) {
    return reference::transformer_forward(layout, as_vector<Scalar>(parameters.before()),
                                          token_values, B, T);
  };
  const auto losses_of = [&]<typename Scalar>(Scalar scalar) {
    return reference::cross_entropy_forward(logits(scalar), target_values);
  };
  const auto gradients_of = [&]<typename Scalar>(Scalar scalar) {
    return reference::transformer_backward(
        layout, as_vector<Scalar>(parameters.before()), token_values,
        reference::cross_entropy_backward(logits(scalar), target_values,
                                          static_cast<Scalar>(gradient_scale)),
        B, T);
  };
  const auto exact = losses_of(0.0);
  EXPECT_TRUE(close(losses, exact, losses_of(0.0f), kRoundings * exact.cwiseAbs().maxCoeff()));
  expect_gradients_close(layout, gradients, accumulate, gradients_of(0.0), gradients_of(0.0f));
}

TEST(TrainingPassTest, SupportsAndreaItself) {
  EXPECT_EQ(training_pass_supports(ModelConfig()), "");
}

TEST(TrainingPassTest, FollowsTheReference) {
  for (const auto& [name, config] : model_cases()) {
    if (!training_pass_supports(config).empty()) continue;
    for (const auto [B, T] : kSizes) {
      for (const Accumulate accumulate : kBothWays) {
        SCOPED_TRACE(name + title_of(": B, T, add", {B, T, accumulate == Accumulate::add}));
        expect_reference(config, B, T, accumulate);
      }
    }
  }
}

}  // namespace
}  // namespace andrea
