// The references of single operations: their gradients against central differences in double, and
// their forward passes against facts that owe nothing to their formulas.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "lessons/07_full_model/optimiser_reference.h"
#include "lessons/reference_types.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/finite_difference.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"

namespace andrea::reference {
namespace {

using Table = Matrix<double>;
using Row = Vector<double>;

constexpr double kGradientError = 1e-8;

class ReferenceTest : public ::testing::Test {
 protected:
  Table random_table(int rows, int columns) {
    return as_matrix<double>(random_.numbers(std::int64_t{rows} * columns), rows, columns);
  }
  Row random_row(int size) { return as_vector<double>(random_.numbers(size)); }

  RandomInputs random_;
};

// The loss whose gradient with respect to `out` is `dout`.
double dot(const Table& dout, const Table& out) { return (dout.array() * out.array()).sum(); }

using EmbeddingReferenceTest = ReferenceTest;

TEST_F(EmbeddingReferenceTest, EqualsOneHotTimesTable) {
  const std::vector<int> tokens = {2, 0, 2, 4, 1, 3};
  const Table table = random_table(5, 3), positions = random_table(4, 3);
  Table one_hot = Table::Zero(6, 5), one_hot_position = Table::Zero(6, 4);
  for (int n = 0; n < 6; ++n) one_hot(n, tokens[n]) = one_hot_position(n, n % 3) = 1;

  EXPECT_EQ(embedding_forward(tokens, 3, table, positions),
            one_hot * table + one_hot_position * positions);
  EXPECT_EQ(embedding_forward(tokens, 3, table, Table()), one_hot * table);
}

TEST_F(EmbeddingReferenceTest, GradientIsThatOfCentralDifferences) {
  const std::vector<int> tokens = {2, 0, 2, 2, 1, 0};  // repeated within and across sequences
  Table table = random_table(5, 3), positions = random_table(3, 3);
  const Table dout = random_table(6, 3);
  const auto gradients = embedding_backward(dout, tokens, 3, 5);
  const auto loss = [&] { return dot(dout, embedding_forward(tokens, 3, table, positions)); };
  EXPECT_LT(gradient_error(loss, table, gradients.dtoken_table), kGradientError);
  EXPECT_LT(gradient_error(loss, positions, gradients.dposition_table), kGradientError);
  EXPECT_TRUE(gradients.dtoken_table.bottomRows(2).isZero(0));
}

using DotSimilarityReferenceTest = ReferenceTest;

TEST_F(DotSimilarityReferenceTest, ARowWithItselfIsItsSquaredLength) {
  const Table x = random_table(4, 7);
  const Table out = dot_similarity_forward(x, x);
  for (int n = 0; n < 4; ++n) EXPECT_DOUBLE_EQ(out(n, n), std::pow(x.row(n).norm(), 2));

  const Table right = Table::Identity(3, 7).topRows(2), other = Table::Identity(3, 7).bottomRows(1);
  EXPECT_TRUE(dot_similarity_forward(right, other).isZero(0)) << "perpendicular rows";
}

TEST_F(DotSimilarityReferenceTest, GradientIsThatOfCentralDifferences) {
  Table x = random_table(4, 3), table = random_table(5, 3);
  const Table dout = random_table(4, 5);
  const auto gradients = dot_similarity_backward(dout, x, table);
  const auto loss = [&] { return dot(dout, dot_similarity_forward(x, table)); };
  EXPECT_LT(gradient_error(loss, x, gradients.dx), kGradientError);
  EXPECT_LT(gradient_error(loss, table, gradients.dtable), kGradientError);
}

using AttentionReferenceTest = ReferenceTest;

TEST_F(AttentionReferenceTest, WeightsAreProbabilitiesAndCausal) {
  const Table qkv = random_table(6, 15);
  for (const bool causal : {true, false}) {
    const Table weight = softmax(attention_scores(qkv, AttentionShape{1, 6, 5, 1, causal}));
    EXPECT_TRUE(weight.rowwise().sum().isOnes(1e-14));
    EXPECT_GE(weight.minCoeff(), 0);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) EXPECT_EQ(weight(i, j) == 0, causal && j > i);
    }
  }
}

