#include "trainer/model/step_graph.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "kernels/training_pass.h"
#include "tests/harness/close.h"
#include "tests/harness/random_inputs.h"
#include "trainer/model/initial_weights.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

constexpr int kB = 2;
constexpr int kT = 16;
constexpr int kMicroBatches = 2;
constexpr int kTokens = kB * kT * kMicroBatches;
constexpr StepPlan kPlan{
    .gradient_scale = 1.0f / kTokens, .max_norm = 0.5f, .adamw = {}, .look_at_norm = false};

// The test model, of sizes that tensor cores take.
ModelConfig model(Precision precision) {
  ModelConfig config = test_model();
  config.width = 32;
  config.mlp_width = 64;
  config.precision = precision;
  return config;
}

struct Trained {
  std::vector<StepOutcome> outcomes;
  std::vector<float> parameters;
};

// Ten steps; the plan changes before the seventh, which a graph must notice.
Trained trained(Precision precision, bool by_graph, RandomInputs random) {
  Learner learner(model(precision), kB, kT, kMicroBatches);
  StepGraph graph(learner);
  learner.parameters().upload(initial_weights(learner.layout(), InitialScale::width, 1));
  Trained result;
  for (std::int64_t step = 1; step <= 10; ++step) {
    for (int micro = 0; micro < kMicroBatches; ++micro) {
      const std::vector<int> tokens =
          random.integers(kB * kT, learner.layout().config().vocabulary);
      const std::vector<int> targets =
          random.integers(kB * kT, learner.layout().config().vocabulary);
      learner.stage(micro, tokens, targets);
    }
    StepPlan plan = kPlan;
    if (step >= 7) plan.gradient_scale *= 2;
    learner.begin({.step = step, .seed = 3, .learning_rate = 0.01f});
    if (by_graph) {
      graph.enqueue(plan);
    } else {
      learner.enqueue_step(plan);
    }
    result.outcomes.push_back(learner.outcome());
  }
  result.parameters = learner.parameters().to_host();
  return result;
}

TEST(StepGraphTest, HasTheBitsOfPlainSteps) {
  for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
    if (!training_pass_supports(model(precision)).empty()) {
      EXPECT_NE(precision, Precision::fp32);
      continue;
    }
    const RandomInputs random;
    const Trained plain = trained(precision, false, random);
    const Trained recorded = trained(precision, true, random);
    for (std::size_t i = 0; i < plain.outcomes.size(); ++i) {
      EXPECT_EQ(recorded.outcomes[i].loss, plain.outcomes[i].loss) << "step " << i + 1;
      EXPECT_EQ(recorded.outcomes[i].gradient_norm, plain.outcomes[i].gradient_norm);
    }
    EXPECT_TRUE(bits_equal(recorded.parameters, plain.parameters));
    // The losses are not all one number, as they would be if no step were taken.
    EXPECT_NE(plain.outcomes[0].loss, plain.outcomes[1].loss);
  }
}

}  // namespace
}  // namespace andrea
