#include "kernels/linear.h"

#include <gtest/gtest.h>

#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"

namespace andrea {
namespace {

struct Size {
  int N, in, out;
};

constexpr Size kSizes[] = {{1, 1, 1},    {1, 3, 2},     {2, 1, 3},      {3, 2, 33},
                           {31, 33, 97}, {33, 32, 32},  {97, 127, 128}, {128, 129, 127},
                           {129, 97, 1}, {1, 130, 257}, {260, 128, 129}};

TEST(LinearTest, ForwardFollowsTheReference) {
  RandomInputs random;
  for (const auto [N, in, out] : kSizes) {
    for (const bool has_bias : {true, false}) {
      SCOPED_TRACE(title_of(has_bias ? "N, in, out, bias" : "N, in, out", {N, in, out}));
      GuardedTensor<const float> x("x", {N, in}, random.numbers(std::int64_t{N} * in));
      GuardedTensor<const float> weight("W", {in, out}, random.numbers(std::int64_t{in} * out));
      GuardedTensor<const float> bias("bias", {out}, random.numbers(out));
      GuardedTensor<float> y("y", {N, out});
      const Workspace workspace(linear_scratch_bytes(N, in, out));

      linear_forward(x.data(), weight.data(), has_bias ? bias.data() : nullptr, y.data(), N, in,
                     out, workspace.launch());

      const auto expected = [&]<typename Scalar>(Scalar) {
        return reference::linear_forward(
            as_matrix<Scalar>(x.before(), N, in), as_matrix<Scalar>(weight.before(), in, out),
            has_bias ? as_vector<Scalar>(bias.before()) : reference::Vector<Scalar>());
      };
      EXPECT_TRUE(close(y, expected(0.0), expected(0.0f), in + 1));
    }
  }
}

TEST(LinearTest, BackwardFollowsTheReference) {
  RandomInputs random;
  for (const auto [N, in, out] : kSizes) {
    for (const Accumulate accumulate : kBothWays) {
      for (const bool optional_outputs : {true, false}) {  // dx and dbias
        SCOPED_TRACE(title_of("N, in, out, add, dx and dbias",
                              {N, in, out, accumulate == Accumulate::add, optional_outputs}));
        GuardedTensor<const float> dy("dy", {N, out}, random.numbers(std::int64_t{N} * out));
        GuardedTensor<const float> x("x", {N, in}, random.numbers(std::int64_t{N} * in));
        GuardedTensor<const float> weight("W", {in, out}, random.numbers(std::int64_t{in} * out));
        GuardedTensor<float> dx("dx", {N, in});
        auto dweight =
            gradient_tensor("dW", {in, out}, accumulate, random.numbers(std::int64_t{in} * out));
        auto dbias = gradient_tensor("dbias", {out}, accumulate, random.numbers(out));
        const Workspace workspace(linear_scratch_bytes(N, in, out));

        linear_backward(dy.data(), x.data(), weight.data(), optional_outputs ? dx.data() : nullptr,
                        dweight.data(), optional_outputs ? dbias.data() : nullptr, N, in, out,
                        accumulate, workspace.launch());

        const auto gradients = [&]<typename Scalar>(Scalar) {
          return reference::linear_backward(as_matrix<Scalar>(dy.before(), N, out),
                                            as_matrix<Scalar>(x.before(), N, in),
                                            as_matrix<Scalar>(weight.before(), in, out));
        };
        const auto exact = gradients(0.0);
        const auto rounded = gradients(0.0f);
        EXPECT_TRUE(gradient_close(dweight, exact.dweight, rounded.dweight, N + 1));
        if (!optional_outputs) continue;
        EXPECT_TRUE(close(dx, exact.dx, rounded.dx, out));
        EXPECT_TRUE(gradient_close(dbias, exact.dbias, rounded.dbias, N + 1));
      }
    }
  }
}

}  // namespace
}  // namespace andrea
