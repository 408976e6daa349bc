#include "kernels/cross_entropy.h"

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
  int N, V, stride;
};

constexpr Size kSizes[] = {{1, 1, 1},      {1, 2, 3},       {3, 3, 3},      {2, 31, 128},
                           {33, 33, 40},   {31, 97, 97},    {5, 127, 128},  {4, 128, 131},
                           {97, 129, 256}, {7, 1000, 1024}, {3, 8449, 8576}};
constexpr float kGradientScale = 0.37f;

// Rows of V numbers, `stride` apart, with NaN between them: what lies there must not be read.
std::vector<float> strided(const std::vector<float>& numbers, int N, int V, int stride) {
  std::vector<float> result(static_cast<std::size_t>(N) * stride, NAN);
  for (int n = 0; n < N; ++n) {
    for (int v = 0; v < V; ++v) result[n * stride + v] = numbers[n * V + v];
  }
  return result;
}

void expect_reference(const std::vector<float>& numbers, const std::vector<int>& target_values,
                      int V, int stride) {
  const int N = static_cast<int>(target_values.size());
  SCOPED_TRACE(title_of("N, V, stride", {N, V, stride}));
  GuardedTensor<const float> logits("logits", {N, stride}, strided(numbers, N, V, stride));
  GuardedTensor<const int> targets("targets", {N}, target_values);
  GuardedTensor<float> losses("losses", {N}), losses_too("losses with gradients", {N});
  GuardedTensor<float> dlogits("dlogits", {N, stride}, logits.before());
  const Workspace workspace(0);

  cross_entropy_forward(logits.data(), targets.data(), losses.data(), N, V, stride,
                        workspace.launch());
  cross_entropy_forward_backward(dlogits.data(), targets.data(), losses_too.data(), kGradientScale,
                                 N, V, stride, workspace.launch());

  const auto loss = [&]<typename Scalar>(Scalar) {
    return reference::cross_entropy_forward(as_matrix<Scalar>(numbers, N, V), target_values);
  };
  // With zeros behind column V.
  const auto gradient = [&]<typename Scalar>(Scalar) {
    reference::Matrix<Scalar> all = reference::Matrix<Scalar>::Zero(N, stride);
    all.leftCols(V) = reference::cross_entropy_backward(
        as_matrix<Scalar>(numbers, N, V), target_values, static_cast<Scalar>(kGradientScale));
    return all;
  };
  double largest = 1;
  for (const float number : numbers) largest = std::max(largest, 2.0 * std::abs(number));
  EXPECT_TRUE(close(losses, loss(0.0), loss(0.0f), largest));
  EXPECT_TRUE(close(losses_too, loss(0.0), loss(0.0f), largest));
  EXPECT_TRUE(close(dlogits, gradient(0.0), gradient(0.0f), kGradientScale));
  const std::vector<float> written = dlogits.contents();
  for (int n = 0; n < N; ++n) {
    for (int v = V; v < stride; ++v) {
      ASSERT_EQ(written[n * stride + v], 0) << "behind column V: row " << n << ", column " << v;
    }
  }
}

TEST(CrossEntropyTest, FollowsTheReference) {
  RandomInputs random;
  for (const auto [N, V, stride] : kSizes) {
    expect_reference(random.numbers(std::int64_t{N} * V, 8), random.integers(N, V, -1), V, stride);
  }
}

TEST(CrossEntropyTest, UncountedRowsAreZero) {
  GuardedTensor<float> logits("logits", {2, 4}, {1, 2, 3, NAN, 4, 5, 6, NAN});
  GuardedTensor<const int> targets("targets", {2}, {-1, -1});
  GuardedTensor<float> losses("losses", {2});
  const Workspace workspace(0);
  cross_entropy_forward_backward(logits.data(), targets.data(), losses.data(), 1, 2, 3, 4,
                                 workspace.launch());
  EXPECT_EQ(losses.contents(), std::vector<float>(2));
  EXPECT_EQ(logits.contents(), std::vector<float>(8));
}

TEST(CrossEntropyTest, ExtremeLogitsStayFinite) {
  expect_reference({1000, -1000, 0.5f,       //
                    -1000, -1000, -1000,     //
                    1000, 1000, 999.5f,      //
                    -1000, 1000, -1000.5f},  //
                   {1, 2, 0, 1}, 3, 5);
}

}  // namespace
}  // namespace andrea
