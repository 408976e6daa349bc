#include "trainer/model/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/close.h"
#include "tests/harness/random_inputs.h"
#include "trainer/model/evaluator.h"
#include "trainer/model/initial_weights.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

using Floats = std::vector<float>;
using Tokens = std::vector<int>;

void initialise(Learner& learner) {
  learner.parameters().upload(initial_weights(learner.layout(), InitialScale::width, 1));
}

double largest(const Floats& numbers) {
  double result = 0;
  for (const float number : numbers) result = std::max<double>(result, std::abs(number));
  return result;
}

double largest_difference(const Floats& a, const Floats& b) {
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    result = std::max<double>(result, std::abs(a[i] - b[i]));
  return result;
}

TEST(LearnerTest, OverfitsOneBatch) {
  ModelConfig config = test_model();
  config.width = 32;
  constexpr int B = 2, T = 16, N = B * T;
  Learner learner(config, B, T);
  initialise(learner);
  RandomInputs random;
  const Tokens tokens = random.integers(N, config.vocabulary);
  const Tokens targets = random.integers(N, config.vocabulary);

  double loss = 0;
  for (std::int64_t step = 1; step <= 150; ++step) {
    learner.begin({.step = step, .learning_rate = 0.02f});
    loss = learner.accumulate(tokens, targets, 1.0f / N, /*first=*/true) / N;
    learner.update({.weight_decay = 0}, /*max_norm=*/1);
  }
  EXPECT_LT(loss, 0.02);
}

TEST(LearnerTest, TwoMicroBatchesEqualOneBatchOfTwiceTheRows) {
  const ModelConfig config = test_model();
  constexpr int B = 3, T = 11, N = B * T;
  RandomInputs random;
  const Tokens tokens = random.integers(2 * N, config.vocabulary);
  // Some are not counted, and not equally many in the two halves.
  Tokens targets = random.integers(2 * N, config.vocabulary);
  std::fill_n(targets.begin() + 2, 7, -1);
  const float scale = 1.0f / (2 * N - 7);

  Learner whole(config, 2 * B, T);
  initialise(whole);
  const double whole_loss = whole.accumulate(tokens, targets, scale, true);

  Learner halves(config, B, T);
  initialise(halves);
  const auto half = [](const Tokens& all, int i) { return std::span(all).subspan(i * N, N); };
  double sum = halves.accumulate(half(tokens, 0), half(targets, 0), scale, true);
  const Floats first_half = halves.gradients().to_host();
  sum += halves.accumulate(half(tokens, 1), half(targets, 1), scale, false);

  EXPECT_NEAR(sum, whole_loss, 1e-5 * whole_loss);
  const Floats gradients = whole.gradients().to_host();
  const double tolerance = 1e-5 * largest(gradients);
  EXPECT_LT(largest_difference(halves.gradients().to_host(), gradients), tolerance);
  EXPECT_GT(largest_difference(first_half, gradients), 1e3 * tolerance);

  // Adam divides by the gradient's size; an epsilon well above the rounding keeps the quotient of
  // the smallest ones meaningful.
  const AdamWOptions options{.epsilon = static_cast<float>(100 * tolerance)};
  const StepScalars scalars{.step = 1, .learning_rate = 0.01f};
  const Floats before = whole.parameters().to_host();
  whole.begin(scalars);
  halves.begin(scalars);
  const double whole_norm = whole.update(options, 0.5f);
  EXPECT_NEAR(halves.update(options, 0.5f), whole_norm, 1e-5 * whole_norm);
  const Floats after = whole.parameters().to_host();
  EXPECT_GT(largest_difference(before, after), 0.005);
  EXPECT_LT(largest_difference(halves.parameters().to_host(), after), 3e-4);
}

