#include "kernels/parameter_layout.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "kernels/device_buffer.h"

namespace andrea {
namespace {

constexpr std::int64_t kAlignedNumbers = kAlignment / sizeof(float);

ModelConfig andrea_12m() {
  ModelConfig config;
  config.layers = 6;
  config.heads = 12;
  config.width = 384;
  config.mlp_width = 1536;
  config.vocabulary = 4353;
  return config;
}

ModelConfig andrea_480m() {
  ModelConfig config;
  config.layers = 16;
  config.heads = 24;
  config.width = 1536;
  config.mlp_width = 6144;
  config.vocabulary = 16'641;
  return config;
}

ModelConfig gpt2_small() {
  ModelConfig config;
  config.vocabulary = 50'257;
  config.tied = true;
  return config;
}

std::int64_t parameters_of(const ModelConfig& config) {
  return ParameterLayout(config).parameter_count();
}

// The numbers of the tensors whose name holds `part`.
std::int64_t parameters_of(const ModelConfig& config, const std::string& part) {
  const ParameterLayout layout(config);
  std::int64_t total = 0;
  for (const ParameterTensor& tensor : layout.tensors()) {
    if (tensor.name.find(part) != std::string::npos) total += tensor.count();
  }
  return total;
}

TEST(ParameterLayoutTest, ShowsHowABufferIsViewed) {
  ModelConfig config;
  config.layers = 2;
  config.width = 48;
  config.heads = 3;
  config.mlp_width = 5;
  config.vocabulary = 7;
  config.context = 9;
  const ParameterLayout layout(config);
  DeviceBuffer<float> parameters(layout.size());
  const auto at = layout.view<const float>(parameters.data());

  EXPECT_EQ(at.token_table, parameters.data());
  EXPECT_EQ(at.position_table, parameters.data() + 128 * 48) << "7 rows are 128 in memory";
  ASSERT_EQ(at.blocks.size(), 2u);
  EXPECT_EQ(layout.tensors().front().name, "transformer.wte.weight");
  EXPECT_EQ(layout.tensors().front().count(), 7 * 48) << "but 7 in files";
}

TEST(ParameterLayoutTest, CountsOfAndrea120m) {
  ModelConfig config;
  EXPECT_EQ(parameters_of(config), 98'820'096);
  config.tied = true;
  EXPECT_EQ(parameters_of(config), 92'331'264);

  config.biases = false;
  EXPECT_EQ(parameters_of(config), 92'248'320);
  config.tied = false;
  EXPECT_EQ(parameters_of(config), 98'737'152);
}

TEST(ParameterLayoutTest, CountsWithoutAnyVector) {
  // Not even a norm's: what is left are the matrices, in either norm placement.
  ModelConfig config;
  config.biases = false;
  config.norm = NormPlacement::none;
  EXPECT_EQ(parameters_of(config), 98'698'752);
  config.tied = true;
  EXPECT_EQ(parameters_of(config), 92'209'920);
}

TEST(ParameterLayoutTest, CountsWithBiasesOfTheMlpAlone) {
  // The layout has no such switch; the attention's biases are what makes the difference.
  ModelConfig config;
  const std::int64_t attention_biases =
      parameters_of(config, "attn.c_attn.bias") + parameters_of(config, "attn.c_proj.bias");
  EXPECT_EQ(parameters_of(config) - attention_biases, 98'783'232);
  config.tied = true;
  EXPECT_EQ(parameters_of(config) - attention_biases, 92'294'400);
}

TEST(ParameterLayoutTest, CountOfGpt2Small) { EXPECT_EQ(parameters_of(gpt2_small()), 124'439'808); }

TEST(ParameterLayoutTest, CountsOfTheParts) {
  const ModelConfig config;
  EXPECT_EQ(parameters_of(config, "h.0.attn.c_attn.weight") +
                parameters_of(config, "h.0.attn.c_proj.weight"),
            2'359'296);
  EXPECT_EQ(
      parameters_of(config, "h.0.mlp.c_fc.weight") + parameters_of(config, "h.0.mlp.c_proj.weight"),
      4'718'592);
  EXPECT_EQ(parameters_of(config, "h.0."), 7'087'872);
  EXPECT_EQ(parameters_of(config, "wte"), 6'488'832);
  EXPECT_EQ(parameters_of(config, "wpe"), 786'432);
  EXPECT_EQ(parameters_of(config, "lm_head"), 6'488'832);

  EXPECT_EQ(parameters_of(andrea_12m(), "wte"), 1'671'552);
  EXPECT_EQ(parameters_of(andrea_480m(), "wte"), 25'560'576);
}

TEST(ParameterLayoutTest, CountsOfTheFamily) {
  // A block has 12 C^2 numbers in matrices and 13 C in vectors where the MLP is 4 C wide; then come
  // the last norm's 2 C, positions and tables.
  const auto by_hand = [](const ModelConfig& config) {
    const std::int64_t C = config.width, V = config.vocabulary;
    return config.layers * (12 * C * C + 13 * C) + 2 * C + config.context * C +
           (config.tied ? 1 : 2) * V * C;
  };
  for (ModelConfig config : {andrea_12m(), ModelConfig(), andrea_480m()}) {
    EXPECT_EQ(parameters_of(config), by_hand(config));
    config.tied = true;
    EXPECT_EQ(parameters_of(config), by_hand(config));
  }
  EXPECT_EQ(parameters_of(andrea_12m()), 14'383'872);
  EXPECT_EQ(parameters_of(andrea_480m()), 506'001'408);
  for (ModelConfig tied : {andrea_12m(), andrea_480m()}) {
    tied.tied = true;
    EXPECT_EQ(parameters_of(tied), tied.width == 384 ? 12'712'320 : 480'440'832);
  }
}

TEST(ParameterLayoutTest, SizesBeyondThirtyTwoBits) {
  ModelConfig config;
  config.layers = 96;
  config.width = 12'288;
  config.heads = 96;
  config.mlp_width = 4 * 12'288;
  config.vocabulary = 50'257;
  config.context = 2048;
  EXPECT_EQ(parameters_of(config, "mlp.c_fc.weight"), 57'982'058'496);
  EXPECT_GT(ParameterLayout(config).size(), parameters_of(config) - 1);
}

// Every variant that changes which tensors there are.
std::vector<ModelConfig> variants() {
  std::vector<ModelConfig> all;
  for (const bool tied : {false, true}) {
    for (const bool biases : {false, true}) {
      for (const Positions positions : {Positions::learned, Positions::none}) {
        for (const NormPlacement norm :
             {NormPlacement::pre, NormPlacement::post, NormPlacement::none}) {
          for (const Activation activation : {Activation::gelu, Activation::swiglu}) {
            ModelConfig config;
            config.layers = 2;
            config.heads = 3;
            config.width = 15;
            config.mlp_width = 7;
            config.vocabulary = 131;
            config.context = 9;
            config.tied = tied;
            config.biases = biases;
            config.positions = positions;
            config.norm = norm;
            config.activation = activation;
            all.push_back(config);
          }
        }
      }
    }
  }
  return all;
}

TEST(ParameterLayoutTest, TensorsAreAlignedApartAndNamedOnce) {
  for (const ModelConfig& config : variants()) {
    const ParameterLayout layout(config);
    std::set<std::string> names;
    std::int64_t end = 0;
    for (const ParameterTensor& tensor : layout.tensors()) {
      EXPECT_EQ(tensor.offset % kAlignedNumbers, 0) << tensor.name;
      EXPECT_GE(tensor.offset, end) << tensor.name;
      EXPECT_LT(tensor.offset - end, kAlignedNumbers) << tensor.name << ": a gap is too wide";
      EXPECT_GE(tensor.stored, tensor.count()) << tensor.name;
      EXPECT_TRUE(names.insert(tensor.name).second) << tensor.name << " is there twice";
      end = tensor.offset + tensor.stored;
    }
    EXPECT_GE(layout.size(), end);
    EXPECT_LT(layout.size() - end, kAlignedNumbers);
    EXPECT_EQ(layout.size() % kAlignedNumbers, 0);
  }
}

TEST(ParameterLayoutTest, WhatDecaysIsThePrefixOfMatrices) {
  for (const ModelConfig& config : variants()) {
    const ParameterLayout layout(config);
    for (const ParameterTensor& tensor : layout.tensors()) {
      EXPECT_EQ(tensor.is_matrix(), tensor.offset < layout.decayed()) << tensor.name;
      EXPECT_EQ(tensor.is_matrix(), tensor.offset + tensor.stored <= layout.decayed())
          << tensor.name;
    }
  }
}

TEST(ParameterLayoutTest, TheViewPointsAtTheTensors) {
  for (const ModelConfig& config : variants()) {
    const ParameterLayout layout(config);
    std::vector<float> flat(static_cast<std::size_t>(layout.size()));
    const auto at = layout.view<float>(flat.data());
    // Null where there is no tensor of the name.
    const auto tensor = [&](const std::string& name) -> float* {
      for (const ParameterTensor& t : layout.tensors()) {
        if (t.name == name) return flat.data() + t.offset;
      }
      return nullptr;
    };
    EXPECT_EQ(at.token_table, tensor("transformer.wte.weight"));
    EXPECT_EQ(at.position_table, tensor("transformer.wpe.weight"));
    EXPECT_EQ(at.output_table, config.tied ? at.token_table : tensor("lm_head.weight"));
    EXPECT_EQ(at.final_gain, tensor("transformer.ln_f.weight"));
    EXPECT_EQ(at.final_bias, tensor("transformer.ln_f.bias"));
    ASSERT_EQ(at.blocks.size(), 2u);
    for (int layer = 0; layer < 2; ++layer) {
      const std::string block = "transformer.h." + std::to_string(layer) + ".";
      const BlockTensors<float>& b = at.blocks[static_cast<std::size_t>(layer)];
      EXPECT_EQ(b.norm1_gain, tensor(block + "ln_1.weight"));
      EXPECT_EQ(b.norm1_bias, tensor(block + "ln_1.bias"));
      EXPECT_EQ(b.qkv_weight, tensor(block + "attn.c_attn.weight"));
      EXPECT_EQ(b.qkv_bias, tensor(block + "attn.c_attn.bias"));
      EXPECT_EQ(b.out_weight, tensor(block + "attn.c_proj.weight"));
      EXPECT_EQ(b.out_bias, tensor(block + "attn.c_proj.bias"));
      EXPECT_EQ(b.norm2_gain, tensor(block + "ln_2.weight"));
      EXPECT_EQ(b.norm2_bias, tensor(block + "ln_2.bias"));
      EXPECT_EQ(b.expand_weight, tensor(block + "mlp.c_fc.weight"));
      EXPECT_EQ(b.expand_bias, tensor(block + "mlp.c_fc.bias"));
      EXPECT_EQ(b.contract_weight, tensor(block + "mlp.c_proj.weight"));
      EXPECT_EQ(b.contract_bias, tensor(block + "mlp.c_proj.bias"));
    }
  }
}

}  // namespace
}  // namespace andrea
