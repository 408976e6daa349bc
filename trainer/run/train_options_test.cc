#include "trainer/run/train_options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

using Change = std::function<void(TrainOptions&)>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TrainOptions sound_options() {
  TrainOptions options;
  options.model = test_model();
  options.steps = 3000;
  options.learning_rate = 1e-3;
  return options;
}

TEST(TrainOptionsTest, ZeroIsAFractionOfTheRun) {
  TrainOptions options = sound_options();
  settle(options);
  EXPECT_EQ(options.validate_every, 150);
  EXPECT_EQ(options.sample_every, 375);
  EXPECT_EQ(options.checkpoint_every, 300);

  options = sound_options();
  options.steps = 3;  // the last step is shown anyhow
  settle(options);
  EXPECT_EQ(options.validate_every, 10);
  EXPECT_EQ(options.sample_every, 25);
  EXPECT_EQ(options.checkpoint_every, 1);

  options = sound_options();
  options.steps = 1'000'000;  // and not too seldom
  settle(options);
  EXPECT_EQ(options.validate_every, 1000);
  EXPECT_EQ(options.sample_every, 2000);
  EXPECT_EQ(options.checkpoint_every, 500);
}

TEST(TrainOptionsTest, WhatIsGivenStays) {
  TrainOptions options = sound_options();
  options.validate_every = 7;
  options.sample_every = 1'000'000;
  options.checkpoint_every = 9;
  settle(options);
  EXPECT_EQ(options.validate_every, 7);
  EXPECT_EQ(options.sample_every, 1'000'000);
  EXPECT_EQ(options.checkpoint_every, 9);
  TrainOptions again = options;
  settle(again);
  EXPECT_EQ(again.validate_every, 7);
}

TEST(TrainOptionsTest, EdgesAreAccepted) {
  const Change edges[] = {
      [](TrainOptions& o) { o.warmup = 0; },
      [](TrainOptions& o) { o.warmup = 1'000'000; },
      [](TrainOptions& o) { o.final_learning_rate = 0; },
      [](TrainOptions& o) { o.final_learning_rate = 1; },
      [](TrainOptions& o) { o.adamw.beta1 = o.adamw.beta2 = 0; },
      [](TrainOptions& o) { o.adamw.weight_decay = 0; },
      [](TrainOptions& o) { o.clip = 0; },
      [](TrainOptions& o) { o.keep = 0; },
      [](TrainOptions& o) { o.seed = ~0ull; },
  };
  int number = 0;
  for (const Change& change : edges) {
    TrainOptions options = sound_options();
    change(options);
    EXPECT_NO_THROW(settle(options)) << number;
    ++number;
  }
}

TEST(TrainOptionsTest, EachAbsurdValueIsRefusedByItsFlag) {
  std::vector<std::pair<std::string, Change>> changes = {
      {"--layers", [](TrainOptions& o) { o.model.layers = -1; }},
      {"--heads", [](TrainOptions& o) { o.model.heads = 0; }},
      {"--width", [](TrainOptions& o) { o.model.width = 21; }},
      {"--context", [](TrainOptions& o) { o.model.context = 0; }},
      {"--vocabulary", [](TrainOptions& o) { o.model.vocabulary = 65537; }},
      {"--mlp-width", [](TrainOptions& o) { o.model.mlp_width = -4; }},
      {"--batch", [](TrainOptions& o) { o.batch = 0; }},
      {"--batch", [](TrainOptions& o) { o.batch = -1; }},
      {"--batch", [](TrainOptions& o) { o.batch = 2147483647; }},
      {"--accumulate", [](TrainOptions& o) { o.accumulate = 0; }},
      {"--steps", [](TrainOptions& o) { o.steps = 0; }},
      {"--steps", [](TrainOptions& o) { o.steps = -5; }},
      {"--warmup", [](TrainOptions& o) { o.warmup = -1; }},
      {"--stories", [](TrainOptions& o) { o.data.stories = 1; }},
      {"--validate-every", [](TrainOptions& o) { o.validate_every = -1; }},
      {"--validation-rows", [](TrainOptions& o) { o.validation_rows = 0; }},
      {"--sample-every", [](TrainOptions& o) { o.sample_every = -1; }},
      {"--checkpoint-every", [](TrainOptions& o) { o.checkpoint_every = -1; }},
      {"--keep", [](TrainOptions& o) { o.keep = -1; }},
  };
  for (const double value : {kNaN, kInfinity, -kInfinity, -1.0}) {
    const auto narrow = static_cast<float>(value);
    changes.insert(
        changes.end(),
        {{"--learning-rate", [=](TrainOptions& o) { o.learning_rate = value; }},
         {"--final-learning-rate", [=](TrainOptions& o) { o.final_learning_rate = value; }},
         {"--beta1", [=](TrainOptions& o) { o.adamw.beta1 = narrow; }},
         {"--beta2", [=](TrainOptions& o) { o.adamw.beta2 = narrow; }},
         {"--epsilon", [=](TrainOptions& o) { o.adamw.epsilon = narrow; }},
         {"--weight-decay", [=](TrainOptions& o) { o.adamw.weight_decay = narrow; }},
         {"--clip", [=](TrainOptions& o) { o.clip = value; }},
         {"--validation-fraction", [=](TrainOptions& o) { o.data.validation_fraction = value; }}});
  }
  changes.insert(
      changes.end(),
      {{"--learning-rate", [](TrainOptions& o) { o.learning_rate = 0; }},
       {"--beta1", [](TrainOptions& o) { o.adamw.beta1 = 1; }},
       {"--beta2", [](TrainOptions& o) { o.adamw.beta2 = 1; }},
       {"--epsilon", [](TrainOptions& o) { o.adamw.epsilon = 0; }},
       {"--validation-fraction", [](TrainOptions& o) { o.data.validation_fraction = 0; }},
       {"--validation-fraction", [](TrainOptions& o) { o.data.validation_fraction = 1; }}});
  int number = 0;
  for (const auto& [flag, change] : changes) {
    TrainOptions options = sound_options();
    change(options);
    const std::string message = message_of<Error>([&] { settle(options); });
    EXPECT_TRUE(message.starts_with(flag + " "))
        << "change " << number << ", " << flag << ": '" << message << "'";
    ++number;
  }
}

}  // namespace
}  // namespace andrea