TEST(LearnerTest, AStepThatIsEnqueuedIsTheStepByHand) {
  const ModelConfig config = test_model();
  constexpr int B = 2, T = 7, N = B * T, kMicroBatches = 3;
  constexpr float kScale = 1.0f / (kMicroBatches * N);
  Learner by_hand(config, B, T);
  Learner enqueued(config, B, T, kMicroBatches);
  initialise(by_hand);
  initialise(enqueued);
  RandomInputs random;
  const auto batch = [&] { return random.integers(N, config.vocabulary); };
  // Each is staged while the step before it is under way, as in training.
  const auto stage = [&](std::vector<std::pair<Tokens, Tokens>>& batches) {
    batches.clear();
    for (int micro = 0; micro < kMicroBatches; ++micro) {
      batches.emplace_back(batch(), batch());
      enqueued.stage(micro, batches.back().first, batches.back().second);
    }
  };
  std::vector<std::pair<Tokens, Tokens>> batches;
  stage(batches);
  const StepPlan plan{.gradient_scale = kScale, .max_norm = 0.5f};
  for (std::int64_t step = 1; step <= 3; ++step) {
    const StepScalars scalars{.step = step, .learning_rate = 0.01f};
    by_hand.begin(scalars);
    double loss = 0;
    for (int micro = 0; micro < kMicroBatches; ++micro) {
      const auto& [tokens, targets] = batches[static_cast<std::size_t>(micro)];
      loss += by_hand.accumulate(tokens, targets, kScale, micro == 0);
    }
    const double norm = by_hand.update(plan.adamw, plan.max_norm);

    enqueued.begin(scalars);
    enqueued.enqueue_step(plan);
    stage(batches);
    const StepOutcome outcome = enqueued.outcome();
    EXPECT_EQ(outcome.loss, loss) << "step " << step;
    EXPECT_EQ(outcome.gradient_norm, norm) << "step " << step;
  }
  EXPECT_TRUE(bits_equal(enqueued.parameters().to_host(), by_hand.parameters().to_host()));
}

TEST(LearnerTest, TheFirstMicroBatchReplacesWhatWasThere) {
  const ModelConfig config = test_model();
  constexpr int B = 2, T = 5, N = B * T;
  RandomInputs random;
  const Tokens tokens = random.integers(N, config.vocabulary);
  const Tokens targets = random.integers(N, config.vocabulary);
  Learner once(config, B, T), twice(config, B, T);
  initialise(once);
  initialise(twice);
  once.accumulate(tokens, targets, 1, true);
  // The earlier batch has tokens and a scale of its own: nothing of it may be left.
  twice.accumulate(random.integers(N, config.vocabulary), targets, 3, true);
  twice.accumulate(tokens, targets, 1, true);
  EXPECT_TRUE(bits_equal(twice.gradients().to_host(), once.gradients().to_host()));
}

TEST(LearnerTest, LossOfAnUntrainedModelIsThatOfGuessing) {
  for (const bool tied : {false, true}) {
    SCOPED_TRACE(tied ? "tied" : "untied");
    ModelConfig config = test_model();
    config.tied = tied;
    constexpr int B = 8, T = 16, N = B * T;
    Learner learner(config, B, T);
    learner.parameters().upload(initial_weights(learner.layout(), InitialScale::gpt2, 1));
    RandomInputs random;
    const double loss = learner.accumulate(random.integers(N, config.vocabulary),
                                           random.integers(N, config.vocabulary), 1.0f, true) /
                        N;
    EXPECT_NEAR(loss, std::log(config.vocabulary), 0.1);
  }
}

TEST(LearnerTest, UncountedTargetsHaveNoLoss) {
  const ModelConfig config = test_model();
  Learner learner(config, 1, 4);
  initialise(learner);
  EXPECT_EQ(learner.accumulate(Tokens(4, 256), Tokens(4, -1), 1, true), 0);
  EXPECT_EQ(largest(learner.gradients().to_host()), 0);
}

TEST(LearnerTest, NamesTheFirstTensorThatIsNotFinite) {
  const ModelConfig config = test_model();
  Learner learner(config, 1, 4);
  initialise(learner);
  learner.accumulate({{1, 2, 3, 4}}, {{2, 3, 4, 5}}, 1, true);
  EXPECT_EQ(learner.first_non_finite_tensor(), "");

  const Floats sound = learner.parameters().to_host();
  for (const ParameterTensor& tensor : learner.layout().tensors()) {
    for (const float fault : {kNaN, kInfinity, -kInfinity}) {
      Floats damaged = sound;
      damaged[static_cast<std::size_t>(tensor.offset + tensor.count() - 1)] = fault;
      learner.parameters().upload(damaged);
      EXPECT_EQ(learner.first_non_finite_tensor(), tensor.name) << fault;
    }
  }

  Floats twice = sound;
  const auto& tensors = learner.layout().tensors();
  twice[static_cast<std::size_t>(tensors[4].offset)] = kInfinity;
  twice[static_cast<std::size_t>(tensors[2].offset)] = kNaN;
  learner.parameters().upload(twice);
  EXPECT_EQ(learner.first_non_finite_tensor(), tensors[2].name);
}