TEST_F(AttentionReferenceTest, OneTokenReceivesItsOwnValue) {
  const AttentionShape shape{2, 1, 6, 3};
  const Table qkv = random_table(2, 18);
  EXPECT_TRUE(attention_forward(qkv, shape).isApprox(qkv.rightCols(6), 1e-15));
}

TEST_F(AttentionReferenceTest, EqualKeysAverageTheValuesSeen) {
  const AttentionShape shape{1, 4, 2, 1};
  Table qkv = random_table(4, 6);
  qkv.middleCols(2, 2).setConstant(0.5);
  const Table out = attention_forward(qkv, shape);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(out.row(i).isApprox(qkv.block(0, 4, i + 1, 2).colwise().mean(), 1e-14));
  }
}

TEST_F(AttentionReferenceTest, AWholeHeadIsWorkedOutByHand) {
  // T = 2, C = 1: the second token's scores are 2 ln 2 and 0, so its weights are 4/5 and 1/5.
  Table qkv(2, 3);
  qkv << 7, std::log(2.0), 10,  //
      2, 0, 20;
  const Table out = attention_forward(qkv, AttentionShape{1, 2, 1, 1});
  EXPECT_DOUBLE_EQ(out(0, 0), 10);
  EXPECT_NEAR(out(1, 0), 12, 1e-14);
}

TEST_F(AttentionReferenceTest, HugeScoresStayFinite) {
  // Masked and unmasked scores of +1000 and -1000.
  Table qkv(2, 3);
  qkv << 1, -1000, 3,  //
      1, 1000, 5;
  for (const bool causal : {true, false}) {
    const AttentionShape shape{1, 2, 1, 1, causal};
    const Table out = attention_forward(qkv, shape);
    EXPECT_EQ(out(0, 0), causal ? 3 : 5);
    EXPECT_EQ(out(1, 0), 5);
    EXPECT_TRUE(attention_backward(random_table(2, 1), qkv, shape).allFinite());
    EXPECT_TRUE(attention_forward<float>(qkv.cast<float>(), shape).allFinite());
  }
}

TEST_F(AttentionReferenceTest, GradientIsThatOfCentralDifferences) {
  for (const bool causal : {true, false}) {
    const AttentionShape shape{2, 4, 6, 3, causal};
    Table qkv = random_table(8, 18);
    const Table dout = random_table(8, 6);
    const auto loss = [&] { return dot(dout, attention_forward(qkv, shape)); };
    EXPECT_LT(gradient_error(loss, qkv, attention_backward(dout, qkv, shape)), kGradientError);
  }
}

TEST_F(AttentionReferenceTest, RefusesRotaryPositions) {
  const AttentionShape shape{1, 2, 4, 1, true, true};
  EXPECT_THROW(attention_forward(random_table(2, 12), shape), std::invalid_argument);
  EXPECT_THROW(attention_backward(random_table(2, 4), random_table(2, 12), shape),
               std::invalid_argument);
}

TEST_F(AttentionReferenceTest, RotaryScoresDependOnDistanceAlone) {
  const AttentionShape shape{1, 7, 8, 2, false};
  const Table qkv = random_table(1, 24).replicate(7, 1);  // the same token at every position
  const Table scores = attention_scores(rotated(qkv, shape, 1), shape);
  for (const int h : {0, 1}) {
    for (int i = 1; i < 7; ++i) {
      EXPECT_TRUE(scores.row(h * 7 + i).tail(6).isApprox(scores.row(h * 7 + i - 1).head(6), 1e-12));
    }
  }
  EXPECT_FALSE(scores.row(0).isApprox(scores.row(1), 1e-2));
  EXPECT_TRUE(rotated(rotated(qkv, shape, 1), shape, -1).isApprox(qkv, 1e-14));
}

using LayerNormReferenceTest = ReferenceTest;

