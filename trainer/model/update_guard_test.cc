// For sets whose adamw looks at the gradient's norm itself: a step that is enqueued whole, and
// whose norm is not finite, leaves everything as it was.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/harness/close.h"
#include "tests/harness/random_inputs.h"
#include "trainer/model/initial_weights.h"
#include "trainer/model/learner.h"
#include "trainer/model/step_graph.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

using Floats = std::vector<float>;

TEST(UpdateGuardTest, ANormThatIsNotFiniteChangesNothing) {
  constexpr int kB = 2, kT = 8;
  for (const float max_norm : {0.0f, 1.0f}) {
    SCOPED_TRACE(max_norm);
    Learner learner(test_model(), kB, kT);
    StepGraph graph(learner);
    learner.parameters().upload(initial_weights(learner.layout(), InitialScale::width, 1));
    RandomInputs random;
    const auto step = [&](std::int64_t number, float gradient_scale) {
      learner.stage(0, random.integers(kB * kT, learner.layout().config().vocabulary),
                    random.integers(kB * kT, learner.layout().config().vocabulary));
      learner.begin({.step = number, .learning_rate = 0.01f});
      graph.enqueue(
          {.gradient_scale = gradient_scale, .max_norm = max_norm, .look_at_norm = false});
      return learner.outcome().gradient_norm;
    };
    EXPECT_TRUE(std::isfinite(step(1, 1)));
    const Floats parameters = learner.parameters().to_host();
    const Floats first = learner.first_moments().to_host();
    const Floats second = learner.second_moments().to_host();
    // Once called, once by a graph.
    for (const std::int64_t number : {2, 3}) {
      EXPECT_FALSE(std::isfinite(step(number, std::numeric_limits<float>::infinity())));
      EXPECT_TRUE(bits_equal(learner.parameters().to_host(), parameters));
      EXPECT_TRUE(bits_equal(learner.first_moments().to_host(), first));
      EXPECT_TRUE(bits_equal(learner.second_moments().to_host(), second));
    }
    EXPECT_TRUE(std::isfinite(step(2, 1)));
    EXPECT_FALSE(bits_equal(learner.parameters().to_host(), parameters));
  }
}

}  // namespace
}  // namespace andrea
