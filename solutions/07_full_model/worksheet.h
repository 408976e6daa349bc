// The worksheet of lesson 07. Its questions are tried by
//
//   bazel test //lessons/07_full_model:worksheet_test
//
// B batch, T time (here the context, so there are T position rows), C width, V vocabulary, L
// layers. The MLP is 4C wide. Numbers are floats of 4 bytes where nothing else is said.

#ifndef ANDREA_LESSONS_07_FULL_MODEL_WORKSHEET_H_
#define ANDREA_LESSONS_07_FULL_MODEL_WORKSHEET_H_

#include <cmath>

#include "lessons/worksheet.h"

namespace andrea::worksheet07 {

using worksheet::drawn;
using worksheet::kNoChoice;
using worksheet::kUnanswered;
using worksheet::kUnansweredReal;

// 07.w1  The whole model: token table, position table, an output table of its own; in each block
// two norms with gain and bias, the matrix of queries, keys and values, the output projection, and
// the two of the MLP, all four with a bias; a norm at the end.
constexpr std::int64_t block_parameters(std::int64_t C) {
  // SOLUTION(07.w1): the parameters of one block.
  return 12 * C * C + 13 * C;
  // STUB
  // return kUnanswered;
  // END(07.w1)
}
constexpr std::int64_t model_parameters(std::int64_t V, std::int64_t C, std::int64_t L,
                                        std::int64_t T) {
  // SOLUTION(07.w1): those of the whole model.
  return 2 * V * C + T * C + L * block_parameters(C) + 2 * C;
  // STUB
  // return kUnanswered;
  // END(07.w1)
}
// ANDREA-120M has V = 8449, C = 768, L = 12, T = 1024.
// SOLUTION(07.w1): its parameters, as a number.
inline constexpr std::int64_t kParameters120M = 98'820'096;
// STUB
// inline constexpr std::int64_t kParameters120M = kUnanswered;
// END(07.w1)
// "85 million in the blocks and 13 million in the tables make 120 million." What is true?
//   a  It is: the missing 22 million are biases and norms.
//   b  The sum is 98 million, and the position table makes it nearly 99.
//   c  It is, since the optimiser's moments count too.
//   d  The sum is right, but the 13 million are too many: the output table is the token table.
// SOLUTION(07.w1): the letter of the right answer.
inline constexpr char kSumOfTheText = 'b';
// STUB
// inline constexpr char kSumOfTheText = kNoChoice;
// END(07.w1)

// 07.w2  Shares of all parameters, as a part of 1.
constexpr double share_of_blocks(std::int64_t V, std::int64_t C, std::int64_t L, std::int64_t T) {
  // SOLUTION(07.w2): the share of the L blocks.
  return static_cast<double>(L * block_parameters(C)) /
         static_cast<double>(model_parameters(V, C, L, T));
  // STUB
  // return kUnansweredReal;
  // END(07.w2)
}
constexpr double share_of_mlps(std::int64_t V, std::int64_t C, std::int64_t L, std::int64_t T) {
  // SOLUTION(07.w2): the share of the L MLPs, with their biases and without the
  // norm before them.
  return static_cast<double>(L * (8 * C * C + 5 * C)) /
         static_cast<double>(model_parameters(V, C, L, T));
  // STUB
  // return kUnansweredReal;
  // END(07.w2)
}
// Texts write that the blocks of ANDREA-120M are two thirds of it, or 94 %, and the MLPs almost
// half.
// SOLUTION(07.w2): the true shares in percent: blocks; blocks, were the output table tied; MLPs.
inline constexpr double kBlocksPercent = 86.1;
inline constexpr double kBlocksPercentTied = 92.1;
inline constexpr double kMlpsPercent = 57.3;
// STUB
// inline constexpr double kBlocksPercent = kUnansweredReal;
// inline constexpr double kBlocksPercentTied = kUnansweredReal;
// inline constexpr double kMlpsPercent = kUnansweredReal;
// END(07.w2)

// 07.w3  A model that knows nothing and guesses all V tokens alike.
inline double loss_of_even_guess([[maybe_unused]] std::int64_t V) {
  // SOLUTION(07.w3): its loss, in nats.
  return std::log(static_cast<double>(V));
  // STUB
  // return kUnansweredReal;
  // END(07.w3)
}
// ANDREA-120M before its first step: matrices are random, N(0, 0.02). Its logits are not all alike,
// and so the loss is not that of the even guess. Before you measure:
// SOLUTION(07.w3): what you expect its loss to be.
inline constexpr double kExpectedLoss = 9.2;
// STUB
// inline constexpr double kExpectedLoss = kUnansweredReal;
// END(07.w3)
// The same model with its output table tied, all matrices drawn from N(0, 1 / sqrt(C)), and the
// blocks' last projections 0, so that the stream is the embedding: it starts at 19.51. Why?
//   a  The softmax overflows.
//   b  The last norm is missing where a table is tied.
//   c  The stream is made of the token's own row, so the token that was just read gets a logit of
//      nearly 20, and it is not the one that comes next.
//   d  A tied table is counted twice in the sum of the softmax.
// SOLUTION(07.w3): the letter of the right answer; then run the lab.
inline constexpr char kTiedStart = 'c';
// STUB
// inline constexpr char kTiedStart = kNoChoice;
// END(07.w3)

// 07.w4  A parameter whose gradient is g in every step; both moments are 0 before the first.
inline double first_moment([[maybe_unused]] double beta1, [[maybe_unused]] double g,
                           [[maybe_unused]] int steps) {
  // SOLUTION(07.w4): m after so many steps, as it is stored.
  return g * (1 - std::pow(beta1, steps));
  // STUB
  // return kUnansweredReal;
  // END(07.w4)
}
inline double second_moment([[maybe_unused]] double beta2, [[maybe_unused]] double g,
                            [[maybe_unused]] int steps) {
  // SOLUTION(07.w4): v after so many steps, as it is stored.
  return g * g * (1 - std::pow(beta2, steps));
  // STUB
  // return kUnansweredReal;
  // END(07.w4)
}
inline double size_of_first_step([[maybe_unused]] double learning_rate, [[maybe_unused]] double g) {
  // SOLUTION(07.w4): how far the first step moves the parameter, without decay and epsilon; g is
  // not 0.
  return learning_rate;
  // STUB
  // return kUnansweredReal;
  // END(07.w4)
}
// After thousands of steps two parameters have
//
//                 m          v
//   parameter A   0.01       0.0001
//   parameter B   0.0001     0.0001
//
//   a  The gradients of B are a hundred times smaller than those of A.
//   b  Both have gradients of about 0.01; those of B change their sign, those of A do not.
//   c  B has seen fewer steps than A.
//   d  The next step moves both equally far, since v is the same.
// SOLUTION(07.w4): the letter of the right answer.
inline constexpr char kTwoParameters = 'b';
// STUB
// inline constexpr char kTwoParameters = kNoChoice;
// END(07.w4)

// 07.w5  What lies in memory for P parameters while a model is trained with AdamW: parameters,
// gradients, moments; no activations.
constexpr std::int64_t bytes_in_float(std::int64_t P) {
  // SOLUTION(07.w5): the bytes, with all of it in float.
  return 16 * P;
  // STUB
  // return kUnanswered;
  // END(07.w5)
}
constexpr std::int64_t bytes_mixed(std::int64_t P) {
  // SOLUTION(07.w5): the bytes, with working copy and gradients in bfloat16 (2 bytes), master and
  // moments in float.
  return (2 + 2 + 4 + 4 + 4) * P;
  // STUB
  // return kUnanswered;
  // END(07.w5)
}
// What does the mixed form save, then?
//   a  Half of the memory of all that was counted here.
//   b  Nothing of what was counted here; activations take half the bytes, half the bytes of weights
//      are read in each product, and tensor cores multiply 16-bit numbers much quicker.
//   c  The moments, which bfloat16 does not need.
//   d  The second copy: the working copy can be dropped after each step.
// SOLUTION(07.w5): the letter of the right answer.
inline constexpr char kMixedSaves = 'b';
// STUB
// inline constexpr char kMixedSaves = kNoChoice;
// END(07.w5)

// 07.w6  A run of ANDREA-120M takes 200,000 steps of 8 sequences of 1,024 tokens.
// SOLUTION(07.w6): how many tokens it sees.
inline constexpr std::int64_t kTokensOfRun = 200'000LL * 8 * 1024;
// STUB
// inline constexpr std::int64_t kTokensOfRun = kUnanswered;
// END(07.w6)
// The 6N rule: training takes 6 FLOPs for each parameter and token: a multiplication and an
// addition forward, and twice that backward.
constexpr double flops_by_rule(double parameters, double tokens) {
  // SOLUTION(07.w6): the FLOPs of a run by that rule.
  return 6 * parameters * tokens;
  // STUB
  // return kUnansweredReal;
  // END(07.w6)
}
// The rule counts parameters that nobody multiplies with, and leaves out the products of attention.
constexpr std::int64_t flops_of_token(std::int64_t V, std::int64_t C, std::int64_t L,
                                      std::int64_t T) {
  // SOLUTION(07.w6): 6 for each weight of the blocks' four matrices and of the output table, and
  // for attention 6 C T in each layer: two products with T / 2 seen rows on average.
  return 6 * (12 * L * C * C + V * C) + 6 * L * C * T;
  // STUB
  // return kUnanswered;
  // END(07.w6)
}
// ANDREA-120M: by how many percent is the rule too high (or, negative, too low)? With two digits
// behind the point.
// SOLUTION(07.w6): 100 (rule - count) / count, for one token.
inline constexpr double kErrorOfRule = -2.02;
// STUB
// inline constexpr double kErrorOfRule = kUnansweredReal;
// END(07.w6)

// 07.w7  A model has two tensors; the norms of their gradients are drawn from your name.
// SOLUTION(07.w7): write your name (./andrea name Ada Lovelace writes it into all worksheets).
inline constexpr char kName[] = "Ada";
// STUB
// inline constexpr char kName[] = "";
// END(07.w7)
inline constexpr std::int64_t kMyUnit = drawn(kName, "07.w7 unit", 2, 9);
inline constexpr std::int64_t kMyFirstNorm = 3 * kMyUnit, kMySecondNorm = 4 * kMyUnit;
// Gradients are clipped to the norm 1.
// SOLUTION(07.w7): the global norm; what the first tensor's gradient is multiplied by.
inline constexpr double kMyGlobalNorm = 5 * kMyUnit;
inline constexpr double kMyClipScale = 1 / kMyGlobalNorm;
// STUB
// inline constexpr double kMyGlobalNorm = kUnansweredReal;
// inline constexpr double kMyClipScale = kUnansweredReal;
// END(07.w7)
// And what changes if each tensor is clipped to the norm 1 by itself?
//   a  Nothing: both ways make the gradient short enough.
//   b  Only the length: the step becomes longer, in the same direction.
//   c  The direction: tensors with long gradients lose more than others.
//   d  It is safer: the global norm then is 1 as well.
// SOLUTION(07.w7): the letter of the right answer.
inline constexpr char kClippedApart = 'c';
// STUB
// inline constexpr char kClippedApart = kNoChoice;
// END(07.w7)

}  // namespace andrea::worksheet07

#endif  // ANDREA_LESSONS_07_FULL_MODEL_WORKSHEET_H_
