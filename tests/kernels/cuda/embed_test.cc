// The embedding of the cuda set in float and bf16, where tokens repeat as they do in text: half of
// a batch may be one token.

#include "kernels/cuda/embed.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/random_inputs.h"
#include "tests/harness/references.h"
#include "tests/kernels/cuda/short_numbers.h"

namespace andrea {
namespace {

// Which tokens a batch has.
enum class Mix {
  even,         // any of them, as often
  half_is_one,  // one in every other position
  two_only,     // the first and the last of the table
};

struct Case {
  int B, T, C, V;
  Mix mix;
  Accumulate accumulate;  // backward
};

// 2,800 positions are sorted in two runs, 4,500 in three: the last two in this list, where every
// token, and one token, has more positions than one block adds up.
constexpr Case kCases[] = {
    {1, 1, 48, 8449, Mix::even, Accumulate::overwrite},
    {2, 1, 64, 97, Mix::even, Accumulate::add},
    {1, 97, 768, 300, Mix::even, Accumulate::overwrite},
    {3, 97, 48, 8449, Mix::half_is_one, Accumulate::add},
    {5, 97, 20, 11, Mix::two_only, Accumulate::add},
    {2, 64, 48, 3, Mix::two_only, Accumulate::overwrite},
    {1, 4500, 16, 50, Mix::even, Accumulate::add},
    {4, 700, 48, 97, Mix::half_is_one, Accumulate::overwrite},
};

std::vector<int> tokens_of(const Case& what, RandomInputs& random) {
  std::vector<int> tokens = random.integers(std::int64_t{what.B} * what.T, what.V);
  for (std::size_t n = 0; n < tokens.size(); ++n) {
    if (what.mix == Mix::half_is_one && n % 2 == 0) tokens[n] = what.V / 2;
    if (what.mix == Mix::two_only) tokens[n] = tokens[n] % 2 == 0 ? 0 : what.V - 1;
  }
  return tokens;
}

std::string name_of(const Case& what) {
  return title_of("B, T, C, V, mix",
                  {what.B, what.T, what.C, what.V, static_cast<std::int64_t>(what.mix)});
}

template <typename Number>
class EmbedTest : public ::testing::Test {
 protected:
  RandomInputs random_;
};

using Numbers = ::testing::Types<float, __nv_bfloat16>;
TYPED_TEST_SUITE(EmbedTest, Numbers);

TYPED_TEST(EmbedTest, ForwardRoundsOneSum) {
  for (const Case& what : kCases) {
    SCOPED_TRACE(name_of(what));
    const auto [B, T, C, V, mix, accumulate] = what;
    GuardedTensor<const int> tokens("tokens", {B, T}, tokens_of(what, this->random_));
    GuardedTensor<const TypeParam> table(
        "table", {V, C}, random_numbers<TypeParam>(this->random_, std::int64_t{V} * C));
    GuardedTensor<const TypeParam> positions(
        "positions", {T, C}, random_numbers<TypeParam>(this->random_, std::int64_t{T} * C));
    GuardedTensor<TypeParam> out("out", {B, T, C}), without("out without positions", {B, T, C});
    const Workspace workspace(0);

    cuda::embed(tokens.data(), table.data(), positions.data(), out.data(), B, T, C,
                workspace.launch());
    cuda::embed(tokens.data(), table.data(), nullptr, without.data(), B, T, C, workspace.launch());

    std::vector<float> expected, expected_without;
    for (int n = 0; n < B * T; ++n) {
      for (int c = 0; c < C; ++c) {
        const auto token = static_cast<std::size_t>(tokens.before()[static_cast<std::size_t>(n)]);
        const float row = value_of(table.before()[token * C + c]);
        const float position =
            value_of(positions.before()[static_cast<std::size_t>(n % T) * C + c]);
        expected.push_back(value_of(number_of<TypeParam>(row + position)));
        expected_without.push_back(row);
      }
    }
    EXPECT_TRUE(bits_equal(values_of(out.contents()), expected));
    EXPECT_TRUE(bits_equal(values_of(without.contents()), expected_without));
  }
}

TYPED_TEST(EmbedTest, BackwardSumsInFloatAndInOneOrder) {
  for (const Case& what : kCases) {
    SCOPED_TRACE(name_of(what));
    const auto [B, T, C, V, mix, accumulate] = what;
    const int N = B * T;
    GuardedTensor<const int> tokens("tokens", {B, T}, tokens_of(what, this->random_));
    GuardedTensor<const TypeParam> dout(
        "dout", {B, T, C}, random_numbers<TypeParam>(this->random_, std::int64_t{N} * C));
    const auto earlier = this->random_.numbers(std::int64_t{V} * C);
    auto dtable = gradient_tensor("dtoken_table", {V, C}, accumulate, earlier);
    auto dtable_again = gradient_tensor("dtoken_table again", {V, C}, accumulate, earlier);
    auto dpositions = gradient_tensor("dposition_table", {T, C}, accumulate,
                                      this->random_.numbers(std::int64_t{T} * C));
    const Workspace workspace(cuda::embed_backward_scratch_bytes(B, T, C, V));

    cuda::embed_backward(dout.data(), tokens.data(), dtable.data(), dpositions.data(), B, T, C, V,
                         accumulate, workspace.launch());
    cuda::embed_backward(dout.data(), tokens.data(), dtable_again.data(), nullptr, B, T, C, V,
                         accumulate, workspace.launch());

    const auto gradients = [&]<typename Scalar>(Scalar) {
      return reference::embedding_backward(as_matrix<Scalar>(values_of(dout.before()), N, C),
                                           tokens.before(), T, V);
    };
    const auto exact = gradients(0.0);
    const auto rounded = gradients(0.0f);
    EXPECT_TRUE(gradient_close(dtable, exact.dtoken_table, rounded.dtoken_table, N + 1));
    EXPECT_TRUE(gradient_close(dpositions, exact.dposition_table, rounded.dposition_table, B + 1));
    EXPECT_TRUE(bits_equal(dtable.contents(), dtable_again.contents()));
  }
}

}  // namespace
}  // namespace andrea