TEST_F(LayerNormReferenceTest, RowsHaveMeanZeroAndVarianceOne) {
  const Table x = 3 * random_table(4, 50).array() + 7;
  const Table y = layer_norm_forward(x, Row(), Row());
  for (int n = 0; n < 4; ++n) {
    EXPECT_NEAR(y.row(n).mean(), 0, 1e-14);
    EXPECT_NEAR(y.row(n).squaredNorm() / 50, 1, 1e-4) << "the epsilon takes a little away";
  }
  const Row gain = random_row(50), bias = random_row(50);
  EXPECT_TRUE(
      layer_norm_forward(x, gain, bias).isApprox((y * gain.asDiagonal()).rowwise() + bias, 1e-14));
}

TEST_F(LayerNormReferenceTest, AConstantRowBecomesTheBias) {
  const Row bias = random_row(5);
  const Table x = Table::Constant(1, 5, 3.0);
  EXPECT_EQ(layer_norm_forward(x, random_row(5), bias), bias);
}

TEST_F(LayerNormReferenceTest, GradientIsThatOfCentralDifferences) {
  Table x = random_table(3, 5);
  Row gain = random_row(5), bias = random_row(5);
  const Table dy = random_table(3, 5);
  const auto gradients = layer_norm_backward(dy, x, gain);
  const auto loss = [&] { return dot(dy, layer_norm_forward(x, gain, bias)); };
  EXPECT_LT(gradient_error(loss, x, gradients.dx), kGradientError);
  EXPECT_LT(gradient_error(loss, gain, gradients.dgain), kGradientError);
  EXPECT_LT(gradient_error(loss, bias, gradients.dbias), kGradientError);

  const auto plain = [&] { return dot(dy, layer_norm_forward(x, Row(), Row())); };
  EXPECT_LT(gradient_error(plain, x, layer_norm_backward(dy, x, Row()).dx), kGradientError);
}

using MlpReferenceTest = ReferenceTest;

TEST_F(MlpReferenceTest, LinearLayerIsWorkedOutByHand) {
  Table x(1, 2), weight(2, 3);
  Row bias(3);
  x << 2, 3;
  weight << 1, 10, 100,  //
      4, 40, 400;
  bias << 0.5, 0.25, 0.125;
  EXPECT_EQ(linear_forward(x, weight, bias), (Row(3) << 14.5, 140.25, 1400.125).finished());
  EXPECT_EQ(linear_forward(x, weight, Row()), (Row(3) << 14, 140, 1400).finished());
}

TEST_F(MlpReferenceTest, LinearGradientIsThatOfCentralDifferences) {
  Table x = random_table(4, 3), weight = random_table(3, 5);
  Row bias = random_row(5);
  const Table dy = random_table(4, 5);
  const auto gradients = linear_backward(dy, x, weight);
  const auto loss = [&] { return dot(dy, linear_forward(x, weight, bias)); };
  EXPECT_LT(gradient_error(loss, x, gradients.dx), kGradientError);
  EXPECT_LT(gradient_error(loss, weight, gradients.dweight), kGradientError);
  EXPECT_LT(gradient_error(loss, bias, gradients.dbias), kGradientError);
}

TEST_F(MlpReferenceTest, ActivationsHaveTheirKnownValues) {
  EXPECT_EQ(gelu(0.0).value, 0);
  EXPECT_NEAR(gelu(1.0).value, 0.84119, 5e-6);
  EXPECT_NEAR(gelu_erf(1.0).value, 0.84134, 5e-6);
  EXPECT_NEAR(gelu(-0.752).value, -0.170, 5e-4);
  EXPECT_NEAR(gelu(-0.752).derivative, 0, 1e-3) << "its minimum";
  EXPECT_EQ(relu(0.0).derivative, 0);
  EXPECT_EQ(relu(-2.0).value, 0);
  EXPECT_EQ(relu(2.0).value, 2);
  EXPECT_NEAR(silu(1.0).value, 0.731058578630005, 1e-15);

  // The tanh form is within 4.7e-4 of the exact one; farthest at |x| = 2.70.
  double largest = 0, where = 0;
  for (double x = -6; x < 6; x += 0.001) {
    const double difference = std::abs(gelu(x).value - gelu_erf(x).value);
    if (difference > largest) largest = difference, where = x;
  }
  EXPECT_NEAR(largest, 4.7e-4, 1e-5);
  EXPECT_NEAR(std::abs(where), 2.70, 0.02);
}

