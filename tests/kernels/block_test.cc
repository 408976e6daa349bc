#include "kernels/block.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "kernels/parameter_layout.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/model_inputs.h"
#include "tests/harness/random_inputs.h"
#include "tests/kernels/model_cases.h"

namespace andrea {
namespace {

struct Size {
  int B, T;
};

constexpr Size kSizes[] = {{1, 1}, {3, 2}, {2, 33}, {1, 130}};

// The reference's gradients of the inputs of one block.
template <typename Scalar>
struct Expected {
  Expected(const ParameterLayout& layout, const std::vector<float>& parameters,
           const std::vector<float>& x, const std::vector<float>& dy, int B, int T)
      : flat(as_vector<Scalar>(parameters)), dflat(reference::Vector<Scalar>::Zero(layout.size())) {
    const int C = layout.config().width;
    const auto block = layout.view<const Scalar>(flat.data()).blocks.back();
    y = reference::block_forward<Scalar>(layout.config(), block, as_matrix<Scalar>(x, B * T, C), B,
                                         T)
            .y;
    dx = reference::block_backward<Scalar>(layout.config(), block, as_matrix<Scalar>(dy, B * T, C),
                                           as_matrix<Scalar>(x, B * T, C), B, T,
                                           layout.view<Scalar>(dflat.data()).blocks.back());
  }

  reference::Vector<Scalar> flat, dflat;
  reference::Matrix<Scalar> y, dx;
};

void expect_reference(const ModelConfig& config, int B, int T, Accumulate accumulate) {
  RandomInputs random;
  const ParameterLayout layout(config);
  const int C = config.width;
  const std::int64_t numbers = std::int64_t{B} * T * C;
  GuardedTensor<const float> parameters("parameters", {layout.size()},
                                        random_parameters(layout, random));
  GuardedTensor<const float> x("x", {B, T, C}, random.numbers(numbers));
  GuardedTensor<const float> dy("dy", {B, T, C}, random.numbers(numbers));
  GuardedTensor<float> y("y", {B, T, C}), dx("dx", {B, T, C});
  GuardedTensor<float> y_over_x("y over x", {B, T, C}, x.before());
  GuardedTensor<float> dx_over_dy("dx over dy", {B, T, C}, dy.before());
  auto gradients = model_gradients(layout, accumulate, random);
  auto gradients_in_place = model_gradients(layout, accumulate, random);
  GuardedTensor<std::byte> saved("saved",
                                 {static_cast<std::int64_t>(block_saved_bytes(config, B, T))});
  const Workspace workspace(block_scratch_bytes(config, B, T));
  const auto at = layout.view<const float>(parameters.data()).blocks.back();

  block_forward(config, at, y_over_x.data(), y_over_x.data(), nullptr, B, T, workspace.launch());
  block_forward(config, at, x.data(), y.data(), saved.data(), B, T, workspace.launch());
  block_backward(config, at, dy.data(), x.data(), saved.data(), dx.data(),
                 layout.view<float>(gradients.data()).blocks.back(), B, T, accumulate,
                 workspace.launch());
  block_backward(config, at, dx_over_dy.data(), x.data(), saved.data(), dx_over_dy.data(),
                 layout.view<float>(gradients_in_place.data()).blocks.back(), B, T, accumulate,
                 workspace.launch());

  const Expected<double> exact(layout, parameters.before(), x.before(), dy.before(), B, T);
  const Expected<float> rounded(layout, parameters.before(), x.before(), dy.before(), B, T);
  EXPECT_TRUE(close(y, exact.y, rounded.y, kRoundings * exact.y.cwiseAbs().maxCoeff()));
  EXPECT_TRUE(close(y_over_x, exact.y, rounded.y, kRoundings * exact.y.cwiseAbs().maxCoeff()));
  EXPECT_TRUE(close(dx, exact.dx, rounded.dx, kRoundings * exact.dx.cwiseAbs().maxCoeff()));
  EXPECT_TRUE(close(dx_over_dy, exact.dx, rounded.dx, kRoundings * exact.dx.cwiseAbs().maxCoeff()));
  for (const auto* actual : {&gradients, &gradients_in_place}) {
    expect_gradients_close(layout, *actual, accumulate, exact.dflat, rounded.dflat,
                           "transformer.h." + std::to_string(config.layers - 1) + ".");
  }
}

TEST(BlockTest, SupportsAndreaItself) { EXPECT_EQ(block_supports(ModelConfig()), ""); }

TEST(BlockTest, FollowsTheReference) {
  for (const auto& [name, config] : model_cases()) {
    if (!block_supports(config).empty()) continue;
    for (const auto [B, T] : kSizes) {
      for (const Accumulate accumulate : kBothWays) {
        SCOPED_TRACE(name + title_of(": B, T, add", {B, T, accumulate == Accumulate::add}));
        expect_reference(config, B, T, accumulate);
      }
    }
  }
}

}  // namespace
}  // namespace andrea
