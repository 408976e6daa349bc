// The loss of ANDREA-120M before its first step: ln 8449 = 9.04 for an even guess, and what the
// spread of the first logits adds to it.

#include <gtest/gtest.h>

#include <vector>

#include "trainer/base/random.h"
#include "trainer/model/evaluator.h"
#include "trainer/model/initial_weights.h"
#include "trainer/model/preset.h"

namespace andrea {
namespace {

double start_loss(bool tied) {
  ModelConfig config = find_preset("120m").model;
  config.tied = tied;
  const int T = config.context;
  const ParameterLayout layout(config);
  const DeviceBuffer<float> parameters(
      std::span<const float>(initial_weights(layout, InitialScale::gpt2, 1)));
  Random random(1);
  std::vector<int> text(static_cast<std::size_t>(T) + 1);
  for (int& token : text) token = static_cast<int>(random.below(8449));
  Evaluator evaluator(layout, parameters, 1, T);
  return evaluator.loss(std::span(text).first(T), std::span(text).last(T)) / T;
}

TEST(StartLossTest, Untied) { EXPECT_NEAR(start_loss(false), 9.20, 0.1); }

TEST(StartLossTest, Tied) { EXPECT_NEAR(start_loss(true), 9.10, 0.1); }

}  // namespace
}  // namespace andrea
