// What a training pass in TF32 or bf16, or one that computes activations again, has in common with
// one in float.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/training_pass.h"
#include "kernels/transformer.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/model_inputs.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

struct Shape3 {
  ModelConfig config;
  int B, T;
};

// Three heads of 16, a vocabulary that is no multiple of anything.
Shape3 odd_shape(int B, int T, int vocabulary = 131) {
  ModelConfig config;
  config.layers = 2;
  config.heads = 3;
  config.width = 48;
  config.mlp_width = 192;
  config.vocabulary = vocabulary;
  config.context = 100;
  return {config, B, T};
}

struct Inputs {
  explicit Inputs(const Shape3& shape)
      : parameters(random_parameters(ParameterLayout(shape.config), random, 0.1f)),
        tokens(random.integers(shape.B * shape.T, shape.config.vocabulary)),
        targets(random.integers(shape.B * shape.T, shape.config.vocabulary)) {
    // As a model that has begun to learn: gains about 1.
    const ParameterLayout layout(shape.config);
    for (const ParameterTensor& tensor : layout.tensors()) {
      if (!tensor.name.ends_with(".weight") || tensor.is_matrix()) continue;
      for (std::int64_t i = 0; i < tensor.count(); ++i) {
        parameters[static_cast<std::size_t>(tensor.offset + i)] += 1;
      }
    }
  }

  RandomInputs random;
  std::vector<float> parameters;
  std::vector<int> tokens, targets;
};

struct Result {
  std::vector<float> losses, gradients;
};

Result pass(const Shape3& shape, const Inputs& inputs, Precision precision, bool recompute = false,
            std::uint64_t seed = 1) {
  ModelConfig config = shape.config;
  config.precision = precision;
  config.recompute = recompute;
  EXPECT_EQ(training_pass_supports(config), "");
  const ParameterLayout layout(config);
  const int B = shape.B, T = shape.T;
  GuardedTensor<const float> parameters("parameters", {layout.size()}, inputs.parameters);
  GuardedTensor<const int> tokens("tokens", {B, T}, inputs.tokens);
  GuardedTensor<const int> targets("targets", {B, T}, inputs.targets);
  GuardedTensor<float> losses("losses", {B, T});
  // The gaps between tensors, which nobody writes, hold zeros.
  GuardedTensor<float> gradients("gradients", {layout.size()},
                                 std::vector<float>(static_cast<std::size_t>(layout.size())));
  StepScalars step;
  step.seed = seed;
  GuardedTensor<const StepScalars> scalars("scalars", {1}, {step});
  const Workspace workspace(training_pass_bytes(config, B, T).total());
  training_pass(layout, parameters.data(), tokens.data(), targets.data(), losses.data(),
                gradients.data(), scalars.data(), 1.0f / static_cast<float>(B * T), B, T,
                Accumulate::overwrite, workspace.launch());
  return {losses.contents(), gradients.contents()};
}

// |a - b| / |b|, as vectors.
double distance(const float* a, const float* b, std::int64_t count) {
  double difference = 0, length = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    difference += d * d;
    length += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return std::sqrt(difference / length);
}

// Each tensor's gradient, taken as one vector, is at most so far from that in float.
void expect_gradients_near(const Shape3& shape, const Result& actual, const Result& expected,
                           double most) {
  const ParameterLayout layout(shape.config);
  for (const ParameterTensor& tensor : layout.tensors()) {
    // The softmax does not change when all scores of a row do, so the keys' bias has no gradient
    // but rounding's: its third of the tensor is left out.
    const bool qkv_bias = tensor.name.ends_with("attn.c_attn.bias");
    const std::int64_t C = shape.config.width;
    const std::vector<std::pair<std::int64_t, std::int64_t>> parts =
        qkv_bias ? std::vector<std::pair<std::int64_t, std::int64_t>>{{0, C}, {2 * C, C}}
                 : std::vector<std::pair<std::int64_t, std::int64_t>>{{0, tensor.count()}};
    for (const auto& [first, count] : parts) {
      const double off = distance(actual.gradients.data() + tensor.offset + first,
                                  expected.gradients.data() + tensor.offset + first, count);
      EXPECT_TRUE(off <= most) << tensor.name << " from " << first << ": " << off;
    }
  }
}

double mean(const std::vector<float>& numbers) {
  double sum = 0;
  for (const float number : numbers) sum += number;
  return sum / static_cast<double>(numbers.size());
}