TEST_F(MlpReferenceTest, ActivationsSurviveLargeNumbers) {
  for (const Activation kind : {Activation::gelu, Activation::gelu_erf, Activation::relu}) {
    EXPECT_EQ(activate(kind, 1000.0f).value, 1000) << static_cast<int>(kind);
    EXPECT_EQ(activate(kind, 1000.0f).derivative, 1) << static_cast<int>(kind);
    EXPECT_EQ(activate(kind, -1000.0f).value, 0) << static_cast<int>(kind);
    EXPECT_EQ(activate(kind, -1000.0f).derivative, 0) << static_cast<int>(kind);
  }
  EXPECT_EQ(activate(Activation::swiglu, -1000.0f).value, 0);
  EXPECT_EQ(activate(Activation::swiglu, -1000.0f).derivative, 0);
}

TEST_F(MlpReferenceTest, SwigluGatesItsSecondHalf) {
  const Table x = random_table(2, 6);
  const Table y = activation_forward(Activation::swiglu, x);
  ASSERT_EQ(y.cols(), 3);
  for (int c = 0; c < 3; ++c) EXPECT_DOUBLE_EQ(y(1, c), silu(x(1, c)).value * x(1, c + 3));
}

TEST_F(MlpReferenceTest, ActivationGradientIsThatOfCentralDifferences) {
  for (const Activation kind :
       {Activation::gelu, Activation::gelu_erf, Activation::relu, Activation::swiglu}) {
    Table x = 3 * random_table(4, 6);
    // Off relu's corner, where the two sides of a difference disagree.
    x = x.unaryExpr([](double a) { return std::abs(a) < 1e-3 ? 1e-3 : a; });
    const Table dy = random_table(4, kind == Activation::swiglu ? 3 : 6);
    const auto loss = [&] { return dot(dy, activation_forward(kind, x)); };
    EXPECT_LT(gradient_error(loss, x, activation_backward(kind, dy, x)), kGradientError)
        << static_cast<int>(kind);
  }
}

using ResidualReferenceTest = ReferenceTest;

TEST_F(ResidualReferenceTest, GradientIsThatOfCentralDifferences) {
  // The stream is read twice: as it is, and by a sublayer whose own gradient is dbranch.
  Table stream = random_table(3, 4);
  const Table dout = random_table(3, 4);
  const auto loss = [&] {
    return dot(dout, residual_forward(stream, activation_forward(Activation::gelu, stream)));
  };
  const Table dbranch = activation_backward(Activation::gelu, dout, stream);
  EXPECT_LT(gradient_error(loss, stream, residual_backward(dout, dbranch)), kGradientError);
}

using CrossEntropyReferenceTest = ReferenceTest;

TEST_F(CrossEntropyReferenceTest, UniformLogitsCostTheLogarithmOfTheVocabulary) {
  const Table logits = Table::Constant(2, 8449, 0.3);
  const Row losses = cross_entropy_forward(logits, {0, 8448});
  EXPECT_NEAR(losses[0], 9.0418, 5e-5);
  EXPECT_NEAR(losses[1], std::log(8449), 1e-12);
}

TEST_F(CrossEntropyReferenceTest, UncountedRowsCostNothing) {
  const Table logits = random_table(3, 5);
  const std::vector<int> targets = {1, -1, 4};
  EXPECT_EQ(cross_entropy_forward(logits, targets)[1], 0);
  const Table dlogits = cross_entropy_backward(logits, targets, 0.5);
  EXPECT_TRUE(dlogits.row(1).isZero(0));
  EXPECT_TRUE(dlogits.rowwise().sum().isZero(1e-15)) << "a softmax less a one-hot row";
}

