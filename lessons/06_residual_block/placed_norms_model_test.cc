#include "lessons/06_residual_block/placed_norms_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

// No multiples of what memory rounds sizes up to.
ModelConfig small_model(NormPlacement norm) {
  ModelConfig config;
  config.layers = 2;
  config.heads = 2;
  config.width = 12;
  config.mlp_width = 20;
  config.vocabulary = 30;
  config.context = 7;
  config.norm = norm;
  return config;
}

class PlacedNormsModelTest : public testing::TestWithParam<NormPlacement> {
 protected:
  PlacedNormsModelTest()
      : model_(small_model(GetParam()), kSequences, 1, 1),
        tokens_(random_.integers(kSequences * 7, 30)),
        targets_(random_.integers(kSequences * 7, 30)) {}

  static constexpr int kSequences = 3;
  RandomInputs random_;
  PlacedNormsModel model_;
  std::vector<int> tokens_, targets_;
};

// A step along a tensor's own gradient changes the loss by its square, to the first order.
TEST_P(PlacedNormsModelTest, EachTensorHasTheGradientOfTheLoss) {
  model_.loss_and_gradients(tokens_, targets_);
  const std::vector<float> at = model_.parameters().to_host();
  const std::vector<float> gradients = model_.gradients().to_host();
  for (const ParameterTensor& tensor : model_.layout().tensors()) {
    double square = 0;
    for (std::int64_t i = tensor.offset; i < tensor.offset + tensor.count(); ++i) {
      const auto number = static_cast<double>(gradients[static_cast<std::size_t>(i)]);
      square += number * number;
    }
    ASSERT_GT(square, 1e-8) << tensor.name;
    const double length = 0.01 / std::sqrt(square);
    const auto loss_at = [&](double distance) {
      std::vector<float> moved = at;
      for (std::int64_t i = tensor.offset; i < tensor.offset + tensor.count(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        moved[k] += static_cast<float>(distance) * gradients[k];
      }
      model_.parameters().upload(moved);
      return model_.loss_and_gradients(tokens_, targets_);
    };
    const double slope = (loss_at(length) - loss_at(-length)) / (2 * length);
    EXPECT_NEAR(slope, square, 0.02 * square) << tensor.name;
  }
}

TEST_P(PlacedNormsModelTest, Learns) {
  const double before = model_.step(tokens_, targets_, 0.01f);
  EXPECT_NEAR(before, std::log(30), 1.5);
  double loss = before;
  for (int i = 0; i < 60; ++i) loss = model_.step(tokens_, targets_, 0.01f);
  EXPECT_LT(loss, before / 4);
}

INSTANTIATE_TEST_SUITE_P(Placements, PlacedNormsModelTest,
                         testing::Values(NormPlacement::pre, NormPlacement::post));

}  // namespace
}  // namespace andrea
