#include "kernels/global_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "lessons/07_full_model/optimiser_reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

StepScalars norm_of(const std::vector<float>& numbers, float max_norm) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  StepScalars before;
  before.step = 12;
  before.seed = 34;
  before.learning_rate = 0.5f;
  before.gradient_norm = before.clip_scale = std::numeric_limits<float>::quiet_NaN();
  GuardedTensor<const float> gradients("gradients", {count}, numbers);
  GuardedTensor<StepScalars> scalars("scalars", {1}, {before});
  const Workspace workspace(global_norm_scratch_bytes(count));
  global_norm(gradients.data(), count, max_norm, scalars.data(), workspace.launch());

  const StepScalars after = scalars.contents()[0];
  EXPECT_EQ(after.step, 12) << "not to be written";
  EXPECT_EQ(after.seed, 34u) << "not to be written";
  EXPECT_EQ(after.learning_rate, 0.5f) << "not to be written";
  return after;
}

TEST(GlobalNormTest, FollowsTheReference) {
  RandomInputs random;
  for (const std::int64_t count : {1, 2, 3, 31, 33, 97, 255, 256, 257, 65'535, 65'537, 300'003}) {
    const std::vector<float> numbers = random.numbers(count, 3);
    for (const float max_norm : {0.0f, 1e-3f, 1.0f, 1e6f}) {
      SCOPED_TRACE(title_of("count", {count}) + " max_norm " + std::to_string(max_norm));
      const auto expected = [&]<typename Scalar>(Scalar) {
        const auto [norm, scale] =
            reference::global_norm(as_vector<Scalar>(numbers), static_cast<Scalar>(max_norm));
        return std::vector<Scalar>{norm, scale};
      };
      const StepScalars scalars = norm_of(numbers, max_norm);
      EXPECT_TRUE(close("norm, scale", {2},
                        std::vector<float>{scalars.gradient_norm, scalars.clip_scale},
                        expected(0.0), expected(0.0f)));
      // The norm may be a thousand times the scale, which therefore is compared on its own.
      EXPECT_TRUE(close("scale", {1}, std::vector<float>{scalars.clip_scale},
                        std::vector<double>{expected(0.0)[1]},
                        std::vector<float>{expected(0.0f)[1]}));
    }
  }
}

TEST(GlobalNormTest, ClipsOnlyWhatIsLonger) {
  EXPECT_EQ(norm_of({3, -4}, 5).clip_scale, 1);
  EXPECT_EQ(norm_of({3, -4}, 5).gradient_norm, 5);
  EXPECT_FLOAT_EQ(norm_of({3, -4}, 1).clip_scale, 0.2f);
  EXPECT_EQ(norm_of({3, -4}, 0).clip_scale, 1) << "0 switches clipping off";
  EXPECT_EQ(norm_of({0, 0}, 1).clip_scale, 1);
  EXPECT_EQ(norm_of({0, 0}, 0).clip_scale, 1);
}

TEST(GlobalNormTest, WhatIsNotFiniteShows) {
  RandomInputs random;
  std::vector<float> numbers = random.numbers(70'001);
  for (const std::size_t place : {std::size_t{0}, std::size_t{65'536}, numbers.size() - 1}) {
    const float kept = numbers[place];
    for (const float max_norm : {0.0f, 1.0f}) {
      numbers[place] = NAN;
      EXPECT_TRUE(std::isnan(norm_of(numbers, max_norm).gradient_norm)) << place;
      EXPECT_TRUE(std::isnan(norm_of(numbers, max_norm).clip_scale)) << place;
      numbers[place] = -INFINITY;
      EXPECT_FALSE(std::isfinite(norm_of(numbers, max_norm).gradient_norm)) << place;
      EXPECT_TRUE(std::isnan(norm_of(numbers, max_norm).clip_scale)) << place;
    }
    numbers[place] = kept;
  }
}

}  // namespace
}  // namespace andrea