TEST_F(CrossEntropyReferenceTest, ExtremeLogitsStayFinite) {
  Matrix<float> logits(2, 3);
  logits << 1000, -1000, 0,  //
      -1000, -1000, -1000;
  const Vector<float> losses = cross_entropy_forward(logits, {1, 2});
  EXPECT_EQ(losses[0], 2000);
  EXPECT_FLOAT_EQ(losses[1], std::log(3.0f));
  EXPECT_TRUE(cross_entropy_backward(logits, {1, 2}, 1.0f).allFinite());
}

TEST_F(CrossEntropyReferenceTest, GradientIsThatOfCentralDifferences) {
  Table logits = 3 * random_table(4, 7);
  const std::vector<int> targets = {6, -1, 0, 3};
  const double scale = 1.0 / 3;
  const auto loss = [&] { return scale * cross_entropy_forward(logits, targets).sum(); };
  EXPECT_LT(gradient_error(loss, logits, cross_entropy_backward(logits, targets, scale)),
            kGradientError);
}

TEST(GlobalNormReferenceTest, ClipsOnlyWhatIsLonger) {
  const Row gradients = (Row(2) << 3, -4).finished();
  EXPECT_EQ(global_norm(gradients, 1.0).gradient_norm, 5);
  EXPECT_EQ(global_norm(gradients, 1.0).clip_scale, 0.2);
  EXPECT_EQ(global_norm(gradients, 5.0).clip_scale, 1);
  EXPECT_EQ(global_norm(gradients, 0.0).clip_scale, 1) << "0 switches clipping off";

  const Row infinite = (Row(2) << 3, INFINITY).finished();
  EXPECT_EQ(global_norm(infinite, 1.0).gradient_norm, INFINITY);
  EXPECT_TRUE(std::isnan(global_norm(infinite, 1.0).clip_scale));
  const Row broken = (Row(2) << 3, NAN).finished();
  EXPECT_TRUE(std::isnan(global_norm(broken, 1.0).gradient_norm));
  EXPECT_TRUE(std::isnan(global_norm(broken, 1.0).clip_scale));
}

AdamWState<double> fresh_state(const Row& parameters) {
  return {parameters, Row::Zero(parameters.size()), Row::Zero(parameters.size())};
}

TEST(AdamWReferenceTest, TheFirstStepHasTheLengthOfTheLearningRate) {
  // m_hat = g and v_hat = g^2, whatever g: the step is the sign of g times the learning rate.
  auto state = fresh_state((Row(3) << 1, 1, 1).finished());
  AdamWOptions options;
  options.weight_decay = 0;
  adamw<double>(state, (Row(3) << 1e-3, -250, 7).finished(), 3, options, 1, 0.01, 1);
  EXPECT_NEAR(state.parameters[0], 0.99, 1e-6);
  EXPECT_NEAR(state.parameters[1], 1.01, 1e-6);
  EXPECT_NEAR(state.parameters[2], 0.99, 1e-6);
}

TEST(AdamWReferenceTest, OnlyThePrefixDecays) {
  auto state = fresh_state((Row(3) << 2, 2, 2).finished());
  AdamWOptions options;
  options.weight_decay = 0.5f;
  adamw<double>(state, Row::Zero(3), 2, options, 1, 0.01, 1);
  EXPECT_DOUBLE_EQ(state.parameters[0], 2 - 0.01 * 0.5 * 2);
  EXPECT_DOUBLE_EQ(state.parameters[1], 2 - 0.01 * 0.5 * 2);
  EXPECT_EQ(state.parameters[2], 2);
}

TEST(AdamWReferenceTest, AConstantGradientKeepsItsCorrectedMoments) {
  auto state = fresh_state(Row::Zero(1));
  AdamWOptions options;
  const Row gradient = Row::Constant(1, 4.0);
  for (int step = 1; step <= 20; ++step) {
    adamw<double>(state, gradient, 0, options, step, 0.01, 0.5);
    EXPECT_NEAR(state.first_moments[0] / (1 - std::pow(double{options.beta1}, step)), 2, 1e-12);
    EXPECT_NEAR(state.second_moments[0] / (1 - std::pow(double{options.beta2}, step)), 4, 1e-10);
    EXPECT_NEAR(state.parameters[0], -0.01 * step, 1e-8);
  }
}

}  // namespace
}  // namespace andrea::reference
