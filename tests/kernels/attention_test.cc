#include "kernels/attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"

namespace andrea {
namespace {

struct Size {
  int B, T, C, H;
};

// Odd head sizes, odd numbers of heads, lengths beside and far from any tile's.
constexpr Size kSizes[] = {{1, 1, 1, 1},    {2, 1, 48, 3},   {1, 2, 5, 1},    {3, 3, 15, 3},
                           {1, 31, 64, 1},  {2, 33, 48, 3},  {2, 64, 16, 1},  {1, 65, 7, 1},
                           {2, 97, 15, 3},  {1, 127, 8, 1},  {1, 128, 32, 2}, {1, 129, 6, 3},
                           {2, 130, 10, 2}, {1, 257, 64, 1}, {1, 257, 15, 3}, {1, 530, 5, 1}};

// What one attention computed from its inputs.
struct AttentionRun {
  AttentionRun(const AttentionShape& shape, std::vector<float> qkv_values,
               std::vector<float> dout_values)
      : qkv("qkv", {shape.B, shape.T, 3 * shape.C}, std::move(qkv_values)),
        dout("dout", {shape.B, shape.T, shape.C}, std::move(dout_values)),
        out("out", {shape.B, shape.T, shape.C}),
        out_alone("out, nothing saved", {shape.B, shape.T, shape.C}),
        dqkv("dqkv", {shape.B, shape.T, 3 * shape.C}) {
    const Workspace workspace(attention_scratch_bytes(shape));
    GuardedTensor<std::byte> saved("saved",
                                   {static_cast<std::int64_t>(attention_saved_bytes(shape))});
    attention_forward(qkv.data(), out_alone.data(), nullptr, shape, workspace.launch());
    attention_forward(qkv.data(), out.data(), saved.data(), shape, workspace.launch());
    attention_backward(dout.data(), qkv.data(), out.data(), saved.data(), dqkv.data(), shape,
                       workspace.launch());
  }

  GuardedTensor<const float> qkv, dout;
  GuardedTensor<float> out, out_alone, dqkv;
};

template <typename Scalar>
reference::Matrix<Scalar> expected_out(const AttentionRun& run, const AttentionShape& shape) {
  return reference::attention_forward(
      as_matrix<Scalar>(run.qkv.before(), shape.B * shape.T, 3 * shape.C), shape);
}

template <typename Scalar>
reference::Matrix<Scalar> expected_dqkv(const AttentionRun& run, const AttentionShape& shape) {
  return reference::attention_backward(
      as_matrix<Scalar>(run.dout.before(), shape.B * shape.T, shape.C),
      as_matrix<Scalar>(run.qkv.before(), shape.B * shape.T, 3 * shape.C), shape);
}

// The sums behind one number, for inputs between -scale and scale.
double largest_score(const AttentionShape& shape, double scale) {
  return scale * scale * std::sqrt(static_cast<double>(shape.head_size()));
}

void expect_reference(const AttentionShape& shape, float scale, RandomInputs& random) {
  SCOPED_TRACE(title_of("B, T, C, H, causal", {shape.B, shape.T, shape.C, shape.H, shape.causal}));
  const std::int64_t numbers = std::int64_t{shape.B} * shape.T * shape.C;
  const AttentionRun run(shape, random.numbers(3 * numbers, scale), random.numbers(numbers));
  // An error of a score is a relative error of its weight.
  const double accumulated = scale * (1 + largest_score(shape, scale));
  const auto out = expected_out<double>(run, shape);
  const auto out_rounded = expected_out<float>(run, shape);
  EXPECT_TRUE(close(run.out, out, out_rounded, accumulated));
  EXPECT_TRUE(close(run.out_alone, out, out_rounded, accumulated));
  EXPECT_TRUE(close(run.dqkv, expected_dqkv<double>(run, shape), expected_dqkv<float>(run, shape),
                    scale * accumulated));
}

TEST(AttentionTest, CausalFollowsTheReference) {
  RandomInputs random;
  for (const auto [B, T, C, H] : kSizes) {
    ASSERT_EQ(attention_supports({B, T, C, H}), "");
    expect_reference({B, T, C, H}, 2, random);
  }
}

TEST(AttentionTest, NotCausalFollowsTheReferenceWhereSupported) {
  RandomInputs random;
  for (const auto [B, T, C, H] : kSizes) {
    const AttentionShape shape{B, T, C, H, false};
    if (attention_supports(shape).empty()) expect_reference(shape, 2, random);
  }
}

TEST(AttentionTest, HugeScoresStayFinite) {
  // Scores of +1000 and -1000, the largest of them behind the mask.
  const AttentionShape shape{1, 2, 1, 1};
  const AttentionRun run(shape, {1, -1000, 3, 1, 1000, 5}, {0.5f, 0.25f});
  EXPECT_EQ(run.out.contents(), (std::vector<float>{3, 5}));
  EXPECT_EQ(run.dqkv.contents(), (std::vector<float>{0, 0, 0.5f, 0, 0, 0.25f}));
}

TEST(AttentionTest, LargeScoresFollowTheReference) {
  RandomInputs random;
  expect_reference({2, 130, 48, 3}, 8, random);
}

}  // namespace
}  // namespace andrea
