// The numbers of README.md are those of the references.

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

#include "kernels/parameter_layout.h"
#include "lessons/02_dot_product_similarity/reference.h"
#include "lessons/07_full_model/cross_entropy_reference.h"
#include "lessons/07_full_model/optimiser_reference.h"
#include "lessons/07_full_model/rounded.h"

namespace andrea::reference {
namespace {

using M = Matrix<double>;
using V = Vector<double>;

constexpr double kDigits = 5e-5;  // the four behind the point

M matrix(int rows, int columns, std::initializer_list<double> values) {
  return load(values.begin(), rows, columns);
}

::testing::AssertionResult same(const M& a, const M& b, double tolerance = kDigits) {
  if ((a - b).cwiseAbs().maxCoeff() <= tolerance * 1.01) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << a << "\nand\n" << b;
}

const M kNormed = matrix(3, 2, {1, -1, 2, 0, 0, 1});
const M kTable = matrix(3, 2, {1, 0, 0, 1, 1, 1});
const std::vector<int> kTargets = {0, 2, -1};

M logits() { return dot_similarity_forward(kNormed, kTable); }
M dlogits() { return cross_entropy_backward<double>(logits(), kTargets, 0.5); }

V gradient() {
  const auto gradients = dot_similarity_backward(dlogits(), kNormed, kTable);
  return Eigen::Map<const V>(gradients.dtable.data(), 6);
}

TEST(ReadmeTest, Losses) {
  EXPECT_EQ(logits(), matrix(3, 3, {1, -1, 0, 2, 0, 2, 0, 1, 1}));
  const V losses = cross_entropy_forward(logits(), kTargets);
  EXPECT_TRUE(same(losses, matrix(1, 3, {0.4076, 0.7586, 0})));
  EXPECT_NEAR(losses.sum() / 2, 0.5831, kDigits);
}

TEST(ReadmeTest, Probabilities) {
  M probabilities(3, 3);
  for (int n = 0; n < 3; ++n) {
    probabilities.row(n) = log_softmax<double>(logits().row(n)).array().exp();
  }
  EXPECT_TRUE(
      same(probabilities,
           matrix(3, 3, {0.6652, 0.0900, 0.2447, 0.4683, 0.0634, 0.4683, 0.1554, 0.4223, 0.4223})));
  EXPECT_TRUE(
      same(dlogits(), matrix(3, 3, {-0.1674, 0.0450, 0.1224, 0.2342, 0.0317, -0.2658, 0, 0, 0})));
}

TEST(ReadmeTest, Backward) {
  const auto gradients = dot_similarity_backward(dlogits(), kNormed, kTable);
  EXPECT_TRUE(
      same(gradients.dtable, matrix(3, 2, {0.3009, 0.1674, 0.1084, -0.0450, -0.4093, -0.1224})));
  EXPECT_TRUE(same(gradients.dx, matrix(3, 2, {-0.0450, 0.1674, -0.0317, -0.2342, 0, 0})));
}

TEST(ReadmeTest, NormAndClip) {
  EXPECT_NEAR(gradient().squaredNorm(), 0.3149, kDigits);
  const auto norm = global_norm<double>(gradient(), 0.5);
  EXPECT_NEAR(norm.gradient_norm, 0.5611, kDigits);
  EXPECT_NEAR(norm.clip_scale, 0.8911, kDigits);
  EXPECT_NEAR(norm.clip_scale * gradient()[0], 0.2681, kDigits);
}

TEST(ReadmeTest, AdamW) {
  AdamWState<double> state{Eigen::Map<const V>(kTable.data(), 6), V::Zero(6), V::Zero(6)};
  const double clip_scale = global_norm<double>(gradient(), 0.5).clip_scale;
  adamw<double>(state, gradient(), 6, AdamWOptions(), 1, 0.01, clip_scale);
  EXPECT_NEAR(state.first_moments[0], 0.02681, 5e-6);
  EXPECT_NEAR(state.second_moments[0], 0.0000719, 5e-8);
  EXPECT_TRUE(same(state.parameters, matrix(1, 6, {0.989, -0.010, -0.010, 1.009, 1.009, 1.009})));
}

// "A step of 0.001 from 1 rounds to 1", and with a master it adds up.
TEST(ReadmeTest, UpdatesAreLostWithoutAMaster) {
  EXPECT_EQ(rounded_to_bfloat16(0.1f), 0.10009765625f);
  EXPECT_EQ(rounded_to_bfloat16(1.0f + 1.0f / 128), 1.0f + 1.0f / 128);
  float alone = 1, master = 1;
  for (int step = 0; step < 100; ++step) {
    alone = rounded_to_bfloat16(alone + 0.001f);
    master += 0.001f;
  }
  EXPECT_EQ(alone, 1.0f);
  EXPECT_NEAR(rounded_to_bfloat16(master), 1.1, 0.005);
}

TEST(ReadmeTest, TheCount) {
  const ModelConfig config;
  const std::int64_t C = config.width, L = config.layers, table = 8449 * C;
  const std::int64_t block = 12 * C * C + 13 * C;
  EXPECT_EQ(block, 7'087'872);
  EXPECT_EQ(L * block, 85'054'464);
  EXPECT_EQ(table, 6'488'832);
  EXPECT_EQ(1024 * C, 786'432);
  EXPECT_EQ(2 * C, 1'536);
  EXPECT_EQ(ParameterLayout(config).parameter_count(), 98'820'096);
  EXPECT_EQ(L * block + 2 * table + 1024 * C + 2 * C, 98'820'096);
  EXPECT_EQ(12 * 13 * C + 2 * C, 121'344);
  EXPECT_NEAR(85'054'464 / 98'820'096.0, 0.86, 0.005);
  EXPECT_NEAR(85'054'464 / 92'331'264.0, 0.92, 0.005);
  EXPECT_EQ(8 * C * C + 5 * C, 4'722'432);
  EXPECT_NEAR(12 * 4'722'432 / 98'820'096.0, 0.57, 0.005);
}

// What the first blocks take off the loss, of what all six do, in percent.
TEST(ReadmeTest, SharesOfTheLogitLens) {
  const auto share = [](double before, double behind_some, double behind_all) {
    return 100 * (before - behind_some) / (before - behind_all);
  };
  EXPECT_NEAR(share(5.445, 1.466, 0.686), 84, 0.5);  // within a word
  EXPECT_NEAR(share(4.980, 2.713, 0.672), 53, 0.5);  // function words
  EXPECT_NEAR(share(4.980, 1.912, 0.672), 71, 0.5);
  EXPECT_NEAR(share(4.980, 1.124, 0.672), 90, 0.5);
  EXPECT_NEAR(share(6.122, 4.152, 2.375), 53, 0.5);  // other words
  EXPECT_NEAR(share(6.122, 3.602, 2.375), 67, 0.5);
  EXPECT_NEAR(share(6.122, 2.942, 2.375), 85, 0.5);
}

TEST(ReadmeTest, Cost) {
  constexpr std::int64_t N = 8192, vocabulary = 8449, stride = 8576, P = 98'820'096;
  EXPECT_EQ(4 * N * stride, 281'018'368);
  EXPECT_EQ(4 * N * vocabulary, 276'856'832);
  EXPECT_EQ(4 * N * (2 * vocabulary + stride), 834'732'032);
  EXPECT_EQ(4 * P, 395'280'384);
  EXPECT_EQ(28 * P, 2'766'962'688);
  EXPECT_EQ(16 * P, 1'581'121'536);
  const std::int64_t token =
      6 * (12 * 12 * 768 * 768 + vocabulary * 768) + std::int64_t{6} * 12 * 768 * 1024;
  EXPECT_EQ(token, 605'164'032);
  EXPECT_EQ(token * N, 4'957'503'750'144);
  EXPECT_EQ(6 * P, 592'920'576);
  EXPECT_NEAR(1.0 - 592'920'576 / 605'164'032.0, 0.020, 0.0005);
  EXPECT_EQ(200'000 * N, 1'638'400'000);
  EXPECT_NEAR(1'638'400'000.0 / P, 16.6, 0.05);
  EXPECT_NEAR(6.0 * P * 1'638'400'000, 9.71e17, 0.005e17);
  EXPECT_NEAR(std::log(8449), 9.04, 0.005);
  EXPECT_NEAR(std::sqrt(768), 27.7, 0.05);
  EXPECT_NEAR(std::sqrt(768 / 2.0), 19.6, 0.05);
  EXPECT_NEAR(std::pow(0.999, 1000), 0.37, 0.005);
}

}  // namespace
}  // namespace andrea::reference
