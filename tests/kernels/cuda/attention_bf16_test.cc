#include <cuda_bf16.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/cuda/flash_attention.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"

namespace andrea {
namespace {

using Matrix = reference::Matrix<double>;

// Every head size there is; lengths beside and far from any tile's. The last has so many heads
// that its three tiles of keys take turns, two at a time.
constexpr AttentionShape kShapes[] = {
    {1, 1, 16, 1},          {2, 33, 48, 3},    {1, 97, 64, 2},   {2, 97, 48, 1},
    {1, 1, 64, 1},          {2, 33, 64, 1},    {1, 130, 128, 2}, {1, 257, 64, 1},
    {1, 130, 160, 2},       {1, 97, 192, 2},   {1, 130, 128, 1}, {1, 97, 128, 2, false},
    {1, 130, 80, 1, false}, {8, 130, 768, 48},
};

std::vector<__nv_bfloat16> rounded(const std::vector<float>& values) {
  std::vector<__nv_bfloat16> result;
  for (const float value : values) result.push_back(__float2bfloat16(value));
  return result;
}

std::vector<float> exact_values(const std::vector<__nv_bfloat16>& numbers) {
  std::vector<float> result;
  for (const __nv_bfloat16 number : numbers) result.push_back(__bfloat162float(number));
  return result;
}

Matrix as_doubles(const std::vector<__nv_bfloat16>& numbers, int rows, int columns) {
  return as_matrix<double>(exact_values(numbers), rows, columns);
}

// What one attention computed from its inputs.
struct AttentionRun {
  AttentionRun(const AttentionShape& shape, const std::vector<float>& qkv_values,
               const std::vector<float>& dout_values)
      : qkv("qkv", {shape.B, shape.T, 3 * shape.C}, rounded(qkv_values)),
        dout("dout", {shape.B, shape.T, shape.C}, rounded(dout_values)),
        out("out", {shape.B, shape.T, shape.C}),
        out_alone("out, nothing saved", {shape.B, shape.T, shape.C}),
        log_sum_exp("log_sum_exp", {shape.B, shape.H, shape.T}),
        dqkv("dqkv", {shape.B, shape.T, 3 * shape.C}) {
    const Workspace workspace(cuda::attention_backward_bf16_scratch_bytes(shape));
    cuda::attention_forward(qkv.data(), out_alone.data(), nullptr, shape, workspace.launch());
    cuda::attention_forward(qkv.data(), out.data(), log_sum_exp.data(), shape, workspace.launch());
    cuda::attention_backward(dout.data(), qkv.data(), out.data(), log_sum_exp.data(), dqkv.data(),
                             shape, workspace.launch());
  }

  GuardedTensor<const __nv_bfloat16> qkv, dout;
  GuardedTensor<__nv_bfloat16> out, out_alone;
  GuardedTensor<float> log_sum_exp;
  GuardedTensor<__nv_bfloat16> dqkv;
};

// How far a result may be from the exact one. Weights and dscores are rounded to bf16 before the
// products that they go into (dscores are made of rounded weights), out and the gradients after;
// everything else is float. One rounding is wrong by 2^-8 at most, relative, so
// the roundings behind a number have the variance 2^-16 times the squares of what is rounded, or
// less. Four times its root is allowed: seven standard deviations, since a rounding is on average
// wrong by less than its most.
//
// A key that is left out, or is one too many, moves some number of its row by several times that.
struct Tolerance {
  Tolerance(const Matrix& qkv, const Matrix& dout, const AttentionShape& s)
      : out(s.B * s.T, s.C), dqkv(s.B * s.T, 3 * s.C) {
    for (int b = 0; b < s.B; ++b) {
      for (int h = 0; h < s.H; ++h) of_head(qkv, dout, s, b, h);
    }
  }

  Matrix out, dqkv;