// A bf16 has 8 bits, so one rounding is at most 2^-8 of the number, at random 2^-7; a gradient
// passes some thirty of them on its way through two blocks, which do not all fall the same way.
TEST(TrainingPrecisionTest, Bf16IsNearFloat) {
  for (const Shape3& shape : {odd_shape(1, 1), odd_shape(2, 33), odd_shape(1, 97, 8449)}) {
    SCOPED_TRACE("B " + std::to_string(shape.B) + ", T " + std::to_string(shape.T));
    const Inputs inputs(shape);
    const Result expected = pass(shape, inputs, Precision::fp32);
    const Result actual = pass(shape, inputs, Precision::bf16);
    EXPECT_NEAR(mean(actual.losses), mean(expected.losses), 0.01 * mean(expected.losses));
    if (shape.T > 1) expect_gradients_near(shape, actual, expected, 0.04);
  }
}

TEST(TrainingPrecisionTest, Tf32IsNearerToFloat) {
  const Shape3 shape = odd_shape(2, 33);
  const Inputs inputs(shape);
  const Result expected = pass(shape, inputs, Precision::fp32);
  expect_gradients_near(shape, pass(shape, inputs, Precision::tf32), expected, 0.005);
}

// In bf16 forward computes norms and GELU from sums that are not yet rounded, and backward again
// from what memory holds.
TEST(TrainingPrecisionTest, RecomputationTakesLessMemoryForTheSame) {
  const Shape3 shape = odd_shape(2, 33);
  const Inputs inputs(shape);
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    SCOPED_TRACE(precision == Precision::bf16 ? "bf16" : "fp32");
    const Result kept = pass(shape, inputs, precision);
    const Result again = pass(shape, inputs, precision, /*recompute=*/true);
    EXPECT_EQ(kept.losses, again.losses);
    if (precision == Precision::fp32) {
      EXPECT_EQ(kept.gradients, again.gradients);
    } else {
      expect_gradients_near(shape, again, kept, 0.01);
    }
    ModelConfig config = shape.config;
    config.precision = precision;
    const std::size_t all = training_pass_bytes(config, 2, 33).activations;
    config.recompute = true;
    EXPECT_LT(training_pass_bytes(config, 2, 33).activations, all);
  }
}

TEST(TrainingPrecisionTest, RefusesWhatBf16CannotHave) {
  ModelConfig config = odd_shape(1, 1).config;
  config.precision = Precision::bf16;
  EXPECT_EQ(training_pass_supports(config), "");
  config.mlp_width = 190;
  EXPECT_NE(training_pass_supports(config), "");
  config.mlp_width = 192;
  config.heads = 2;  // of 24 numbers
  EXPECT_NE(training_pass_supports(config), "");
  config.precision = Precision::fp32;
  EXPECT_EQ(training_pass_supports(config), "");
}

TEST(TrainingPrecisionTest, TheSeedAloneChangesWhatBf16Yields) {
  const Shape3 shape = odd_shape(1, 33);
  const Inputs inputs(shape);
  const Result once = pass(shape, inputs, Precision::bf16, false, 1);
  const Result twice = pass(shape, inputs, Precision::bf16, false, 1);
  const Result other = pass(shape, inputs, Precision::bf16, false, 2);
  EXPECT_EQ(once.gradients, twice.gradients);
  EXPECT_NE(once.gradients, other.gradients);
}

TEST(TrainingPrecisionTest, EvaluationInBf16IsNearFloat) {
  const Shape3 shape = odd_shape(2, 33);
  const Inputs inputs(shape);
  std::vector<std::vector<float>> logits;
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    ModelConfig config = shape.config;
    config.precision = precision;
    const ParameterLayout layout(config);
    GuardedTensor<const float> parameters("parameters", {layout.size()}, inputs.parameters);
    GuardedTensor<const int> tokens("tokens", {2, 33}, inputs.tokens);
    GuardedTensor<float> out("logits", {2, 33, config.padded_vocabulary()});
    const Workspace workspace(transformer_scratch_bytes(config, 2, 33));
    transformer_forward(layout, parameters.data(), tokens.data(), out.data(), nullptr, 2, 33,
                        workspace.launch());
    logits.push_back(out.contents());
  }
  EXPECT_LE(
      distance(logits[1].data(), logits[0].data(), static_cast<std::int64_t>(logits[0].size())),
      0.02);
}

}  // namespace
}  // namespace andrea