TEST(LearnerTest, NamesAGradientWhenTheParametersAreFinite) {
  Learner learner(test_model(), 1, 4);
  initialise(learner);
  learner.accumulate({{1, 2, 3, 4}}, {{2, 3, 4, 5}}, kInfinity, true);
  EXPECT_EQ(learner.first_non_finite_tensor(), "the gradient of transformer.wte.weight");
}

TEST(LearnerTest, AGradientThatIsNotFiniteChangesNothing) {
  Learner learner(test_model(), 1, 4);
  initialise(learner);
  const Tokens tokens = {1, 2, 3, 4}, targets = {2, 3, 4, 5};
  learner.begin({.step = 1, .learning_rate = 0.01f});
  learner.accumulate(tokens, targets, 1, true);
  learner.update({}, 1);  // moments that are not zero
  const Floats parameters = learner.parameters().to_host();
  const Floats first = learner.first_moments().to_host();
  const Floats second = learner.second_moments().to_host();

  learner.begin({.step = 2, .learning_rate = 0.01f});
  learner.accumulate(tokens, targets, kInfinity, true);
  EXPECT_FALSE(std::isfinite(learner.update({}, 1)));
  EXPECT_TRUE(bits_equal(learner.parameters().to_host(), parameters));
  EXPECT_TRUE(bits_equal(learner.first_moments().to_host(), first));
  EXPECT_TRUE(bits_equal(learner.second_moments().to_host(), second));

  // And a sound step goes on from there.
  learner.accumulate(tokens, targets, 1, true);
  EXPECT_TRUE(std::isfinite(learner.update({}, 1)));
  EXPECT_GT(largest_difference(learner.parameters().to_host(), parameters), 0);
}

TEST(LearnerTest, PaddingStaysZero) {
  const ModelConfig config = test_model();
  Learner learner(config, 2, 8);
  initialise(learner);
  RandomInputs random;
  for (std::int64_t step = 1; step <= 3; ++step) {
    learner.begin({.step = step, .learning_rate = 0.01f});
    learner.accumulate(random.integers(16, config.vocabulary),
                       random.integers(16, config.vocabulary), 1, true);
    learner.update({}, 1);
  }
  for (const DeviceBuffer<float>* buffer :
       {&learner.parameters(), &learner.first_moments(), &learner.second_moments()}) {
    Floats flat = buffer->to_host();
    for (const ParameterTensor& tensor : learner.layout().tensors()) {
      std::fill_n(flat.begin() + tensor.offset, tensor.count(), 0.0f);
    }
    EXPECT_EQ(largest(flat), 0);
  }
}

TEST(LearnerTest, MemoryThatIsNotThereIsThrown) {
  EXPECT_THROW(DeviceBuffer<float>(std::int64_t{1} << 50), std::bad_alloc);
  const DeviceBuffer<float> small(3);  // and that is all: the next call is sound
  EXPECT_EQ(small.to_host(), Floats(3));
}

TEST(EvaluatorTest, HasTheLossesOfTheLearner) {
  const ModelConfig config = test_model();
  constexpr int B = 3, T = 9, N = B * T;
  Learner learner(config, B, T);
  initialise(learner);
  RandomInputs random;
  const Tokens tokens = random.integers(N, config.vocabulary);
  Tokens targets = random.integers(N, config.vocabulary);
  targets[4] = -1;
  const double expected = learner.accumulate(tokens, targets, 1, true);

  Evaluator evaluator(learner.layout(), learner.parameters(), B, T);
  EXPECT_NEAR(evaluator.loss(tokens, targets), expected, 1e-5 * expected);

  // Row by row, the sum is the same.
  Evaluator rows(learner.layout(), learner.parameters(), 1, T);
  double sum = 0;
  for (int row = 0; row < B; ++row) {
    sum += rows.loss(std::span(tokens).subspan(row * T, T), std::span(targets).subspan(row * T, T));
  }
  EXPECT_NEAR(sum, expected, 1e-5 * expected);
}

}  // namespace
}  // namespace andrea
