// The references composed into a block and a whole model: every gradient against central
// differences in double, tensor by tensor.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/parameter_layout.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/finite_difference.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"

namespace andrea::reference {
namespace {

constexpr int B = 2;
constexpr int T = 4;

ModelConfig small_model() {
  ModelConfig config;
  config.layers = 2;
  config.heads = 3;
  config.width = 6;
  config.mlp_width = 5;
  config.vocabulary = 7;
  config.context = 5;
  return config;
}

// Numbers for every parameter, and zeros in the gaps between tensors.
Vector<double> random_parameters(const ParameterLayout& layout, RandomInputs& random) {
  Vector<double> parameters = Vector<double>::Zero(layout.size());
  for (const ParameterTensor& tensor : layout.tensors()) {
    parameters.segment(tensor.offset, tensor.count()) =
        as_vector<double>(random.numbers(tensor.count()));
  }
  return parameters;
}

void expect_gradients_of_central_differences(const ModelConfig& config) {
  RandomInputs random;
  const ParameterLayout layout(config);
  Vector<double> parameters = random_parameters(layout, random);
  const std::vector<int> tokens = {3, 1, 3, 3, 6, 0, 1, 3};
  const std::vector<int> targets = {1, 3, -1, 6, 0, 1, 3, 2};

  const auto loss = [&] {
    const auto logits = transformer_forward(layout, parameters, tokens, B, T);
    return cross_entropy_forward(logits, targets).mean();
  };
  const auto logits = transformer_forward(layout, parameters, tokens, B, T);
  Vector<double> gradients = transformer_backward(
      layout, parameters, tokens, cross_entropy_backward(logits, targets, 1.0 / (B * T)), B, T);

  for (const ParameterTensor& tensor : layout.tensors()) {
    EXPECT_LT(
        gradient_error(loss, &parameters[tensor.offset], &gradients[tensor.offset], tensor.count()),
        1e-7)
        << tensor.name;
    gradients.segment(tensor.offset, tensor.count()).setZero();
  }
  EXPECT_TRUE(gradients.isZero(0)) << "a gap between tensors has a gradient";
}

TEST(ModelReferenceTest, GradientsOfAndreaItself) {
  expect_gradients_of_central_differences(small_model());
}

TEST(ModelReferenceTest, GradientsWithTiedTables) {
  ModelConfig config = small_model();
  config.tied = true;
  expect_gradients_of_central_differences(config);
}

TEST(ModelReferenceTest, GradientsWithoutBiases) {
  ModelConfig config = small_model();
  config.biases = false;
  config.activation = Activation::gelu_erf;
  expect_gradients_of_central_differences(config);
}

TEST(ModelReferenceTest, GradientsWithoutPositionsAndWithSwiglu) {
  ModelConfig config = small_model();
  config.positions = Positions::none;
  config.activation = Activation::swiglu;
  expect_gradients_of_central_differences(config);
}

TEST(ModelReferenceTest, BlockGradientWithRespectToItsInput) {
  RandomInputs random;
  const ParameterLayout layout(small_model());
  const Vector<double> parameters = random_parameters(layout, random);
  const auto block = layout.view<const double>(parameters.data()).blocks[1];
  Matrix<double> x = as_matrix<double>(random.numbers(B * T * 6), B * T, 6);
  const Matrix<double> dy = as_matrix<double>(random.numbers(B * T * 6), B * T, 6);

  Vector<double> gradients = Vector<double>::Zero(layout.size());
  const Matrix<double> dx = block_backward(layout.config(), block, dy, x, B, T,
                                           layout.view<double>(gradients.data()).blocks[1]);
  const auto loss = [&] {
    return dy.cwiseProduct(block_forward(layout.config(), block, x, B, T).y).sum();
  };
  EXPECT_LT(gradient_error(loss, x, dx), 1e-8);
}

TEST(ModelReferenceTest, ABlockWithoutProjectionsPassesItsInputOn) {
  RandomInputs random;
  const ParameterLayout layout(small_model());
  Vector<double> parameters = random_parameters(layout, random);
  for (const ParameterTensor& tensor : layout.tensors()) {
    if (tensor.name.find("c_proj") != std::string::npos) {
      parameters.segment(tensor.offset, tensor.count()).setZero();
    }
  }
  const Matrix<double> x = as_matrix<double>(random.numbers(B * T * 6), B * T, 6);
  const auto block = layout.view<const double>(parameters.data()).blocks[0];
  EXPECT_EQ(block_forward(layout.config(), block, x, B, T).y, x);
}

TEST(ModelReferenceTest, LaterTokensDoNotChangeEarlierLogits) {
  RandomInputs random;
  const ParameterLayout layout(small_model());
  const Vector<double> parameters = random_parameters(layout, random);
  const auto before = transformer_forward(layout, parameters, {3, 1, 3, 5}, 1, 4);
  const auto after = transformer_forward(layout, parameters, {3, 1, 3, 0}, 1, 4);
  EXPECT_EQ(before.topRows(3), after.topRows(3));
  EXPECT_NE(before.row(3), after.row(3));
}

TEST(ModelReferenceTest, AnUntrainedModelKnowsNothing) {
  ModelConfig config = small_model();
  config.width = 48;
  config.vocabulary = 300;
  RandomInputs random;
  const ParameterLayout layout(config);
  const Vector<double> parameters = 0.03 * random_parameters(layout, random);
  const auto logits = transformer_forward(layout, parameters, {3, 1, 299, 3}, 1, 4);
  EXPECT_NEAR(cross_entropy_forward(logits, {1, 299, 3, 0}).mean(), std::log(300), 0.3);
}

TEST(ModelReferenceTest, RefusesWhatItDoesNotCover) {
  const auto run = [](const ModelConfig& config) {
    const ParameterLayout layout(config);
    const Vector<double> parameters = Vector<double>::Zero(layout.size());
    transformer_forward(layout, parameters, {0, 1}, 1, 2);
  };
  EXPECT_NO_THROW(run(small_model()));
  for (const Positions positions : {Positions::sinusoidal, Positions::rotary}) {
    ModelConfig config = small_model();
    config.positions = positions;
    EXPECT_THROW(run(config), std::invalid_argument);
  }
  for (const NormPlacement norm : {NormPlacement::post, NormPlacement::none}) {
    ModelConfig config = small_model();
    config.norm = norm;
    EXPECT_THROW(run(config), std::invalid_argument);
  }
}

}  // namespace
}  // namespace andrea::reference
