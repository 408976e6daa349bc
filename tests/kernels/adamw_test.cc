#include "kernels/adamw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lessons/07_full_model/optimiser_reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

// Steps of AdamW, side by side on the device and in the reference of either precision.
void expect_reference(std::int64_t count, std::int64_t decayed, const AdamWOptions& options) {
  SCOPED_TRACE(title_of("count, decayed", {count, decayed}));
  RandomInputs random;
  const std::vector<float> zeros(static_cast<std::size_t>(count));
  GuardedTensor<float> parameters("parameters", {count}, random.numbers(count));
  GuardedTensor<float> first("first moments", {count}, zeros);
  GuardedTensor<float> second("second moments", {count}, zeros);
  const auto start = [&]<typename Scalar>(Scalar) {
    return reference::AdamWState<Scalar>{as_vector<Scalar>(parameters.before()),
                                         as_vector<Scalar>(zeros), as_vector<Scalar>(zeros)};
  };
  auto exact = start(0.0);
  auto rounded = start(0.0f);

  for (int step = 1; step <= 4; ++step) {
    SCOPED_TRACE(step);
    const float clip_scale = step == 2 ? 1 : 0.37f;
    const float learning_rate = 0.01f * static_cast<float>(step);
    StepScalars values;
    values.step = step;
    values.learning_rate = learning_rate;
    values.clip_scale = clip_scale;
    GuardedTensor<const StepScalars> scalars("scalars", {1}, {values});
    GuardedTensor<const float> gradients("gradients", {count}, random.numbers(count, 0.1f));
    const Workspace workspace(0);

    adamw(parameters.data(), gradients.data(), first.data(), second.data(), count, decayed, options,
          scalars.data(), workspace.launch());

    reference::adamw<double>(exact, as_vector<double>(gradients.before()), decayed, options, step,
                             learning_rate, clip_scale);
    reference::adamw<float>(rounded, as_vector<float>(gradients.before()), decayed, options, step,
                            learning_rate, clip_scale);
    EXPECT_TRUE(close(parameters, exact.parameters, rounded.parameters));
    EXPECT_TRUE(close(first, exact.first_moments, rounded.first_moments));
    EXPECT_TRUE(close(second, exact.second_moments, rounded.second_moments));
  }
}

TEST(AdamWTest, FollowsTheReferenceForSeveralSteps) {
  for (const std::int64_t count : {1, 2, 3, 31, 33, 97, 255, 256, 257, 70'001}) {
    for (const std::int64_t decayed : {std::int64_t{0}, count / 2, count}) {
      expect_reference(count, decayed, AdamWOptions());
    }
  }
}

TEST(AdamWTest, OptionsAreUsed) {
  AdamWOptions options;
  options.beta1 = 0.8f;
  options.beta2 = 0.95f;
  options.epsilon = 1e-2f;
  options.weight_decay = 0.7f;
  expect_reference(97, 50, options);
}

TEST(AdamWTest, AFreshZeroWithoutGradientStaysZero) {
  // As the gaps between the tensors of a model must.
  GuardedTensor<float> parameters("parameters", {3}, {0, 0, 0});
  GuardedTensor<float> first("first moments", {3}, {0, 0, 0});
  GuardedTensor<float> second("second moments", {3}, {0, 0, 0});
  GuardedTensor<const float> gradients("gradients", {3}, {0, 0, 0});
  StepScalars values;
  values.learning_rate = 0.1f;
  GuardedTensor<const StepScalars> scalars("scalars", {1}, {values});
  const Workspace workspace(0);
  adamw(parameters.data(), gradients.data(), first.data(), second.data(), 3, 2, AdamWOptions(),
        scalars.data(), workspace.launch());
  EXPECT_EQ(parameters.contents(), std::vector<float>(3));
}

TEST(AdamWTest, AClipScaleThatIsNoNumberTakesAllOrNothing) {
  const auto all_are_nan = [](const std::vector<float>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isnan(x); });
  };
  RandomInputs random;
  for (const std::int64_t count : {3, 97, 2051}) {
    SCOPED_TRACE(count);
    GuardedTensor<float> parameters("parameters", {count}, random.numbers(count));
    GuardedTensor<float> first("first moments", {count}, random.numbers(count));
    GuardedTensor<float> second("second moments", {count},
                                std::vector<float>(static_cast<std::size_t>(count), 0.01f));
    GuardedTensor<const float> gradients("gradients", {count}, random.numbers(count));
    StepScalars values;
    values.learning_rate = 0.1f;
    values.clip_scale = NAN;
    GuardedTensor<const StepScalars> scalars("scalars", {1}, {values});
    const Workspace workspace(0);
    adamw(parameters.data(), gradients.data(), first.data(), second.data(), count, count / 2,
          AdamWOptions(), scalars.data(), workspace.launch());
    const bool nothing = !std::isnan(parameters.contents().front());
    for (const GuardedTensor<float>* tensor : {&parameters, &first, &second}) {
      if (nothing) {
        EXPECT_TRUE(untouched(*tensor, 0, count));
      } else {
        EXPECT_TRUE(all_are_nan(tensor->contents())) << tensor->name();
      }
    }
  }
}

}  // namespace
}  // namespace andrea
