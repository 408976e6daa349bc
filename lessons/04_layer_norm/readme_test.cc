// The numbers that README.md works out by hand are those of the reference.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "lessons/04_layer_norm/reference.h"

namespace andrea::reference {
namespace {

using Table = Matrix<double>;
using Row = Vector<double>;

constexpr double kDigits = 6e-5;  // README.md has four

Table table(std::initializer_list<std::initializer_list<double>> rows) { return Table(rows); }
Row row(std::initializer_list<double> numbers) { return table({numbers}); }

bool same(const Table& a, const Table& b, double digits = kDigits) {
  return (a - b).cwiseAbs().maxCoeff() <= digits;
}

// Three rows of two numbers.
class ThreeRows : public ::testing::Test {
 protected:
  const Table x_ = table({{1, 3}, {5, 4}, {2, 2}});
  const Table dy_ = table({{2, 0}, {1, -1}, {0.5, 2}});
  const Row gain_ = row({2, 1}), bias_ = row({0, 1});
};

TEST_F(ThreeRows, Forward) {
  const RowStatistics<double> statistics = row_statistics(x_);
  EXPECT_TRUE(same(statistics.mean, row({2, 4.5, 2})));
  EXPECT_TRUE(same(statistics.rstd, row({1.0000, 2.0000, 316.2278})));
  EXPECT_TRUE(same(normalised(x_, statistics), table({{-1, 1}, {1, -1}, {0, 0}})));
  EXPECT_TRUE(same(layer_norm_forward(x_, gain_, bias_), table({{-2, 2}, {2, 0}, {0, 1}})));
}

TEST_F(ThreeRows, Backward) {
  const auto gradients = layer_norm_backward(dy_, x_, gain_);
  EXPECT_TRUE(same(gradients.dgain, row({-1, 1})));
  EXPECT_TRUE(same(gradients.dbias, row({3.5, 1})));
  EXPECT_TRUE(same(gradients.dx, table({{0, 0}, {0, 0}, {-158.1139, 158.1139}}), 3e-4));
}

// One row of four numbers.
class OneRow : public ::testing::Test {
 protected:
  double loss(const Table& x) const {
    return layer_norm_forward(x, gain_, {}).cwiseProduct(dy_).sum();
  }
  const Table x_ = table({{-4, 2, 2, 4}}), dy_ = table({{3, 0, 1.5, -3}});
  const Row gain_ = row({1, 1, 2, 1});
};

TEST_F(OneRow, Forward) {
  const RowStatistics<double> statistics = row_statistics(x_);
  EXPECT_TRUE(same(statistics.mean, row({1})));
  EXPECT_TRUE(same(statistics.rstd, row({0.3333})));
  EXPECT_TRUE(same(normalised(x_, statistics), table({{-1.6667, 0.3333, 0.3333, 1}})));
}

TEST_F(OneRow, Backward) {
  const Table x_hat = normalised(x_, row_statistics(x_)), g = times_gain(dy_, gain_);
  EXPECT_TRUE(same(g, table({{3, 0, 3, -3}})));
  EXPECT_NEAR(g.mean(), 0.75, kDigits);
  EXPECT_NEAR(g.cwiseProduct(x_hat).mean(), -1.75, kDigits);
  const Table dx = layer_norm_backward(dy_, x_, gain_).dx;
  EXPECT_TRUE(same(dx, table({{-0.2222, -0.0556, 0.9444, -0.6667}})));
  EXPECT_NEAR(dx.sum(), 0, 1e-12);
  EXPECT_NEAR(dx.cwiseProduct(x_hat).sum(), 0, kDigits);
}

TEST_F(OneRow, AGradientForeseesWhatAStepDoes) {
  Table moved = x_;
  moved(0, 2) += 0.01;
  EXPECT_NEAR(loss(moved) - loss(x_), 0.0094, kDigits);
}

TEST_F(OneRow, TenTimesAsLarge) {
  EXPECT_TRUE(
      same(layer_norm_forward<double>(10 * x_, gain_, {}), layer_norm_forward(x_, gain_, {})));
  EXPECT_TRUE(same(10 * layer_norm_backward<double>(dy_, 10 * x_, gain_).dx,
                   layer_norm_backward(dy_, x_, gain_).dx));
}

TEST_F(OneRow, WithoutTheMean) {
  EXPECT_NEAR(root_mean_squares(x_).rstd[0], 0.3162, kDigits);
  EXPECT_TRUE(same(rms_norm_forward<double>(x_, {}), table({{-1.2649, 0.6325, 0.6325, 1.2649}})));
}

// "1001, 1002, 1003": what the mean of squares less the square of the mean is in floats.
TEST(ReadmeTest, Cancellation) {
  volatile float sum = 0, square_sum = 0;  // rounded at each step
  for (const float number : {1001.0f, 1002.0f, 1003.0f}) {
    sum = sum + number;
    const volatile float square = number * number;
    square_sum = square_sum + square;
  }
  const volatile float mean = sum / 3.0f, mean_square = square_sum / 3.0f, square = mean * mean;
  EXPECT_EQ(mean_square, 1004004.6875f);
  EXPECT_EQ(square, 1004004.0f);
  EXPECT_EQ(mean_square - square, 0.6875f);
  EXPECT_NEAR(row_statistics(table({{1001, 1002, 1003}})).rstd[0], 1 / std::sqrt(2.0 / 3), 1e-4);
  // Floats beyond 2^19 and below 2^20 are 1/16 apart.
  EXPECT_EQ(std::nextafter(1004004.0f, 2e6f) - 1004004.0f, 0.0625f);
}

TEST(ReadmeTest, Cost) {
  constexpr std::int64_t N = 8 * 1024, C = 768, L = 12;
  EXPECT_EQ(4 * N * C, 25'165'824);      // a pass over x
  EXPECT_EQ(2 * 4 * N * C, 50'331'648);  // forward at the least
  EXPECT_EQ(4 * 4 * N * C, 100'663'296);
  EXPECT_EQ(3 * 4 * N * C, 75'497'472);  // backward at the least
  EXPECT_EQ(7 * 4 * N * C, 176'160'768);
  EXPECT_EQ(2 * 4 * N, 65'536);      // saved
  EXPECT_EQ(8 * N * C, 50'331'648);  // FLOPs of forward
  EXPECT_EQ((2 * L + 1) * 2 * C, 38'400);
  EXPECT_EQ(98'698'752 + 38'400, 98'737'152);
  EXPECT_EQ(24 * 4 * N * C, 603'979'776);  // that fusing with the residual add saves
  EXPECT_NEAR(std::pow(1.25, 12), 14.55, 5e-3);
  EXPECT_NEAR(std::pow(0.8, 12), 0.0687, 5e-5);
}

// max(0, x) of normal numbers has the mean square 1/2 and the mean 1 / sqrt(2 pi).
TEST(ReadmeTest, WhatTheNormTakesAwayBehindMax) {
  const double pi = std::acos(-1.0), mean = 1 / std::sqrt(2 * pi);
  EXPECT_NEAR(std::sqrt(0.5 / (0.5 - mean * mean)), 1 / std::sqrt(1 - 1 / pi), 1e-12);
  EXPECT_NEAR(1 / std::sqrt(1 - 1 / pi), 1.21, 5e-3);
}

}  // namespace
}  // namespace andrea::reference
