// The numbers that README.md works out by hand are those of the reference.

#include <gtest/gtest.h>

#include <cmath>

#include "lessons/05_gelu_mlp/reference.h"

namespace andrea::reference {
namespace {

using M = Matrix<double>;
using V = Vector<double>;

M matrix(int rows, int columns, std::initializer_list<double> values) {
  return load(values.begin(), rows, columns);
}

const M kX = matrix(3, 2, {1, 2, 3, -1, 0, 2});
const M kW = matrix(2, 3, {0.5, -1, 0, 0, 0.5, 1});
const V kBias = matrix(1, 3, {0.5, 0, -1});
const M kY = matrix(3, 3, {1, 0, 1, 2, -3.5, -2, 0.5, 1, 1});
const M kDa = matrix(3, 3, {1, -1, 0, 0, 2, 1, 0.5, 0, 1});

// To the digits that the page has.
void expect_near(const M& actual, const M& printed) {
  ASSERT_EQ(actual.size(), printed.size());
  EXPECT_LT((actual - printed).cwiseAbs().maxCoeff(), 5.1e-5) << actual;
}

TEST(ReadmeTest, Forward) {
  EXPECT_EQ(linear_forward(kX, kW, kBias), kY);
  expect_near(activation_forward(Activation::gelu, kY),
              matrix(3, 3, {0.8412, 0, 0.8412, 1.9546, -0.0006, -0.0454, 0.3457, 0.8412, 0.8412}));
  EXPECT_EQ(gelu(0.0).value, 0);
}

TEST(ReadmeTest, Backward) {
  const M slopes = activation_backward<double>(Activation::gelu, M::Ones(3, 3), kY);
  expect_near(slopes,
              matrix(3, 3, {1.083, 0.5, 1.083, 1.0861, -0.0024, -0.0861, 0.8674, 1.083, 1.083}));
  const M dy = activation_backward(Activation::gelu, kDa, kY);
  expect_near(dy, matrix(3, 3, {1.083, -0.5, 0, 0, -0.0048, -0.0861, 0.4337, 0, 1.083}));
  const LinearGradients<double> gradients = linear_backward(dy, kX, kW);
  expect_near(gradients.dx, matrix(3, 2, {1.0415, -0.25, 0.0048, -0.0885, 0.2168, 1.083}));
  expect_near(gradients.dweight, matrix(2, 3, {1.083, -0.5145, -0.2583, 3.0333, -0.9952, 2.252}));
  expect_near(gradients.dbias, matrix(1, 3, {1.5166, -0.5048, 0.9969}));
}

// "A step of 0.1 on bias[0] changes the loss by about 0.1517."
TEST(ReadmeTest, AGradientForeseesWhatAStepDoes) {
  const auto loss = [](const V& bias) {
    return activation_forward(Activation::gelu, linear_forward(kX, kW, bias))
        .cwiseProduct(kDa)
        .sum();
  };
  V more = kBias, less = kBias;
  more[0] += 0.1, less[0] -= 0.1;
  EXPECT_NEAR((loss(more) - loss(less)) / 2, 0.1517, 5e-4);
}

// The largest errors of the tanh form, and where GELU is lowest.
TEST(ReadmeTest, TheTanhForm) {
  double of_phi = 0, of_gelu = 0, worst = 0, lowest = 0, lowest_at = 0;
  for (int i = -5000; i <= 5000; ++i) {
    const double x = i / 1000.0, value = gelu(x).value;
    const double error = std::abs(value - gelu_erf(x).value);
    if (error > of_gelu) of_gelu = error, worst = x;
    if (i != 0) of_phi = std::max(of_phi, error / std::abs(x));
    if (value < lowest) lowest = value, lowest_at = x;
  }
  EXPECT_NEAR(of_phi, 0.00018, 5e-6);
  EXPECT_NEAR(of_gelu, 0.00047, 5e-6);
  EXPECT_NEAR(std::abs(worst), 2.70, 5e-3);
  EXPECT_NEAR(lowest, -0.170, 5e-4);
  EXPECT_NEAR(lowest_at, -0.752, 5e-4);
}

// ANDREA-120M: N = 8 x 1024, C = 768, F = 3072, V = 8449, T = 1024, 12 blocks.
TEST(ReadmeTest, Cost) {
  const double N = 8192, C = 768, F = 3072;
  EXPECT_NEAR(2 * N * C * F, 38.65e9, 5e6);
  EXPECT_NEAR(4 * (N * C + C * F + N * F), 0.135e9, 5e5);
  EXPECT_NEAR(2 * C * F * N / (4 * (N * C + C * F + N * F)), 286, 0.5);
  EXPECT_NEAR(N * F * 8, 0.201e9, 5e5);
  EXPECT_NEAR(N * F * 12, 0.302e9, 5e5);
  EXPECT_NEAR(N * F * 16, 403e6, 5e5);
  EXPECT_EQ(N * F, 25165824);
  const double mlps = 12 * (2 * C * F + F + C), all = 98820096;
  EXPECT_EQ(mlps, 56669184);
  EXPECT_NEAR(100 * mlps / all, 57.3, 0.05);
  EXPECT_NEAR(100 * mlps / 120e6, 47, 0.5);
  const double of_mlps = 12 * 4 * C * F, of_layers = 12 * 8 * C * C;
  const double of_pairs = 12 * 2 * 1024 * C, of_logits = 2 * C * 8449;
  EXPECT_NEAR(of_mlps, 113.2e6, 5e4);
  EXPECT_NEAR(of_layers, 56.6e6, 5e4);
  EXPECT_NEAR(of_pairs, 18.9e6, 5e4);
  EXPECT_NEAR(of_logits, 13.0e6, 5e4);
  EXPECT_NEAR(100 * of_mlps / (of_mlps + of_layers + of_pairs + of_logits), 56, 0.5);
}

}  // namespace
}  // namespace andrea::reference
