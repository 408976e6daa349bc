#include "trainer/sample/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/harness/random_inputs.h"
#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

using Floats = std::vector<float>;
using Frequencies = std::vector<double>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// How often each token is chosen, as fractions of many choices.
Frequencies frequencies_of(const SamplingOptions& options, const Floats& logits) {
  constexpr int kChoices = 100'000;
  Sampler sampler(options);
  Frequencies frequencies(logits.size());
  for (int i = 0; i < kChoices; ++i) {
    frequencies.at(static_cast<std::size_t>(sampler.choose(logits))) += 1.0 / kChoices;
  }
  return frequencies;
}

// Five standard errors of a frequency near a half.
constexpr double kTolerance = 0.008;

void expect_near(const Frequencies& actual, const Frequencies& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] == 0) {
      EXPECT_EQ(actual[i], 0) << "token " << i;
    } else {
      EXPECT_NEAR(actual[i], expected[i], kTolerance) << "token " << i;
    }
  }
}

// Logits of the probabilities 0.5, 0.1, 0.3, 0.1, raised by what softmax takes away again.
const Floats kLogits = {std::log(0.5f) + 40, std::log(0.1f) + 40, std::log(0.3f) + 40,
                        std::log(0.1f) + 40};

TEST(SamplerTest, ChoosesByTheSoftmaxOfTheLogits) {
  expect_near(frequencies_of({.temperature = 1}, kLogits), {0.5, 0.1, 0.3, 0.1});
}

TEST(SamplerTest, TemperatureIsAnExponent) {
  // Squares of the probabilities, made to sum to 1; and square roots.
  expect_near(frequencies_of({.temperature = 0.5}, kLogits),
              {0.25 / 0.36, 0.01 / 0.36, 0.09 / 0.36, 0.01 / 0.36});
  const double sum = std::sqrt(0.5) + std::sqrt(0.3) + 2 * std::sqrt(0.1);
  expect_near(
      frequencies_of({.temperature = 2}, kLogits),
      {std::sqrt(0.5) / sum, std::sqrt(0.1) / sum, std::sqrt(0.3) / sum, std::sqrt(0.1) / sum});
}

TEST(SamplerTest, TopKLeavesTheLikeliest) {
  expect_near(frequencies_of({.temperature = 1, .top_k = 2}, kLogits), {0.625, 0, 0.375, 0});
  // Of equals the lower id stays.
  expect_near(frequencies_of({.temperature = 1, .top_k = 3}, kLogits),
              {0.5 / 0.9, 0.1 / 0.9, 0.3 / 0.9, 0});
  expect_near(frequencies_of({.temperature = 1, .top_k = 1000}, kLogits), {0.5, 0.1, 0.3, 0.1});
}

TEST(SamplerTest, TopPLeavesTheLikeliestThatReachIt) {
  expect_near(frequencies_of({.temperature = 1, .top_p = 0.45}, kLogits), {1, 0, 0, 0});
  expect_near(frequencies_of({.temperature = 1, .top_p = 0.55}, kLogits), {0.625, 0, 0.375, 0});
  expect_near(frequencies_of({.temperature = 1, .top_p = 0.85}, kLogits),
              {0.5 / 0.9, 0.1 / 0.9, 0.3 / 0.9, 0});
  // The temperature comes first: at 0.5 the likeliest has 0.694.
  expect_near(frequencies_of({.temperature = 0.5, .top_p = 0.65}, kLogits), {1, 0, 0, 0});
  // Then top-k: of the two that it leaves the likeliest has 0.625.
  expect_near(frequencies_of({.temperature = 1, .top_k = 2, .top_p = 0.6}, kLogits), {1, 0, 0, 0});
}

TEST(SamplerTest, TemperatureZeroTakesTheLikeliestAndTheLowestOfEquals) {
  Sampler sampler({.temperature = 0});
  EXPECT_EQ(sampler.choose(Floats{1, 3, 2}), 1);
  EXPECT_EQ(sampler.choose(Floats{1, 3, 2, 3}), 1);
  EXPECT_EQ(sampler.choose(Floats{0, 0, 0}), 0);
  EXPECT_EQ(sampler.choose(Floats{-kInfinity, -5, -kInfinity}), 1);
}

// Three ways to say the same, over random logits with many equals among them.
TEST(SamplerTest, TopKOfOneAndTinyTopPAreTemperatureZero) {
  RandomInputs random;
  Sampler greedy({.temperature = 0});
  Sampler one({.temperature = 1.5, .top_k = 1});
  Sampler tiny({.temperature = 1.5, .top_p = 1e-9});
  Sampler cold({.temperature = 1e-300, .top_k = 1});
  for (int i = 0; i < 300; ++i) {
    Floats logits = random.numbers(100, 3);
    if (i % 2 == 0) std::transform(logits.begin(), logits.end(), logits.begin(), roundf);
    const int expected = greedy.choose(logits);
    EXPECT_EQ(one.choose(logits), expected);
    EXPECT_EQ(tiny.choose(logits), expected);
    EXPECT_EQ(cold.choose(logits), expected);
  }
}

TEST(SamplerTest, ChoicesAreAFunctionOfSeedAndStream) {
  const Floats even(50, 0.0f);
  const auto choices = [&even](std::uint64_t seed, std::uint64_t stream) {
    Sampler sampler({.seed = seed}, stream);
    std::vector<int> chosen;
    for (int i = 0; i < 20; ++i) chosen.push_back(sampler.choose(even));
    return chosen;
  };
  EXPECT_EQ(choices(1, 0), choices(1, 0));
  EXPECT_NE(choices(1, 0), choices(2, 0));
  EXPECT_NE(choices(1, 0), choices(1, 1));
}

TEST(SamplerTest, WhatCannotBeIsNeverChosen) {
  expect_near(frequencies_of({.temperature = 1}, {0, -kInfinity, 0, -200}), {0.5, 0, 0.5, 0});
}

TEST(SamplerTest, LogitsThatAreNoNumbersAreAnError) {
  for (const double temperature : {0.0, 1.0}) {
    Sampler sampler({.temperature = temperature});
    EXPECT_EQ(message_of<Error>([&] {
                sampler.choose(Floats{1, kNaN, 2});
              }),
              "the model's logits are not numbers: its weights are damaged");
    EXPECT_NE(message_of<Error>([&] {
                sampler.choose(Floats{1, kInfinity, kInfinity});
              }),
              "")
        << "temperature " << temperature;
  }
}

TEST(SamplerTest, RefusesOptionsThatCannotBeMeant) {
  const auto refusal = [](const SamplingOptions& options) {
    return message_of<Error>([&] { check_sampling(options); });
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({.temperature = -1}), "--temperature is -1; it must be 0 or more");
  EXPECT_NE(refusal({.temperature = std::nan("")}), "");
  EXPECT_NE(refusal({.temperature = HUGE_VAL}), "");
  EXPECT_EQ(refusal({.top_k = -1}), "--top-k is -1; it must be 0 (all) or more");
  for (const double top_p : {0.0, -0.5, 1.5, std::nan(""), HUGE_VAL}) {
    EXPECT_NE(refusal({.top_p = top_p}), "") << top_p;
  }
}

}  // namespace
}  // namespace andrea
