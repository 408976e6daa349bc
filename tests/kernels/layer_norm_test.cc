#include "kernels/layer_norm.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  int N, C;
};

constexpr Size kSizes[] = {{1, 1},   {2, 2},    {1, 3},     {3, 31},   {33, 33}, {31, 97},
                           {2, 127}, {97, 128}, {130, 129}, {260, 48}, {1, 260}};

// Rounding of x, as it stands in a row of small variance: x - mean cancels, and rstd enlarges what
// is left. The factor by which the results below are coarser than their own size.
double coarseness(const std::vector<float>& x, int N, int C) {
  const auto rows = as_matrix<double>(x, N, C);
  double coarsest = 1;
  for (int n = 0; n < N; ++n) {
    const double rstd = reference::normalise<double>(rows.row(n)).rstd;
    coarsest = std::max(coarsest, rstd * rows.row(n).cwiseAbs().maxCoeff());
  }
  return coarsest;
}

double largest_rstd(const std::vector<float>& x, int N, int C) {
  const auto rows = as_matrix<double>(x, N, C);
  double largest = 0;
  for (int n = 0; n < N; ++n) {
    largest = std::max(largest, reference::normalise<double>(rows.row(n)).rstd);
  }
  return largest;
}

// Runs forward and backward for one set of inputs. Gain and bias, and their gradients, are absent
// as told.
void expect_reference(std::vector<float> x_values, int N, int C, bool has_gain, bool has_bias,
                      Accumulate accumulate, RandomInputs& random) {
  SCOPED_TRACE(
      title_of("N, C, gain, bias, add", {N, C, has_gain, has_bias, accumulate == Accumulate::add}));
  GuardedTensor<const float> x("x", {N, C}, std::move(x_values));
  GuardedTensor<const float> gain("gain", {C}, random.numbers(C));
  GuardedTensor<const float> bias("bias", {C}, random.numbers(C));
  GuardedTensor<const float> dy("dy", {N, C}, random.numbers(std::int64_t{N} * C));
  GuardedTensor<float> y("y", {N, C}), y_alone("y, nothing saved", {N, C}), dx("dx", {N, C});
  auto dgain = gradient_tensor("dgain", {C}, accumulate, random.numbers(C));
  auto dbias = gradient_tensor("dbias", {C}, accumulate, random.numbers(C));
  GuardedTensor<std::byte> saved("saved",
                                 {static_cast<std::int64_t>(layer_norm_saved_bytes(N, C))});
  const Workspace workspace(layer_norm_scratch_bytes(N, C));
  const float* gain_pointer = has_gain ? gain.data() : nullptr;
  const float* bias_pointer = has_bias ? bias.data() : nullptr;

  layer_norm_forward(x.data(), gain_pointer, bias_pointer, y_alone.data(), nullptr, N, C,
                     workspace.launch());
  layer_norm_forward(x.data(), gain_pointer, bias_pointer, y.data(), saved.data(), N, C,
                     workspace.launch());
  layer_norm_backward(dy.data(), x.data(), gain_pointer, saved.data(), dx.data(),
                      has_gain ? dgain.data() : nullptr, has_bias ? dbias.data() : nullptr, N, C,
                      accumulate, workspace.launch());

  const auto forward = [&]<typename Scalar>(Scalar) {
    return reference::layer_norm_forward(
        as_matrix<Scalar>(x.before(), N, C),
        has_gain ? as_vector<Scalar>(gain.before()) : reference::Vector<Scalar>(),
        has_bias ? as_vector<Scalar>(bias.before()) : reference::Vector<Scalar>());
  };
  const auto backward = [&]<typename Scalar>(Scalar) {
    return reference::layer_norm_backward(
        as_matrix<Scalar>(dy.before(), N, C), as_matrix<Scalar>(x.before(), N, C),
        has_gain ? as_vector<Scalar>(gain.before()) : reference::Vector<Scalar>());
  };
  const double coarse = 2 * coarseness(x.before(), N, C);
  const auto exact = backward(0.0);
  const auto rounded = backward(0.0f);
  EXPECT_TRUE(close(y, forward(0.0), forward(0.0f), coarse));
  EXPECT_TRUE(close(y_alone, forward(0.0), forward(0.0f), coarse));
  EXPECT_TRUE(close(dx, exact.dx, rounded.dx, coarse * largest_rstd(x.before(), N, C)));
  if (has_gain) {
    EXPECT_TRUE(gradient_close(dgain, exact.dgain, rounded.dgain, N * coarse));
  }
  if (has_bias) {
    EXPECT_TRUE(gradient_close(dbias, exact.dbias, rounded.dbias, N + 1));
  }
}

TEST(LayerNormTest, FollowsTheReference) {
  RandomInputs random;
  for (const auto [N, C] : kSizes) {
    for (const Accumulate accumulate : kBothWays) {
      for (const bool has_gain : {true, false}) {
        for (const bool has_bias : {true, false}) {
          expect_reference(random.numbers(std::int64_t{N} * C), N, C, has_gain, has_bias,
                           accumulate, random);
        }
      }
    }
  }
}

TEST(LayerNormTest, AMeanFarFromZeroDoesNotDrownTheVariance) {
  // E[x^2] - mean^2 would lose all digits of a variance of 1/3 in squares of 1e6.
  RandomInputs random;
  std::vector<float> x = random.numbers(5 * 97);
  for (float& number : x) number += 1000;
  expect_reference(x, 5, 97, true, true, Accumulate::overwrite, random);
}

TEST(LayerNormTest, AConstantRowBecomesTheBias) {
  GuardedTensor<const float> x("x", {1, 5}, {3, 3, 3, 3, 3});
  GuardedTensor<const float> bias("bias", {5}, {0.5f, 1.5f, -2.5f, 3.25f, 0});
  GuardedTensor<float> y("y", {1, 5});
  const Workspace workspace(layer_norm_scratch_bytes(1, 5));
  layer_norm_forward(x.data(), nullptr, bias.data(), y.data(), nullptr, 1, 5, workspace.launch());
  EXPECT_EQ(y.contents(), bias.before());
}

}  // namespace
}  // namespace andrea