 private:
  void of_head(const Matrix& qkv, const Matrix& dout, const AttentionShape& s, int b, int h) {
    const int T = s.T, C = s.C, D = s.head_size(), row = b * T, column = h * D;
    const double scale = 1 / std::sqrt(D);
    const Matrix query = qkv.block(row, column, T, D), key = qkv.block(row, C + column, T, D);
    const Matrix value = qkv.block(row, 2 * C + column, T, D);
    const Matrix dhead = dout.block(row, column, T, D);
    Matrix weight = (scale * query * key.transpose()).array().exp();
    for (int i = 0; i < T; ++i) {
      for (int j = i + 1; j < T && s.causal; ++j) weight(i, j) = 0;
      weight.row(i) /= weight.row(i).sum();
    }
    const Matrix dweight = dhead * value.transpose();
    Matrix dscore = weight.cwiseProduct(dweight);
    const Matrix dots = dscore.rowwise().sum();
    for (int i = 0; i < T; ++i) dscore.row(i) -= dots(i, 0) * weight.row(i);

    const auto square = [](const Matrix& m) -> Matrix { return m.cwiseProduct(m); };
    const Matrix weight2 = square(weight), dscore2 = square(dscore);
    const Matrix of_out = weight2 * square(value) + square(weight * value);
    out.block(row, column, T, D) = allowed(of_out);
    // dout . out takes over what is wrong with out.
    const Matrix of_dots = square(dhead).cwiseProduct(of_out).rowwise().sum();
    Matrix of_query = 2 * dscore2 * square(key);
    for (int i = 0; i < T; ++i) {
      of_query.row(i) += of_dots(i, 0) * square(weight.row(i) * key);
    }
    of_query += square(dscore * key);
    Matrix weighted = square(query);
    for (int i = 0; i < T; ++i) weighted.row(i) *= of_dots(i, 0);
    const Matrix of_key = 2 * dscore2.transpose() * square(query) + weight2.transpose() * weighted +
                          square(dscore.transpose() * query);
    const Matrix of_value =
        weight2.transpose() * square(dhead) + square(weight.transpose() * dhead);
    dqkv.block(row, column, T, D) = allowed(scale * scale * of_query);
    dqkv.block(row, C + column, T, D) = allowed(scale * scale * of_key);
    dqkv.block(row, 2 * C + column, T, D) = allowed(of_value);
  }

