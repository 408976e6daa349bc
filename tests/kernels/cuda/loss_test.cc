// The loss of the cuda set in float and bf16: against the reference in double of the very logits.
//
// Tolerances. A gradient is rounded once, in bf16 by at most 2^-8 of itself; the rest is what the
// reference in float loses. The columns behind V hold NaN, so that one of them counted in shows in
// the whole row; a target missed is wrong by the gradient scale.

#include "kernels/cuda/loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"
#include "tests/kernels/cuda/short_numbers.h"

namespace andrea {
namespace {

struct Size {
  int N, V, stride;
};

constexpr Size kSizes[] = {{1, 8449, 8576}, {2, 8449, 8576}, {97, 48, 64}, {97, 100, 104},
                           {2, 64, 64},     {3, 50, 51},     {1, 1, 8},    {2, 8448, 8576}};
constexpr float kGradientScale = 0.37f;

template <typename Number>
class LossTest : public ::testing::Test {
 protected:
  void expect_reference(const std::vector<Number>& numbers, const std::vector<int>& target_values,
                        int V, int stride);

  RandomInputs random_;
};

using Numbers = ::testing::Types<float, __nv_bfloat16>;
TYPED_TEST_SUITE(LossTest, Numbers);

// `numbers` are [N, V].
template <typename Number>
void LossTest<Number>::expect_reference(const std::vector<Number>& numbers,
                                        const std::vector<int>& target_values, int V, int stride) {
  const int N = static_cast<int>(target_values.size());
  SCOPED_TRACE(title_of("N, V, stride", {N, V, stride}));
  std::vector<Number> rows(static_cast<std::size_t>(N) * stride, number_of<Number>(NAN));
  for (int n = 0; n < N; ++n) std::copy_n(&numbers[n * V], V, &rows[n * stride]);
  GuardedTensor<const Number> logits("logits", {N, stride}, rows);
  GuardedTensor<Number> dlogits("dlogits", {N, stride}, rows);
  GuardedTensor<const int> targets("targets", {N}, target_values);
  GuardedTensor<float> losses("losses", {N}), losses_too("losses with gradients", {N});
  const Workspace workspace(0);

  cuda::losses_of(logits.data(), targets.data(), losses.data(), N, V, stride, workspace.launch());
  cuda::losses_and_gradients(dlogits.data(), targets.data(), losses_too.data(), kGradientScale, N,
                             V, stride, workspace.launch());

  const std::vector<float> values = values_of(numbers);
  const auto loss = [&]<typename Scalar>(Scalar) {
    return reference::cross_entropy_forward(as_matrix<Scalar>(values, N, V), target_values);
  };
  // With zeros behind column V.
  const auto gradient = [&]<typename Scalar>(Scalar) {
    reference::Matrix<Scalar> all = reference::Matrix<Scalar>::Zero(N, stride);
    all.leftCols(V) = reference::cross_entropy_backward(
        as_matrix<Scalar>(values, N, V), target_values, static_cast<Scalar>(kGradientScale));
    return all;
  };
  double largest = 1;
  for (const float value : values) largest = std::max(largest, 2.0 * std::abs(value));
  EXPECT_TRUE(close(losses, loss(0.0), loss(0.0f), largest));
  EXPECT_TRUE(bits_equal(losses.contents(), losses_too.contents()));

  const auto exact = gradient(0.0);
  const auto rounded = gradient(0.0f);
  const auto count = static_cast<std::size_t>(exact.size());
  const std::vector<Number> written = dlogits.contents();
  EXPECT_TRUE(rounded_close("dlogits", written, exact, 1,
                            {tolerance_of({exact.data(), count}, {rounded.data(), count}, 0)}));
  for (int n = 0; n < N; ++n) {
    for (int v = V; v < stride; ++v)
      ASSERT_EQ(value_of(written[n * stride + v]), 0) << n << " " << v;
  }
}

TYPED_TEST(LossTest, FollowsTheReference) {
  for (const auto [N, V, stride] : kSizes) {
    this->expect_reference(random_numbers<TypeParam>(this->random_, std::int64_t{N} * V, 8),
                           this->random_.integers(N, V, -1), V, stride);
  }
}

TYPED_TEST(LossTest, ExtremeLogitsStayFinite) {
  std::vector<TypeParam> numbers;
  for (const float value : {1000.0f, -1000.0f, 0.5f, -1000.0f, -1000.0f, -1000.0f, 1000.0f, 1000.0f,
                            996.0f, -1000.0f, 1000.0f, -1004.0f}) {
    numbers.push_back(number_of<TypeParam>(value));
  }
  this->expect_reference(numbers, {1, 2, 0, 1}, 3, 8);
}

TYPED_TEST(LossTest, ANaNAmongTheLogitsShowsInTheWholeRow) {
  std::vector<TypeParam> numbers = random_numbers<TypeParam>(this->random_, 2 * 64);
  numbers[17] = number_of<TypeParam>(NAN);
  GuardedTensor<TypeParam> logits("logits", {2, 64}, numbers);
  GuardedTensor<const int> targets("targets", {2}, {5, 5});
  GuardedTensor<float> losses("losses", {2});
  const Workspace workspace(0);
  cuda::losses_and_gradients(logits.data(), targets.data(), losses.data(), 1, 2, 64, 64,
                             workspace.launch());
  EXPECT_TRUE(std::isnan(losses.contents()[0]));
  EXPECT_TRUE(std::isfinite(losses.contents()[1]));
  const std::vector<float> gradients = values_of(logits.contents());
  for (int v = 0; v < 64; ++v) {
    EXPECT_TRUE(std::isnan(gradients[v])) << v;
    EXPECT_TRUE(std::isfinite(gradients[64 + v])) << v;
  }
}

}  // namespace
}  // namespace andrea
