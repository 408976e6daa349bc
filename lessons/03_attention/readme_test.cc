// The numbers that README.md works out by hand are those of the reference.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lessons/03_attention/reference.h"

namespace andrea::reference {
namespace {

using Table = Matrix<double>;

constexpr double kDigits = 5e-5;  // README.md has four
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Table table(std::initializer_list<std::initializer_list<double>> rows) { return Table(rows); }

bool same(const Table& a, const Table& b) { return (a - b).cwiseAbs().maxCoeff() <= kDigits; }

class ReadmeTest : public ::testing::Test {
 protected:
  const AttentionShape shape_{1, 3, 2, 1};
  const Table qkv_ = table({{1, 0, 1, 0, 1, 0}, {0, 1, 0, 2, 0, 1}, {1, 1, 1, 1, 2, 2}});
  const Table dout_ = table({{1, 0}, {0, 1}, {1, -1}});
  const Table weights_ = softmax(attention_scores(qkv_, shape_));
  const Table dweights_ = dot_products<double>(dout_, third_of(qkv_, shape_, 2), shape_, 0.0);
};

TEST_F(ReadmeTest, Forward) {
  const Table scores = attention_scores(qkv_, shape_);
  const Table expected =
      table({{0.7071, -kInfinity, -kInfinity}, {0, 1.4142, -kInfinity}, {0.7071, 1.4142, 1.4142}});
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(same(scores.row(i).head(i + 1), expected.row(i).head(i + 1)));
    for (int j = i + 1; j < 3; ++j) EXPECT_EQ(scores(i, j), -kInfinity);
  }
  EXPECT_TRUE(same(weights_, table({{1, 0, 0}, {0.1956, 0.8044, 0}, {0.1978, 0.4011, 0.4011}})));
  EXPECT_TRUE(
      same(attention_forward(qkv_, shape_), table({{1, 0}, {0.1956, 0.8044}, {1, 1.2033}})));
  EXPECT_NEAR(std::exp(-1.4142), 0.2431, kDigits);
  EXPECT_NEAR(std::exp(-0.7071), 0.4931, kDigits);
}

TEST_F(ReadmeTest, Backward) {
  EXPECT_TRUE(same(dweights_, table({{1, 0, 0}, {0, 1, 0}, {1, -1, 0}})));
  EXPECT_TRUE(same(softmax_backward(weights_, dweights_),
                   table({{0, 0, 0}, {-0.1573, 0.1573, 0}, {0.2380, -0.3196, 0.0816}})));
  EXPECT_TRUE(same(attention_backward(dout_, qkv_, shape_),
                   table({{0, 0, 0.1683, 0.0570, 1.1978, -0.0022},
                          {-0.1112, 0.2225, -0.2260, -0.1147, 0.4011, 0.4033},
                          {0.2260, -0.3942, 0.0577, 0.0577, 0.4011, -0.4011}})));
  // The row sums of weight * dweight, and what they are equal to.
  const Table sums = weights_.cwiseProduct(dweights_).rowwise().sum();
  EXPECT_TRUE(same(sums, table({{1}, {0.8044}, {-0.2033}})));
  EXPECT_TRUE(same(sums, dout_.cwiseProduct(attention_forward(qkv_, shape_)).rowwise().sum()));
}

TEST_F(ReadmeTest, TheOnlineSoftmaxOfTheLastRow) {
  // Two keys first, then the third: the same sums as at once.
  double largest = -kInfinity, sum = 0;
  for (const double score : {std::sqrt(0.5), std::sqrt(2.0), std::sqrt(2.0)}) {
    const double before = largest;
    largest = std::max(largest, score);
    sum = sum * std::exp(before - largest) + std::exp(score - largest);
  }
  EXPECT_NEAR(sum, 2.4931, kDigits);
  EXPECT_NEAR(largest + std::log(sum), 2.3277, kDigits);
  EXPECT_NEAR(log_sum_exp(attention_scores(qkv_, shape_))[2], 2.3277, kDigits);
}

TEST_F(ReadmeTest, Sizes) {
  constexpr std::int64_t B = 8, T = 1024, C = 768, H = 12, L = 12;
  EXPECT_EQ(4 * B * H * T * T, 402'653'184);        // one layer's weights
  EXPECT_EQ(4 * L * B * H * T * T, 4'831'838'208);  // all layers'
  EXPECT_EQ(4 * L * B * H * T, 4'718'592);          // log-sum-exps instead
  EXPECT_EQ(2 * B * T * T * C, 12'884'901'888);     // FLOPs of one product over all pairs
  EXPECT_EQ(T * (T + 1) / 2, 524'800);
  EXPECT_EQ(4 * B * T * C, 25'165'824);              // a [B, T, C] tensor
  EXPECT_EQ(15 * 4 * B * H * T * T, 6'039'797'760);  // fifteen passes over a layer's weights
  EXPECT_EQ(6 * 2 * B * T * T * C, 77'309'411'328);  // six products
  EXPECT_EQ(2 * T * C * 4 / 16, 393'216);            // keys and values, shared by 16 queries
}

TEST_F(ReadmeTest, RotaryPairs) {
  // A head of 4 numbers at position 1: angles 1 and 0.01.
  const AttentionShape shape{1, 2, 4, 1};
  Table qkv = Table::Zero(2, 12);
  qkv.row(1).head(4) << 1, 1, 0, 0;
  EXPECT_TRUE(
      same(rotated(qkv, shape, 1).row(1).head(4), table({{0.5403, 0.99995, 0.8415, 0.0100}})));
}

}  // namespace
}  // namespace andrea::reference
