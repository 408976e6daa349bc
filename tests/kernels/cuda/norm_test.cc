// Layer norm of the cuda set in float and bf16, fused with the residual sum: against the reference
// in double of the very numbers that the kernels are given.
//
// Tolerances. A result is rounded once, in bf16 by at most 2^-8 of itself; what the sums before it
// may lose is taken from the reference in float, as the contract's test does. The smallest mistakes
// (a row's neighbour, a residual or an earlier sum left out) are of the size of the numbers.

#include "kernels/cuda/norm.h"

#include <gtest/gtest.h>

#include <algorithm>
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
  int N, C;
};

// Rows of one, two, four and eight warps; of numbers that 16 bytes do not divide; more rows than
// the blocks of backward have at once.
constexpr Size kSizes[] = {{1, 48},   {2, 64},  {97, 48},  {97, 64},  {1, 768},
                           {97, 768}, {3, 20},  {2, 1600}, {1, 1024}, {3, 2056},
                           {2, 4104}, {1, 250}, {5, 250},  {2, 768},  {2100, 48}};

// By how much the results are coarser than the numbers: see the contract's test.
struct Coarseness {
  double y = 1, rstd = 1;
};

Coarseness coarseness_of(const std::vector<float>& x, int N, int C) {
  const auto rows = as_matrix<double>(x, N, C);
  Coarseness coarseness;
  for (int n = 0; n < N; ++n) {
    const double rstd = reference::normalise<double>(rows.row(n)).rstd;
    coarseness.rstd = std::max(coarseness.rstd, rstd);
    coarseness.y = std::max(coarseness.y, rstd * rows.row(n).cwiseAbs().maxCoeff());
  }
  return coarseness;
}

template <typename Exact, typename Rounded, typename Number>
::testing::AssertionResult close_but_for_rounding(const GuardedTensor<Number>& actual,
                                                  const Exact& exact, const Rounded& rounded,
                                                  double accumulated) {
  const auto count = static_cast<std::size_t>(exact.size());
  const double slack = tolerance_of({exact.data(), count}, {rounded.data(), count}, accumulated);
  return rounded_close(title_of(actual.name(), actual.shape()), actual.contents(), exact, 1,
                       {slack});
}

template <typename Number>
class NormTest : public ::testing::Test {
 protected:
  void expect_forward(int N, int C, bool in_place);
  void expect_backward(int N, int C, bool has_residual, Accumulate accumulate);

  RandomInputs random_;
};

using Numbers = ::testing::Types<float, __nv_bfloat16>;
TYPED_TEST_SUITE(NormTest, Numbers);

template <typename Number>
void NormTest<Number>::expect_forward(int N, int C, bool in_place) {
  SCOPED_TRACE(title_of("N, C, in place", {N, C, in_place}));
  const std::int64_t count = std::int64_t{N} * C;
  const auto stream_numbers = random_numbers<Number>(random_, count);
  const auto correction_numbers = random_numbers<Number>(random_, count);
  GuardedTensor<Number> stream("stream", {N, C}, stream_numbers);
  GuardedTensor<const Number> correction("correction", {N, C}, correction_numbers);
  GuardedTensor<const Number> gain("gain", {C}, random_numbers<Number>(random_, C));
  GuardedTensor<const Number> bias("bias", {C}, random_numbers<Number>(random_, C));
  GuardedTensor<Number> sum_apart("sum", {N, C});
  GuardedTensor<Number>& sum = in_place ? stream : sum_apart;
  GuardedTensor<Number> y("y", {N, C}), y_of_sum("y of the sum", {N, C});
  GuardedTensor<float> mean("mean", {N}), rstd("rstd", {N});
  const Workspace workspace(0);

  cuda::residual_norm_forward(stream.data(), correction.data(), gain.data(), bias.data(),
                              sum.data(), y.data(), {mean.data(), rstd.data()}, N, C,
                              workspace.launch());
  cuda::norm_forward(sum.data(), gain.data(), bias.data(), y_of_sum.data(), {}, N, C,
                     workspace.launch());

  std::vector<float> expected_sum;
  for (std::size_t i = 0; i < stream_numbers.size(); ++i) {
    expected_sum.push_back(
        value_of(number_of<Number>(value_of(stream_numbers[i]) + value_of(correction_numbers[i]))));
  }
  EXPECT_TRUE(bits_equal(values_of(sum.contents()), expected_sum));
  EXPECT_TRUE(bits_equal(values_of(y.contents()), values_of(y_of_sum.contents())));

  const auto forward = [&]<typename Scalar>(Scalar) {
    return reference::layer_norm_forward(as_matrix<Scalar>(expected_sum, N, C),
                                         as_vector<Scalar>(values_of(gain.before())),
                                         as_vector<Scalar>(values_of(bias.before())));
  };
  const Coarseness coarseness = coarseness_of(expected_sum, N, C);
  EXPECT_TRUE(close_but_for_rounding(y, forward(0.0), forward(0.0f), 2 * coarseness.y));
  const auto exact = reference::row_statistics(as_matrix<double>(expected_sum, N, C));
  const auto rounded = reference::row_statistics(as_matrix<float>(expected_sum, N, C));
  EXPECT_TRUE(close(mean, exact.mean, rounded.mean, 2));
  EXPECT_TRUE(close(rstd, exact.rstd, rounded.rstd, coarseness.y * coarseness.rstd));
}

