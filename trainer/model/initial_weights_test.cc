#include "trainer/model/initial_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "trainer/model/test_model.h"

namespace andrea {
namespace {

using Floats = std::vector<float>;
using Weights = std::map<std::string, Floats>;  // by name

Weights weights_of(const ModelConfig& config, std::uint64_t seed = 1,
                   InitialScale scale = InitialScale::gpt2) {
  const ParameterLayout layout(config);
  const Floats flat = initial_weights(layout, scale, seed);
  Weights weights;
  for (const ParameterTensor& tensor : layout.tensors()) {
    const auto first = flat.begin() + tensor.offset;
    weights[tensor.name] = Floats(first, first + tensor.count());
  }
  return weights;
}

double deviation_of(const Floats& numbers) {
  double squares = 0;
  for (const float number : numbers) squares += double{number} * number;
  return std::sqrt(squares / static_cast<double>(numbers.size()));
}

TEST(InitialWeightsTest, AreAFunctionOfShapeAndSeed) {
  const ParameterLayout layout(test_model());
  const Floats weights = initial_weights(layout, InitialScale::gpt2, 7);
  EXPECT_EQ(weights.size(), static_cast<std::size_t>(layout.size()));
  EXPECT_EQ(initial_weights(layout, InitialScale::gpt2, 7), weights);
  EXPECT_NE(initial_weights(layout, InitialScale::gpt2, 8), weights);
}

TEST(InitialWeightsTest, ATensorDoesNotChangeWithTheOthers) {
  ModelConfig config = test_model();
  const Weights untied = weights_of(config);
  config.tied = true;
  config.biases = false;
  const Weights fewer = weights_of(config);
  EXPECT_EQ(fewer.count("lm_head.weight"), 0u);
  EXPECT_LT(fewer.size(), untied.size());
  for (const auto& [name, numbers] : fewer) EXPECT_EQ(numbers, untied.at(name)) << name;

  config = test_model();
  config.layers = 3;
  const Weights deeper = weights_of(config);
  for (const auto& [name, numbers] : untied) {
    // Those that write to the stream are scaled by the number of layers.
    if (!name.ends_with("c_proj.weight")) {
      EXPECT_EQ(numbers, deeper.at(name)) << name;
    }
  }
}

TEST(InitialWeightsTest, NoTwoTensorsDrawTheSameNumbers) {
  std::map<float, std::string> seen;
  for (const auto& [name, numbers] : weights_of(test_model())) {
    if (numbers.front() == 0 || numbers.front() == 1) continue;  // biases and gains
    const auto [other, fresh] = seen.emplace(numbers.front(), name);
    EXPECT_TRUE(fresh) << name << " begins as " << other->second;
  }
}

TEST(InitialWeightsTest, HaveTheWantedDeviations) {
  ModelConfig config = test_model();
  config.width = 64;
  config.mlp_width = 256;
  // 64 * 64 numbers at least: four standard errors of a deviation are 4.5 %.
  for (const auto& [name, numbers] : weights_of(config)) {
    SCOPED_TRACE(name);
    if (name.ends_with(".bias")) {
      EXPECT_EQ(numbers, Floats(numbers.size(), 0.0f));
    } else if (name.find("ln_") != std::string::npos) {
      EXPECT_EQ(numbers, Floats(numbers.size(), 1.0f));
    } else {
      const double expected = name.ends_with("c_proj.weight") ? 0.02 / std::sqrt(4.0) : 0.02;
      const double tolerance = name == "transformer.wpe.weight" ? 0.1 : 0.045;
      EXPECT_NEAR(deviation_of(numbers) / expected, 1, tolerance);
    }
  }
  for (const auto& [name, numbers] : weights_of(config, 1, InitialScale::width)) {
    if (name.ends_with(".bias") || name.find("ln_") != std::string::npos) continue;
    const double tolerance = name == "transformer.wpe.weight" ? 0.1 : 0.045;
    EXPECT_NEAR(deviation_of(numbers) * 8, 1, tolerance) << name;
  }
}

TEST(InitialWeightsTest, PaddingIsZero) {
  const ParameterLayout layout(test_model());
  Floats flat = initial_weights(layout, InitialScale::width, 1);
  for (const ParameterTensor& tensor : layout.tensors()) {
    std::fill_n(flat.begin() + tensor.offset, tensor.count(), 0.0f);
  }
  EXPECT_EQ(flat, Floats(flat.size(), 0.0f));
}

}  // namespace
}  // namespace andrea
