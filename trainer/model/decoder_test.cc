// Built into two programs, one with the cache of keys and values and one that runs the whole model
// for every token (BUILD): what holds of both is that they agree.

#include "trainer/model/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "kernels/transformer.h"
#include "tests/harness/random_inputs.h"
#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"
#include "trainer/model/initial_weights.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

using Floats = std::vector<float>;
using Tokens = std::vector<int>;

// A model, and the logits that the whole of it gives to a stream of tokens.
struct Model {
  explicit Model(const ModelConfig& config)
      : layout(config),
        parameters(std::span<const float>(initial_weights(layout, InitialScale::width, 3))) {}

  // The V logits after the last token.
  Floats whole(const Tokens& tokens) const {
    const ModelConfig& config = layout.config();
    const int T = static_cast<int>(tokens.size()), stride = config.padded_vocabulary();
    const DeviceBuffer<int> device_tokens{std::span<const int>(tokens)};
    DeviceBuffer<float> logits(std::int64_t{T} * stride);
    DeviceBuffer<char> scratch(static_cast<std::int64_t>(transformer_scratch_bytes(config, 1, T)));
    transformer_forward(layout, parameters.data(), device_tokens.data(), logits.data(), nullptr, 1,
                        T, {.scratch = scratch.data(), .scratch_bytes = scratch.bytes()});
    const Floats all = logits.to_host();
    const auto last = all.begin() + std::ptrdiff_t{T - 1} * stride;
    return Floats(last, last + config.vocabulary);
  }

  ParameterLayout layout;
  DeviceBuffer<float> parameters;
};

void expect_close(std::span<const float> actual, const Floats& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  float largest = 0, difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(actual[i] - expected[i]));
  }
  EXPECT_GT(largest, 0.1f);
  EXPECT_LE(difference, 1e-5f * largest);
}

TEST(DecoderTest, EachTokenHasTheLogitsOfTheWholeModel) {
  for (const bool tied : {false, true}) {
    ModelConfig config = test_model();
    config.tied = tied;
    const Model model(config);
    Decoder decoder(model.layout, model.parameters);
    RandomInputs random;
    Tokens history = random.integers(3, config.vocabulary);
    expect_close(decoder.feed(history), model.whole(history));
    while (decoder.room() > 0) {
      SCOPED_TRACE(testing::Message() << "position " << history.size());
      const int next = random.integers(1, config.vocabulary).front();
      history.push_back(next);
      expect_close(decoder.feed({&next, 1}), model.whole(history));
    }
  }
}

TEST(DecoderTest, RoomIsWhatTheContextHasLeft) {
  const Model model(test_model());
  Decoder decoder(model.layout, model.parameters);
  EXPECT_EQ(decoder.room(), 16);
  decoder.feed(Tokens(5, 256));
  EXPECT_EQ(decoder.room(), 11);
  decoder.feed(Tokens(11, 1));
  EXPECT_EQ(decoder.room(), 0);
  decoder.restart();
  EXPECT_EQ(decoder.room(), 16);
}

TEST(DecoderTest, ARestartForgetsAll) {
  const Model model(test_model());
  Decoder decoder(model.layout, model.parameters);
  const auto feed = [&decoder](const Tokens& tokens) {
    const auto logits = decoder.feed(tokens);
    return Floats(logits.begin(), logits.end());
  };
  const Floats expected = feed({256, 7, 8});
  EXPECT_NE(feed({256, 7, 8}), expected);  // as a continuation it is another text
  decoder.restart();
  EXPECT_EQ(feed({256, 7, 8}), expected);
}

TEST(DecoderTest, RefusesWhatTheModelCannotTake) {
  const Model model(test_model());
  Decoder decoder(model.layout, model.parameters);
  const auto refusal = [&decoder](const Tokens& tokens) {
    return message_of<Error>([&] { decoder.feed(tokens); });
  };
  EXPECT_EQ(refusal({1, 260}), "token 260 is outside the model's vocabulary of 260");
  EXPECT_EQ(refusal({-1}), "token -1 is outside the model's vocabulary of 260");
  EXPECT_EQ(refusal(Tokens(17, 1)), "17 tokens do not fit: the context has room for 16");
  EXPECT_NE(refusal({}), "");

  // A refusal leaves the stream as it was.
  EXPECT_EQ(decoder.room(), 16);
  decoder.feed(Tokens(16, 1));
  EXPECT_EQ(refusal({1}), "1 tokens do not fit: the context has room for 0");
}

}  // namespace
}  // namespace andrea
