#include "kernels/dot_similarity.h"

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
  int N, M, C, stride;
};

constexpr Size kSizes[] = {{1, 1, 1, 1},        {1, 2, 3, 4},         {3, 1, 2, 1},
                           {2, 33, 31, 128},    {31, 97, 33, 97},     {33, 31, 97, 40},
                           {97, 128, 127, 131}, {128, 127, 129, 128}, {129, 300, 1, 384}};

// The first M columns of rows that lie `stride` numbers apart.
std::vector<float> columns_of(const std::vector<float>& strided, int N, int M, int stride) {
  std::vector<float> result;
  for (int n = 0; n < N; ++n) {
    const auto row = strided.begin() + std::ptrdiff_t{n} * stride;
    result.insert(result.end(), row, row + M);
  }
  return result;
}

TEST(DotSimilarityTest, ForwardFollowsTheReferenceAndLeavesTheStrideAlone) {
  RandomInputs random;
  for (const auto [N, M, C, stride] : kSizes) {
    SCOPED_TRACE(title_of("N, M, C, stride", {N, M, C, stride}));
    GuardedTensor<const float> x("x", {N, C}, random.numbers(std::int64_t{N} * C));
    GuardedTensor<const float> table("table", {M, C}, random.numbers(std::int64_t{M} * C));
    GuardedTensor<float> out("out", {N, stride});
    const Workspace workspace(dot_similarity_scratch_bytes(N, M, C));

    dot_similarity_forward(x.data(), table.data(), out.data(), N, M, C, stride, workspace.launch());

    const auto expected = [&]<typename Scalar>(Scalar) {
      return reference::dot_similarity_forward(as_matrix<Scalar>(x.before(), N, C),
                                               as_matrix<Scalar>(table.before(), M, C));
    };
    EXPECT_TRUE(close("out", {N, M}, columns_of(out.contents(), N, M, stride), expected(0.0),
                      expected(0.0f), C));
    for (int n = 0; n < N; ++n) {
      EXPECT_TRUE(untouched(out, std::int64_t{n} * stride + M, std::int64_t{n + 1} * stride));
    }
  }
}

TEST(DotSimilarityTest, BackwardFollowsTheReference) {
  RandomInputs random;
  for (const auto [N, M, C, stride] : kSizes) {
    for (const Accumulate accumulate : kBothWays) {
      for (const bool with_dx : {true, false}) {
        SCOPED_TRACE(title_of("N, M, C, stride, add, dx",
                              {N, M, C, stride, accumulate == Accumulate::add, with_dx}));
        const std::vector<float> dout_columns = random.numbers(std::int64_t{N} * M);
        std::vector<float> strided(static_cast<std::size_t>(N) * stride, NAN);
        for (int n = 0; n < N; ++n) {
          for (int m = 0; m < M; ++m) strided[n * stride + m] = dout_columns[n * M + m];
        }
        GuardedTensor<const float> dout("dout", {N, stride}, strided);
        GuardedTensor<const float> x("x", {N, C}, random.numbers(std::int64_t{N} * C));
        GuardedTensor<const float> table("table", {M, C}, random.numbers(std::int64_t{M} * C));
        GuardedTensor<float> dx("dx", {N, C});
        auto dtable =
            gradient_tensor("dtable", {M, C}, accumulate, random.numbers(std::int64_t{M} * C));
        const Workspace workspace(dot_similarity_scratch_bytes(N, M, C));

        dot_similarity_backward(dout.data(), x.data(), table.data(), with_dx ? dx.data() : nullptr,
                                dtable.data(), N, M, C, stride, accumulate, workspace.launch());

        const auto gradients = [&]<typename Scalar>(Scalar) {
          return reference::dot_similarity_backward(as_matrix<Scalar>(dout_columns, N, M),
                                                    as_matrix<Scalar>(x.before(), N, C),
                                                    as_matrix<Scalar>(table.before(), M, C));
        };
        const auto exact = gradients(0.0);
        const auto rounded = gradients(0.0f);
        EXPECT_TRUE(gradient_close(dtable, exact.dtable, rounded.dtable, N + 1));
        if (!with_dx) continue;
        EXPECT_TRUE(close(dx, exact.dx, rounded.dx, M));
      }
    }
  }
}

}  // namespace
}  // namespace andrea