template <typename Number>
void NormTest<Number>::expect_backward(int N, int C, bool has_residual, Accumulate accumulate) {
  SCOPED_TRACE(
      title_of("N, C, residual, add", {N, C, has_residual, accumulate == Accumulate::add}));
  const std::int64_t count = std::int64_t{N} * C;
  GuardedTensor<const Number> dy("dy", {N, C}, random_numbers<Number>(random_, count));
  GuardedTensor<const Number> x("x", {N, C}, random_numbers<Number>(random_, count));
  GuardedTensor<const Number> gain("gain", {C}, random_numbers<Number>(random_, C));
  // Where there is a residual, dx takes its place.
  const auto residual = random_numbers<Number>(random_, count);
  auto dx = has_residual ? GuardedTensor<Number>("dx", {N, C}, residual)
                         : GuardedTensor<Number>("dx", {N, C});
  const std::vector<float> x_values = values_of(x.before()), dy_values = values_of(dy.before());
  const auto statistics = reference::row_statistics(as_matrix<float>(x_values, N, C));
  GuardedTensor<float> mean("mean", {N}, {statistics.mean.data(), statistics.mean.data() + N});
  GuardedTensor<float> rstd("rstd", {N}, {statistics.rstd.data(), statistics.rstd.data() + N});
  auto dgain = gradient_tensor("dgain", {C}, accumulate, random_.numbers(C));
  auto dbias = gradient_tensor("dbias", {C}, accumulate, random_.numbers(C));
  const Workspace workspace(cuda::norm_backward_scratch_bytes(N, C));

  cuda::norm_backward(dy.data(), x.data(), gain.data(), has_residual ? dx.data() : nullptr,
                      {mean.data(), rstd.data()}, dx.data(), dgain.data(), dbias.data(), N, C,
                      accumulate, workspace.launch());

  const auto backward = [&]<typename Scalar>(Scalar) {
    auto gradients = reference::layer_norm_backward(as_matrix<Scalar>(dy_values, N, C),
                                                    as_matrix<Scalar>(x_values, N, C),
                                                    as_vector<Scalar>(values_of(gain.before())));
    if (has_residual) gradients.dx += as_matrix<Scalar>(values_of(residual), N, C);
    return gradients;
  };
  const Coarseness coarseness = coarseness_of(x_values, N, C);
  const auto exact = backward(0.0);
  const auto rounded = backward(0.0f);
  EXPECT_TRUE(
      close_but_for_rounding(dx, exact.dx, rounded.dx, 1 + 2 * coarseness.y * coarseness.rstd));
  EXPECT_TRUE(gradient_close(dgain, exact.dgain, rounded.dgain, 2 * N * coarseness.y));
  EXPECT_TRUE(gradient_close(dbias, exact.dbias, rounded.dbias, N + 1));
}

TYPED_TEST(NormTest, ForwardNormsTheSumOfStreamAndCorrection) {
  bool in_place = false;
  for (const auto [N, C] : kSizes) this->expect_forward(N, C, in_place = !in_place);
}

TYPED_TEST(NormTest, BackwardAddsTheResidualsGradient) {
  bool has_residual = false;
  for (const auto [N, C] : kSizes) {
    has_residual = !has_residual;
    this->expect_backward(N, C, has_residual,
                          has_residual ? Accumulate::add : Accumulate::overwrite);
  }
}

}  // namespace
}  // namespace andrea