  // 1e-5 for the floats on the way.
  static Matrix allowed(const Matrix& variance) {
    return (0x1p-6 * variance.array().sqrt() + 1e-5).matrix();
  }
};

::testing::AssertionResult within(const Matrix& tolerance, const std::string& name,
                                  const std::vector<__nv_bfloat16>& actual, const Matrix& exact) {
  int wrong = 0;
  std::string list;
  for (int row = 0; row < exact.rows(); ++row) {
    for (int column = 0; column < exact.cols(); ++column) {
      const double number = static_cast<double>(
          __bfloat162float(actual[static_cast<std::size_t>(row * exact.cols() + column)]));
      const double error = std::abs(number - exact(row, column));
      if (error <= tolerance(row, column)) continue;
      if (++wrong > 10) continue;
      list += "\n  row " + std::to_string(row) + ", column " + std::to_string(column) + ": " +
              std::to_string(number) + " instead of " + std::to_string(exact(row, column)) +
              ", with a tolerance of " + std::to_string(tolerance(row, column));
    }
  }
  if (wrong == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << name << ": " << wrong << " of " << exact.size()
         << " numbers are wrong; ANDREA_TEST_SEED=" << test_seed() << list;
}

void expect_reference(const AttentionShape& shape, float scale, RandomInputs& random) {
  SCOPED_TRACE(title_of("B, T, C, H, causal", {shape.B, shape.T, shape.C, shape.H, shape.causal}));
  const int N = shape.B * shape.T;
  const std::int64_t numbers = std::int64_t{N} * shape.C;
  const AttentionRun run(shape, random.numbers(3 * numbers, scale), random.numbers(numbers));
  const Matrix qkv = as_doubles(run.qkv.before(), N, 3 * shape.C);
  const Matrix dout = as_doubles(run.dout.before(), N, shape.C);
  const Tolerance tolerance(qkv, dout, shape);
  const Matrix out = reference::attention_forward<double>(qkv, shape);
  EXPECT_TRUE(within(tolerance.out, "out", run.out.contents(), out));
  EXPECT_TRUE(within(tolerance.out, "out, nothing saved", run.out_alone.contents(), out));
  EXPECT_TRUE(within(tolerance.dqkv, "dqkv", run.dqkv.contents(),
                     reference::attention_backward<double>(dout, qkv, shape)));
}

TEST(AttentionBf16Test, FollowsTheReference) {
  RandomInputs random;
  for (const AttentionShape& shape : kShapes) {
    ASSERT_EQ(cuda::attention_refusal(shape, Precision::bf16), "");
    expect_reference(shape, 2, random);
  }
}

TEST(AttentionBf16Test, LargeScoresFollowTheReference) {
  RandomInputs random;
  expect_reference({1, 97, 64, 1}, 6, random);
}

TEST(AttentionBf16Test, HugeScoresStayFinite) {
  // Scores of +1000 and -1000, the largest of them behind the mask.
  const AttentionShape shape{1, 2, 16, 1};
  std::vector<float> qkv(2 * 48), dout(2 * 16);
  const auto at = [](int t, int part) { return static_cast<std::size_t>(t * 48 + part * 16); };
  qkv[at(0, 0)] = qkv[at(1, 0)] = 4;
  qkv[at(0, 1)] = -1000;
  qkv[at(1, 1)] = 1000;
  qkv[at(0, 2)] = 3;
  qkv[at(1, 2)] = 5;
  dout[0] = 0.5f;
  dout[16] = 0.25f;
  const AttentionRun run(shape, qkv, dout);
  std::vector<float> expected_out(2 * 16), expected_dqkv(2 * 48);
  expected_out[0] = 3;
  expected_out[16] = 5;
  expected_dqkv[at(0, 2)] = 0.5f;
  expected_dqkv[at(1, 2)] = 0.25f;
  EXPECT_EQ(exact_values(run.out.contents()), expected_out);
  EXPECT_EQ(exact_values(run.dqkv.contents()), expected_dqkv);
}

TEST(AttentionBf16Test, TheLogarithmOfTheSumIsThatOfFloats) {
  RandomInputs random;
  const AttentionShape shape{2, 97, 48, 3};
  const AttentionRun run(shape, random.numbers(std::int64_t{2} * 97 * 144, 2),
                         random.numbers(std::int64_t{2} * 97 * 48));
  GuardedTensor<const float> qkv("qkv", {2, 97, 144}, exact_values(run.qkv.before()));
  GuardedTensor<float> out("out", {2, 97, 48}), log_sum_exp("log_sum_exp", {2, 3, 97});
  cuda::attention_forward(qkv.data(), out.data(), log_sum_exp.data(), shape, Launch());
  const std::vector<float> expected = log_sum_exp.contents(), is = run.log_sum_exp.contents();
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(is[k], expected[k], 1e-5) << k;
}

TEST(AttentionBf16Test, TwoRunsHaveTheSameBits) {
  RandomInputs random;
  const AttentionShape shape{1, 130, 128, 2};
  const auto qkv = random.numbers(std::int64_t{130} * 384), dout = random.numbers(130 * 128);
  const AttentionRun one(shape, qkv, dout), other(shape, qkv, dout);
  EXPECT_EQ(exact_values(one.out.contents()), exact_values(other.out.contents()));
  EXPECT_EQ(exact_values(one.dqkv.contents()), exact_values(other.dqkv.contents()));
}

TEST(AttentionRefusalTest, NamesWhatIsLacking) {
  const AttentionShape small{1, 4, 24, 1}, large{1, 4, 257, 1};
  EXPECT_EQ(cuda::attention_refusal(small), "");
  EXPECT_NE(cuda::attention_refusal(small, Precision::bf16).find("these have 24"),
            std::string::npos);
  EXPECT_NE(cuda::attention_refusal(large).find("these have 257"), std::string::npos);
  EXPECT_EQ(cuda::attention_refusal({1, 4, 256, 1}, Precision::tf32), "");
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    EXPECT_NE(cuda::attention_refusal({1, 4, 64, 1, true, true}, precision).find("rotary"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace andrea
