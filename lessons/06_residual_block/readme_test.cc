// The numbers that README.md works out by hand are those of the reference.

#include <gtest/gtest.h>

#include <cmath>

#include "lessons/06_residual_block/reference.h"

namespace andrea::reference {
namespace {

using Table = Matrix<double>;

constexpr double kDigits = 6e-5;  // README.md has four, of numbers without epsilon

Table table(std::initializer_list<std::initializer_list<double>> rows) { return Table(rows); }

bool same(const Table& a, const Table& b) { return (a - b).cwiseAbs().maxCoeff() <= kDigits; }

class ReadmeTest : public ::testing::Test {
 protected:
  ReadmeTest() : weights_(config(), {}) {
    weights_.qkv = table({{0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 2}});
    weights_.out = table({{1, 0}, {0, 0.5}});
    weights_.expand = table({{1, 0}, {0, 1}});
    weights_.contract = table({{2, 0}, {0, -1}});
    attention_sublayer(weights_, shape_, x_, states_);
    mlp_sublayer(weights_, Activation::gelu, states_);
  }

  static ModelConfig config() {
    ModelConfig config;
    config.width = config.mlp_width = 2;
    return config;
  }

  const AttentionShape shape_{1, 3, 2, 1};
  const Table x_ = table({{2, 0}, {0, 2}, {3, 1}});
  BlockWeights<double> weights_;
  BlockStates<double> states_;
};

TEST_F(ReadmeTest, Forward) {
  EXPECT_TRUE(same(states_.norm1, table({{1, -1}, {-1, 1}, {1, -1}})));
  EXPECT_TRUE(same(states_.qkv.rightCols(2), table({{1, -2}, {-1, 2}, {1, -2}})));
  EXPECT_TRUE(same(states_.attended, table({{1, -2}, {0, 0}, {0.3333, -0.6667}})));
  EXPECT_TRUE(same(states_.middle, table({{3, -1}, {0, 2}, {3.3333, 0.6667}})));
  EXPECT_TRUE(same(states_.norm2, table({{1, -1}, {-1, 1}, {1, -1}})));
  EXPECT_TRUE(
      same(states_.activated, table({{0.8412, -0.1588}, {-0.1588, 0.8412}, {0.8412, -0.1588}})));
  EXPECT_TRUE(same(states_.y, table({{4.6824, -0.8412}, {-0.3176, 1.1588}, {5.0157, 0.8255}})));
}

TEST_F(ReadmeTest, Backward) {
  const Table dy = table({{1, 0}, {0, 1}, {1, -1}});
  const auto mlp = mlp_sublayer_backward(weights_, Activation::gelu, dy, states_);
  EXPECT_NEAR(gelu(1.0).derivative, 1.0830, kDigits);
  EXPECT_NEAR(gelu(-1.0).derivative, -0.0830, kDigits);
  EXPECT_TRUE(same(mlp.contract.dx, table({{2, 0}, {0, -1}, {2, 1}})));
  EXPECT_TRUE(same(mlp.dexpanded, table({{2.1659, 0}, {0, -1.0830}, {2.1659, -0.0830}})));
  EXPECT_TRUE(same(mlp.expand.dx, mlp.dexpanded));
  EXPECT_TRUE(same(mlp.norm2.dx, Table::Zero(3, 2)));
  EXPECT_TRUE(same(mlp.dmiddle, dy));
  EXPECT_NEAR(mlp.contract.dweight(0, 0), 1.6824, kDigits);
  const auto attention = attention_sublayer_backward(weights_, shape_, mlp.dmiddle, x_, states_);
  EXPECT_TRUE(same(attention.dx, dy));
}

TEST_F(ReadmeTest, ARowOfThree) {
  const Table x = table({{2, -1, -1}}), dy = table({{0, 1, 0}});
  const Vector<double> gain = Vector<double>::Constant(3, 2);
  EXPECT_TRUE(same(layer_norm_forward(x, {}, {}), table({{1.4142, -0.7071, -0.7071}})));
  EXPECT_TRUE(same(residual_forward<double>(x, layer_norm_forward(x, gain, {})),
                   table({{4.8284, -2.4142, -2.4142}})));
  const Table dbranch = layer_norm_backward(dy, x, gain).dx;
  EXPECT_TRUE(same(dbranch, table({{0, 0.7071, -0.7071}})));
  EXPECT_TRUE(same(residual_backward<double>(dy, dbranch), table({{0, 1.7071, -0.7071}})));
}

TEST_F(ReadmeTest, Sizes) {
  constexpr std::int64_t N = 8 * 1024, T = 1024, C = 768, F = 3072, H = 12, L = 12;
  EXPECT_EQ(4 * N * C, 25'165'824);
  EXPECT_EQ(3 * 4 * N * C, 75'497'472);  // two read, one written
  EXPECT_EQ(N * C, 6'291'456);
  constexpr std::int64_t kStates = 4 * N * (7 * C + 2 * F), kWeights = 4 * 8 * H * T * T;
  EXPECT_EQ(kStates, 377'487'360);
  EXPECT_EQ(kStates + kWeights, 780'140'544);
  EXPECT_EQ(L * kStates, 4'529'848'320);
  EXPECT_EQ(L * (kStates + kWeights), 9'361'686'528);
  EXPECT_EQ(2 * N * (4 * C * C + 2 * C * F), 115'964'116'992);
  EXPECT_EQ(4 * N * (4 * C * C + 2 * C * F), 231'928'233'984);
  constexpr std::int64_t kMlp = 2 * C * F + F + C;
  constexpr std::int64_t kBlock = 4 * C * C + 4 * C + kMlp + 4 * C;
  EXPECT_EQ(kBlock, 7'087'872);
  EXPECT_EQ(4 * kBlock, 28'351'488);
  EXPECT_EQ(L * kBlock, 85'054'464);
  EXPECT_EQ(L * kMlp, 56'669'184);
  const auto percent = [](std::int64_t part, std::int64_t whole) {
    return std::round(1000.0 * static_cast<double>(part) / static_cast<double>(whole)) / 10;
  };
  EXPECT_EQ(percent(L * kBlock, 98'820'096), 86.1);
  EXPECT_EQ(percent(L * kBlock, 92'331'264), 92.1);
  EXPECT_EQ(percent(L * kMlp, 98'820'096), 57.3);
  EXPECT_NEAR(std::pow(1.1, 12), 3.1, 0.05);
}

}  // namespace
}  // namespace andrea::reference
