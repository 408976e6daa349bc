#include "trainer/model/estimate.h"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/device_buffer.h"
#include "kernels/parameter_layout.h"
#include "kernels/training_pass.h"
#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"
#include "trainer/model/decoder.h"
#include "trainer/model/evaluator.h"
#include "trainer/model/learner.h"
#include "trainer/model/preset.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

// How much device memory is in use.
std::size_t allocated() {
  std::size_t free = 0;
  std::size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  return total - free;
}

// As the test model, but of sizes that tensor cores take.
ModelConfig estimated_model() {
  ModelConfig config = test_model();
  config.width = 32;
  config.mlp_width = 64;
  return config;
}

// In each precision that these kernels have.
TEST(EstimateTest, TrainingMemoryIsWhatALearnerAllocates) {
  for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
    for (const auto& [B, T, micro_batches] :
         {std::tuple{1, 1, 1}, std::tuple{3, 16, 1}, std::tuple{2, 16, 5}}) {
      for (const bool tied : {false, true}) {
        for (const bool recompute : {false, true}) {
          ModelConfig config = estimated_model();
          config.precision = precision;
          config.recompute = recompute;
          config.tied = tied;
          if (!training_pass_supports(config).empty()) {
            EXPECT_TRUE(precision != Precision::fp32 || recompute);
            continue;
          }
          const MemoryEstimate estimate = estimate_training_memory(config, B, T, micro_batches);
          EXPECT_EQ(estimate.weights > 0, precision == Precision::bf16);
          const std::size_t before = allocated();
          const Learner learner(config, B, T, micro_batches);
          EXPECT_EQ(allocated() - before, estimate.total());
        }
      }
    }
  }
}

TEST(EstimateTest, EvaluationMemoryIsWhatIsAllocated) {
  const ParameterLayout layout(estimated_model());
  const DeviceBuffer<float> parameters(layout.size());
  const std::size_t before = allocated();
  const Evaluator evaluator(layout, parameters, 3, 11);
  const Decoder decoder(layout, parameters);
  EXPECT_EQ(allocated() - before, estimate_evaluation_memory(layout.config(), 3, 11));
}

TEST(EstimateTest, TheLargestBatchIsTheLastThatFits) {
  const ModelConfig config = estimated_model();
  for (const int most : {1, 2, 7, 64}) {
    for (int B = 1; B <= most; B += 3) {
      const auto need = [&](int rows) {
        return estimate_run_memory(config, rows, (most + rows - 1) / rows).total();
      };
      const int found = largest_batch(config, most, 1, need(B));
      EXPECT_GE(found, B);
      EXPECT_LE(need(found), need(B));
      if (found < most) EXPECT_GT(need(found + 1), need(B));
    }
    EXPECT_EQ(largest_batch(config, most, 1, 1000), 0);
  }
}

TEST(EstimateTest, NamesThePartsThatAreThere) {
  MemoryEstimate estimate{.parameters = 1000, .gradients = 2000, .logits = 30};
  EXPECT_EQ(parts_of(estimate), "parameters 1 kB, gradients 2 kB, logits 30 bytes");
  estimate.weights = 500;
  EXPECT_EQ(parts_of(estimate),
            "parameters 1 kB, gradients 2 kB, copy of the weights 500 bytes, logits 30 bytes");
}

TEST(EstimateTest, ParametersAreThoseOfTheLayout) {
  const ModelConfig config = test_model();
  const auto copy = static_cast<std::size_t>(ParameterLayout(config).size()) * sizeof(float);
  const MemoryEstimate estimate = estimate_training_memory(config, 2, 8);
  EXPECT_EQ(estimate.parameters, copy);
  EXPECT_EQ(estimate.gradients, copy);
  EXPECT_EQ(estimate.moments, 2 * copy);
  EXPECT_EQ(estimate.logits, std::size_t{2 * 8 * 384} * sizeof(float));
}

// The arithmetic of ANDREA-120M by hand: 84,934,656 weights in blocks and 6,488,832 in the output
// table, each multiplied and added in forward and twice in backward; attention over 1024 positions.
TEST(EstimateTest, ArithmeticOfAndrea) {
  const ModelConfig andrea;
  EXPECT_EQ(training_flops_per_token(andrea, 0), 6.0 * (84'934'656 + 6'488'832));
  EXPECT_EQ(training_flops_per_token(andrea, 1024) - training_flops_per_token(andrea, 0),
            6.0 * 12 * 768 * 1024);
}

TEST(EstimateTest, TellsFreeMemory) { EXPECT_GT(available_memory(), std::size_t{1} << 20); }

TEST(EstimateTest, BytesForPeople) {
  EXPECT_EQ(readable_bytes(0), "0 bytes");
  EXPECT_EQ(readable_bytes(999), "999 bytes");
  EXPECT_EQ(readable_bytes(1000), "1 kB");
  EXPECT_EQ(readable_bytes(1'468'000'000), "1.47 GB");
  EXPECT_EQ(readable_bytes(999'600), "1 MB");
  EXPECT_EQ(readable_bytes(2.5e16).find("e+"), std::string::npos) << readable_bytes(2.5e16);
}

TEST(EstimateTest, NumbersForPeople) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(98'820'096), "98,820,096");
  EXPECT_EQ(with_separators(-100), "-100");
  EXPECT_EQ(with_separators(-1234), "-1,234");
}

// Counted by a formula, not from the layout: tables, blocks of 12 C^2 + 13 C, the last
// norm.
long long count_by_formula(const ModelConfig& config) {
  const long long C = config.width, V = config.vocabulary, T = config.context;
  return V * C + T * C + config.layers * (12 * C * C + 13 * C) + 2 * C + (config.tied ? 0 : V * C);
}

TEST(PresetTest, ParameterCounts) {
  ASSERT_EQ(presets().size(), 5u);
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_EQ(ParameterLayout(preset.model).parameter_count(), count_by_formula(preset.model));
    EXPECT_NO_THROW(check_shape(preset.model));
  }
  EXPECT_EQ(ParameterLayout(find_preset("120m").model).parameter_count(), 98'820'096);
}

TEST(PresetTest, AnUnknownNameIsToldTheKnownOnes) {
  const std::string message = message_of<Error>([] { find_preset("120M"); });
  EXPECT_EQ(message, "there is no preset '120M'; the presets are nano, tiny, 12m, 120m, 480m");
}

TEST(PresetTest, RefusesShapesThatCannotBe) {
  const auto refusal = [](auto change) {
    ModelConfig config = test_model();
    change(config);
    return message_of<Error>([&] { check_shape(config); });
  };
  EXPECT_EQ(refusal([](ModelConfig&) {}), "");
  EXPECT_EQ(refusal([](ModelConfig& c) { c.heads = 3; }),
            "--width 20 is not divisible by --heads 3: every head owns the same number of columns");
  const std::vector<std::pair<std::string, int ModelConfig::*>> sizes = {
      {"layers", &ModelConfig::layers},   {"heads", &ModelConfig::heads},
      {"width", &ModelConfig::width},     {"mlp-width", &ModelConfig::mlp_width},
      {"context", &ModelConfig::context}, {"vocabulary", &ModelConfig::vocabulary}};
  for (const auto& [flag, size] : sizes) {
    for (const int value : {0, -1, -2147483647 - 1, 2147483647}) {
      const std::string message = refusal([&](ModelConfig& c) { c.*size = value; });
      EXPECT_TRUE(message.starts_with("--" + flag + " is " + std::to_string(value) + "; "))
          << message;
    }
  }
}

}  // namespace
}  // namespace andrea
