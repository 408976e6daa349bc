#include "lessons/07_full_model/logit_lens.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/transformer.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

using Floats = std::vector<float>;

// No multiples of what memory rounds sizes up to.
ModelConfig small_model() {
  ModelConfig config;
  config.layers = 3;
  config.heads = 2;
  config.width = 20;
  config.mlp_width = 36;
  config.vocabulary = 60;
  config.context = 9;
  return config;
}

class LogitLensTest : public testing::Test {
 protected:
  LogitLensTest() : layout_(small_model()), parameters_(layout_.size()), tokens_(text(9)) {
    Floats flat(static_cast<std::size_t>(layout_.size()));
    for (const ParameterTensor& tensor : layout_.tensors()) {
      const Floats numbers = random_.numbers(tensor.count(), 0.5f);
      std::copy(numbers.begin(), numbers.end(), flat.begin() + tensor.offset);
    }
    parameters_.upload(flat);
  }

  std::vector<int> text(int length) {
    return random_.integers(length, layout_.config().vocabulary);
  }

  // The logits of a model that is the first `blocks` blocks of this one, embedding, last norm and
  // output table; where `idle`, blocks add nothing to the stream.
  Floats model_of(int blocks, bool idle) const {
    ModelConfig config = layout_.config();
    config.layers = blocks;
    const ParameterLayout cut(config);
    const Floats all = parameters_.to_host();
    std::map<std::string, std::int64_t> offsets;
    for (const ParameterTensor& tensor : layout_.tensors()) offsets[tensor.name] = tensor.offset;
    Floats flat(static_cast<std::size_t>(cut.size()));
    for (const ParameterTensor& tensor : cut.tensors()) {
      if (idle && tensor.name.find("c_proj") != std::string::npos) continue;
      std::copy_n(all.begin() + offsets.at(tensor.name), tensor.count(),
                  flat.begin() + tensor.offset);
    }
    const int T = static_cast<int>(tokens_.size());
    const DeviceBuffer<float> parameters{std::span<const float>(flat)};
    const DeviceBuffer<int> tokens{std::span<const int>(tokens_)};
    DeviceBuffer<float> logits(std::int64_t{T} * config.padded_vocabulary());
    DeviceBuffer<char> scratch(static_cast<std::int64_t>(transformer_scratch_bytes(config, 1, T)));
    transformer_forward(cut, parameters.data(), tokens.data(), logits.data(), nullptr, 1, T,
                        {.scratch = scratch.data(), .scratch_bytes = scratch.bytes()});
    return logits.to_host();
  }

  // Of the columns that are tokens.
  void expect_close(const Floats& actual, const Floats& expected) const {
    ASSERT_EQ(actual.size(), expected.size());
    const auto stride = static_cast<std::size_t>(layout_.config().padded_vocabulary());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (i % stride >= static_cast<std::size_t>(layout_.config().vocabulary)) continue;
      ASSERT_NEAR(actual[i], expected[i], 1e-4f) << "number " << i;
    }
  }

  RandomInputs random_;
  ParameterLayout layout_;
  DeviceBuffer<float> parameters_;
  std::vector<int> tokens_;
};

TEST_F(LogitLensTest, BehindAllBlocksItIsTheModel) {
  LogitLens lens(layout_, parameters_);
  lens.read(tokens_);
  expect_close(lens.logits(3), model_of(3, false));
}

TEST_F(LogitLensTest, BehindSomeItIsTheModelThatEndsThere) {
  LogitLens lens(layout_, parameters_);
  lens.read(text(4));  // another length before
  lens.read(tokens_);
  expect_close(lens.logits(1), model_of(1, false));
  expect_close(lens.logits(2), model_of(2, false));
  expect_close(lens.logits(0), model_of(1, true));
}

TEST_F(LogitLensTest, LossesAreThoseOfTheLogits) {
  LogitLens lens(layout_, parameters_);
  lens.read(tokens_);
  std::vector<int> targets = text(9);
  targets[5] = -1;
  const auto stride = static_cast<std::size_t>(layout_.config().padded_vocabulary());
  for (int blocks = 0; blocks <= 3; ++blocks) {
    const Floats logits = lens.logits(blocks), losses = lens.losses(blocks, targets);
    ASSERT_EQ(losses.size(), targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) {
      double sum = 0;
      for (int v = 0; v < layout_.config().vocabulary; ++v) {
        sum += std::exp(static_cast<double>(logits[t * stride + static_cast<std::size_t>(v)]));
      }
      const double expected =
          targets[t] < 0
              ? 0
              : std::log(sum) -
                    static_cast<double>(logits[t * stride + static_cast<std::size_t>(targets[t])]);
      EXPECT_NEAR(static_cast<double>(losses[t]), expected, 1e-3) << blocks << ", " << t;
    }
  }
}

}  // namespace
}  // namespace andrea
