// The worksheet of lesson 06. Its questions are tried by
//
//   bazel test //lessons/06_residual_block:worksheet_test
//
// B batch, T time, C width, H heads, L layers, V vocabulary, F the width inside the MLP. Numbers
// are floats of 4 bytes.

#ifndef ANDREA_LESSONS_06_RESIDUAL_BLOCK_WORKSHEET_H_
#define ANDREA_LESSONS_06_RESIDUAL_BLOCK_WORKSHEET_H_

#include <array>
#include <cmath>
#include <vector>

#include "lessons/worksheet.h"

namespace andrea::worksheet06 {

using worksheet::drawn;
using worksheet::kNoChoice;
using worksheet::kUnanswered;
using worksheet::kUnansweredReal;
using Shape = std::vector<std::int64_t>;

// 06.w1  Which sublayer is it?   a  attention   m  the MLP   b  both   n  neither
// SOLUTION(06.w1): a letter for each of the six.
inline constexpr char kMovesBetweenPositions = 'a';
inline constexpr char kHasTwoThirdsOfTheParameters = 'm';
inline constexpr char kWorkPerTokenGrowsWithTime = 'a';
inline constexpr char kReplacesTheStream = 'n';
inline constexpr char kHasANormOfItsOwn = 'b';
inline constexpr char kUnmovedByOtherRows = 'm';  // its correction depends on its own row only
// STUB
// inline constexpr char kMovesBetweenPositions = kNoChoice;
// inline constexpr char kHasTwoThirdsOfTheParameters = kNoChoice;
// inline constexpr char kWorkPerTokenGrowsWithTime = kNoChoice;
// inline constexpr char kReplacesTheStream = kNoChoice;
// inline constexpr char kHasANormOfItsOwn = kNoChoice;
// inline constexpr char kUnmovedByOtherRows = kNoChoice;  // its correction depends on its own row
// END(06.w1)
// "Between an attention sublayer and the next one stand two MLPs."
// SOLUTION(06.w1): how many there are.
inline constexpr std::int64_t kMlpsBetweenAttentions = 1;
// STUB
// inline constexpr std::int64_t kMlpsBetweenAttentions = kUnanswered;
// END(06.w1)

// 06.w2  A gradient of 1 arrives at the end of L layers, one number wide. Each layer's function f
// has the slope s.
inline double gradient_at_the_start([[maybe_unused]] double s, [[maybe_unused]] std::int64_t L,
                                    [[maybe_unused]] bool residual) {
  // SOLUTION(06.w2): what arrives at the start, where a layer is x + f(x), or f(x) alone.
  return std::pow(residual ? 1 + s : s, static_cast<double>(L));
  // STUB
  // return kUnansweredReal;
  // END(06.w2)
}
// Before you run the lab: 12 layers, each of an attention and an MLP sublayer, with weights as
// ANDREA's are at first, with neither norm nor residual. How much of the gradient arrives at the
// first layer?
// SOLUTION(06.w2): its size relative to the end, as you expect it; 1 is all of it.
inline constexpr double kLeftOfTheGradient = 1e-6;
// STUB
// inline constexpr double kLeftOfTheGradient = kUnansweredReal;
// END(06.w2)

// 06.w3  Pre-norm trains stably where post-norm needs a careful start. Why?
//   a  Its norms keep the stream at size 1, however many layers there are.
//   b  The stream goes past all norms and products, and so does its gradient: each sum hands it on
//      unchanged.
//   c  A norm before a sublayer makes the sublayer's weights smaller.
//   d  It has one norm more.
// SOLUTION(06.w3): the letter of the right answer.
inline constexpr char kWhyPreNorm = 'b';
// STUB
// inline constexpr char kWhyPreNorm = kNoChoice;
// END(06.w3)
// Post-norm, where stream and correction both have deviation 1 and nothing to do with each other:
// by what does one sublayer's norm divide the gradient, and what is left of 1 behind L blocks?
// SOLUTION(06.w3): the divisor, to two digits behind the point.
inline const double kDivisorOfANorm = std::sqrt(2.0);
// STUB
// inline constexpr double kDivisorOfANorm = kUnansweredReal;
// END(06.w3)
inline double left_of_post_norm([[maybe_unused]] std::int64_t L) {
  // SOLUTION(06.w3): what is left of a gradient of 1, along the residual paths alone.
  return std::pow(0.5, static_cast<double>(L));
  // STUB
  // return kUnansweredReal;
  // END(06.w3)
}
// SOLUTION(06.w3): how many norms a pre-norm model of 12 blocks has.
inline constexpr std::int64_t kNormsOf12Blocks = 25;
// STUB
// inline constexpr std::int64_t kNormsOf12Blocks = kUnanswered;
// END(06.w3)

// 06.w4  One token, at position t (from 0) of one sequence, goes through one block. What is
// computed for this token alone? Shapes as {size, size, ...}; heads come first.
struct Trace {
  Shape norm1;
  Shape query_key_value;  // all three, of all heads, as they lie in a row of qkv
  Shape query_by_heads;   // the query alone
  Shape scores;           // of all heads, the seen keys only
  Shape averages_by_heads;
  Shape attended;
  Shape correction;  // behind W_out
  Shape middle;
  Shape expanded;
  Shape activated;
  Shape y;
};
inline Trace trace([[maybe_unused]] std::int64_t t, [[maybe_unused]] std::int64_t C,
                   [[maybe_unused]] std::int64_t H, [[maybe_unused]] std::int64_t F) {
  Trace result;
  // SOLUTION(06.w4): fill in the eleven.
  result.norm1 = {C};
  result.query_key_value = {3 * C};
  result.query_by_heads = {H, C / H};
  result.scores = {H, t + 1};
  result.averages_by_heads = {H, C / H};
  result.attended = {C};
  result.correction = {C};
  result.middle = {C};
  result.expanded = {F};
  result.activated = {F};
  result.y = {C};
  // END(06.w4)
  return result;
}

// 06.w5  A block so small that it can be done by hand: one token, C = 2, one head, F = 1. Gains are
// 1 and biases 0, so that a norm makes (1, -1) of a row whose first number is larger, and (-1, 1)
// of one whose second is. With one token attention's weight is 1: attended is the value. The value
// is norm1 times W_value, a row vector times a matrix. gelu(1) = 0.8412, gelu(-1) = -0.1588,
// gelu(2) = 1.9546, gelu(-2) = -0.0454, gelu(3) = 2.9964, gelu(-3) = -0.0036, gelu(4) = 3.9999,
// gelu(-4) = -0.0001, gelu(0) = 0, gelu(5) = 5.0000, gelu(-5) = -0.0000.
// The numbers are drawn from your name; the test says which they are.
// SOLUTION(06.w5): write your name (./andrea name Ada Lovelace writes it into all worksheets).
inline constexpr char kName[] = "Ada";
// STUB
// inline constexpr char kName[] = "";
// END(06.w5)
struct SmallBlock {
  std::array<std::int64_t, 2> x;
  std::array<std::array<std::int64_t, 2>, 2> value_weight, out_weight;  // [from][to]
  std::array<std::int64_t, 2> expand_weight, contract_weight;           // [2, 1] and [1, 2]
};
constexpr SmallBlock your_block() {
  const auto number = [](const char* which, std::int64_t lowest, std::int64_t highest) {
    return drawn(kName, which, lowest, highest);
  };
  return {{number("06.w5 a", 4, 9), number("06.w5 b", 0, 3)},
          {{{number("06.w5 c", 1, 3), 0}, {0, number("06.w5 d", 1, 3)}}},
          {{{0, number("06.w5 e", 1, 2)}, {number("06.w5 f", 2, 5), 0}}},
          {number("06.w5 g", 1, 2), -number("06.w5 h", 1, 2)},
          {number("06.w5 i", 1, 4), -number("06.w5 j", 1, 4)}};
}
// SOLUTION(06.w5): the two numbers of middle, and of y to three digits behind the point.
constexpr std::array<std::int64_t, 2> middle_of(const SmallBlock& block) {
  const std::int64_t sign = block.x[0] > block.x[1] ? 1 : -1;
  std::array<std::int64_t, 2> middle = block.x;
  for (std::size_t to = 0; to < 2; ++to) {
    for (std::size_t from = 0; from < 2; ++from) {
      const std::int64_t value = sign * (block.value_weight[0][from] - block.value_weight[1][from]);
      middle[to] += value * block.out_weight[from][to];
    }
  }
  return middle;
}
inline std::array<double, 2> y_of(const SmallBlock& block) {
  const std::array<std::int64_t, 2> middle = middle_of(block);
  const double x = static_cast<double>((middle[0] > middle[1] ? 1 : -1) *
                                       (block.expand_weight[0] - block.expand_weight[1]));
  const double gelu = x / 2 * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
  return {static_cast<double>(middle[0]) + gelu * static_cast<double>(block.contract_weight[0]),
          static_cast<double>(middle[1]) + gelu * static_cast<double>(block.contract_weight[1])};
}
inline constexpr std::array<std::int64_t, 2> kMyMiddle = middle_of(your_block());
inline const std::array<double, 2> kMyY = y_of(your_block());
// STUB
// inline constexpr std::array<std::int64_t, 2> kMyMiddle = {kUnanswered, kUnanswered};
// inline constexpr std::array<double, 2> kMyY = {kUnansweredReal, kUnansweredReal};
// END(06.w5)

// 06.w6  The parameters of one block: two norms with gain and bias, four linear layers with weights
// and biases.
constexpr std::int64_t block_parameters(std::int64_t C, std::int64_t F) {
  // SOLUTION(06.w6): how many there are.
  return 4 * C * C + 4 * C + 2 * C * F + F + C + 4 * C;
  // STUB
  // return kUnanswered;
  // END(06.w6)
}
// ANDREA-120M: C = 768, F = 3072, 12 blocks.
// SOLUTION(06.w6): the parameters of one of its blocks, and of all, as numbers.
inline constexpr std::int64_t kParametersOfABlock = block_parameters(768, 3072);
inline constexpr std::int64_t kParametersOf12 = 12 * block_parameters(768, 3072);
// STUB
// inline constexpr std::int64_t kParametersOfABlock = kUnanswered;
// inline constexpr std::int64_t kParametersOf12 = kUnanswered;
// END(06.w6)

// 06.w7  Three claims about ANDREA-120M: "its blocks are two thirds of its parameters", "its blocks
// are 94 %", "its MLPs are almost half". The model has 98,820,096 parameters untied and 92,331,264
// tied.
// SOLUTION(06.w7): what is true, in percent, to one digit behind the point.
inline constexpr double kBlocksOfUntied = 86.1;
inline constexpr double kBlocksOfTied = 92.1;
inline constexpr double kMlpsOfUntied = 57.3;
// STUB
// inline constexpr double kBlocksOfUntied = kUnansweredReal;
// inline constexpr double kBlocksOfTied = kUnansweredReal;
// inline constexpr double kMlpsOfUntied = kUnansweredReal;
// END(06.w7)

// 06.w8  For the backward pass a block keeps norm1, qkv, attended, middle, norm2, expanded and
// activated. What the norms and attention keep beside these is not counted.
constexpr std::int64_t state_bytes(std::int64_t B, std::int64_t T, std::int64_t C, std::int64_t F) {
  // SOLUTION(06.w8): the bytes of one block's states.
  return 4 * B * T * (7 * C + 2 * F);
  // STUB
  // return kUnanswered;
  // END(06.w8)
}
// ANDREA-120M: 12 blocks, a batch of 8 sequences of 1,024 tokens.
// SOLUTION(06.w8): the bytes of all its blocks, as a number.
inline constexpr std::int64_t kStateBytes120M = 12 * state_bytes(8, 1024, 768, 3072);
// STUB
// inline constexpr std::int64_t kStateBytes120M = kUnanswered;
// END(06.w8)

}  // namespace andrea::worksheet06

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_WORKSHEET_H_
