#include "kernels/embedding.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"

namespace andrea {
namespace {

struct Size {
  int B, T, C, V;
};

// V = 1 and V = 2 repeat their tokens in every position; V = 3000 leaves most rows without one.
constexpr Size kSizes[] = {{1, 1, 1, 1},     {1, 2, 3, 7},    {2, 3, 1, 5},     {2, 31, 33, 97},
                           {3, 33, 48, 129}, {1, 97, 128, 2}, {2, 130, 127, 1}, {4, 129, 8, 3000}};

TEST(EmbeddingTest, ForwardPicksRows) {
  RandomInputs random;
  for (const auto [B, T, C, V] : kSizes) {
    for (const bool has_positions : {true, false}) {
      SCOPED_TRACE(title_of(has_positions ? "B, T, C, V, positions" : "B, T, C, V", {B, T, C, V}));
      GuardedTensor<const int> tokens("tokens", {B, T}, random.integers(B * T, V));
      GuardedTensor<const float> table("table", {V, C}, random.numbers(std::int64_t{V} * C));
      GuardedTensor<const float> positions("positions", {T, C},
                                           random.numbers(std::int64_t{T} * C));
      GuardedTensor<float> out("out", {B, T, C});
      const Workspace workspace(embedding_scratch_bytes(B, T, C, V));

      embedding_forward(tokens.data(), table.data(), has_positions ? positions.data() : nullptr,
                        out.data(), B, T, C, workspace.launch());

      const auto expected = reference::embedding_forward(
          tokens.before(), T, as_matrix<float>(table.before(), V, C),
          has_positions ? as_matrix<float>(positions.before(), T, C) : reference::Matrix<float>());
      // One addition a number rounds in one way only.
      EXPECT_TRUE(
          bits_equal(out.contents(), {expected.data(), static_cast<std::size_t>(expected.size())}));
    }
  }
}

TEST(EmbeddingTest, BackwardSumsOverEveryUse) {
  RandomInputs random;
  for (const auto [B, T, C, V] : kSizes) {
    for (const Accumulate accumulate : kBothWays) {
      for (const bool has_positions : {true, false}) {
        SCOPED_TRACE(title_of("B, T, C, V, add, positions",
                              {B, T, C, V, accumulate == Accumulate::add, has_positions}));
        GuardedTensor<const float> dout("dout", {B, T, C}, random.numbers(std::int64_t{B} * T * C));
        GuardedTensor<const int> tokens("tokens", {B, T}, random.integers(B * T, V));
        auto dtable = gradient_tensor("dtoken_table", {V, C}, accumulate,
                                      random.numbers(std::int64_t{V} * C));
        // T rows: were the ones behind them touched, it would show in the guard zone.
        auto dpositions = gradient_tensor("dposition_table", {T, C}, accumulate,
                                          random.numbers(std::int64_t{T} * C));
        const Workspace workspace(embedding_scratch_bytes(B, T, C, V));

        embedding_backward(dout.data(), tokens.data(), dtable.data(),
                           has_positions ? dpositions.data() : nullptr, B, T, C, V, accumulate,
                           workspace.launch());

        const auto gradients = [&]<typename Scalar>(Scalar) {
          return reference::embedding_backward(as_matrix<Scalar>(dout.before(), B * T, C),
                                               tokens.before(), T, V);
        };
        const auto exact = gradients(0.0);
        const auto rounded = gradients(0.0f);
        EXPECT_TRUE(gradient_close(dtable, exact.dtoken_table, rounded.dtoken_table, B * T + 1));
        if (has_positions) {
          EXPECT_TRUE(
              gradient_close(dpositions, exact.dposition_table, rounded.dposition_table, B + 1));
        } else {
          EXPECT_TRUE(untouched(dpositions, 0, T * C));
        }
      }
    }
  }
}

}  // namespace
}  // namespace andrea
