#include "kernels/activation.h"

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

constexpr Activation kKinds[] = {Activation::gelu, Activation::gelu_erf, Activation::relu,
                                 Activation::swiglu};

struct Size {
  int N, width;
};

constexpr Size kSizes[] = {{1, 1},   {1, 2},   {3, 1},   {2, 31},  {31, 33},
                           {33, 97}, {5, 127}, {4, 128}, {3, 129}, {1, 4097}};

TEST(ActivationTest, SupportsAndreasOwnKind) {
  EXPECT_EQ(activation_supports(Activation::gelu), "");
}

TEST(ActivationTest, ForwardAndBackwardFollowTheReference) {
  RandomInputs random;
  for (const Activation kind : kKinds) {
    if (!activation_supports(kind).empty()) continue;
    for (const auto [N, width] : kSizes) {
      const int in = activation_input_width(kind, width);
      SCOPED_TRACE(title_of("kind, N, width", {static_cast<int>(kind), N, width}));
      GuardedTensor<const float> x("x", {N, in}, random.numbers(std::int64_t{N} * in, 6));
      GuardedTensor<const float> dy("dy", {N, width}, random.numbers(std::int64_t{N} * width));
      GuardedTensor<float> y("y", {N, width});
      GuardedTensor<float> dx("dx", {N, in});
      const Workspace workspace(0);

      activation_forward(kind, x.data(), y.data(), N, width, workspace.launch());
      activation_backward(kind, dy.data(), x.data(), dx.data(), N, width, workspace.launch());

      const auto forward = [&]<typename Scalar>(Scalar) {
        return reference::activation_forward(kind, as_matrix<Scalar>(x.before(), N, in));
      };
      const auto backward = [&]<typename Scalar>(Scalar) {
        return reference::activation_backward(kind, as_matrix<Scalar>(dy.before(), N, width),
                                              as_matrix<Scalar>(x.before(), N, in));
      };
      const double terms = kind == Activation::swiglu ? 36 : 6;
      EXPECT_TRUE(close(y, forward(0.0), forward(0.0f), terms));
      EXPECT_TRUE(close(dx, backward(0.0), backward(0.0f), terms));

      if (kind == Activation::swiglu) continue;
      GuardedTensor<float> in_place("dx over dy", {N, in}, dy.before());
      activation_backward(kind, in_place.data(), x.data(), in_place.data(), N, width,
                          workspace.launch());
      EXPECT_TRUE(close(in_place, backward(0.0), backward(0.0f), terms));
    }
  }
}

TEST(ActivationTest, LargeNumbersPassOrVanish) {
  for (const Activation kind : {Activation::gelu, Activation::gelu_erf, Activation::relu}) {
    if (!activation_supports(kind).empty()) continue;
    SCOPED_TRACE(static_cast<int>(kind));
    GuardedTensor<const float> x("x", {1, 4}, {0, 1000, -1000, 12});
    GuardedTensor<const float> dy("dy", {1, 4}, {1, 1, 1, 1});
    GuardedTensor<float> y("y", {1, 4});
    GuardedTensor<float> dx("dx", {1, 4});
    const Workspace workspace(0);
    activation_forward(kind, x.data(), y.data(), 1, 4, workspace.launch());
    activation_backward(kind, dy.data(), x.data(), dx.data(), 1, 4, workspace.launch());
    EXPECT_TRUE(close_within(1e-20, "y", {4}, y.contents(), std::vector<double>{0, 1000, 0, 12}));
    const double at_zero = kind == Activation::relu ? 0 : 0.5;
    EXPECT_TRUE(
        close_within(1e-20, "dx", {4}, dx.contents(), std::vector<double>{at_zero, 1, 0, 1}));
  }
}

}  // namespace
}  // namespace andrea
