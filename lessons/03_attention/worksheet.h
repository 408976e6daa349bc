// The worksheet of lesson 03. Its questions are tried by
//
//   bazel test //lessons/03_attention:worksheet_test
//
// B batch, T time, C width, H heads, L layers, D = C / H. Numbers are floats of 4 bytes.

#ifndef ANDREA_LESSONS_03_ATTENTION_WORKSHEET_H_
#define ANDREA_LESSONS_03_ATTENTION_WORKSHEET_H_

#include <array>
#include <cmath>
#include <vector>

#include "lessons/worksheet.h"

namespace andrea::worksheet03 {

using worksheet::drawn;
using worksheet::kNoChoice;
using worksheet::kUnanswered;
using worksheet::kUnansweredReal;
using Shape = std::vector<std::int64_t>;

// 03.w1  The query of a position has C numbers, which its H heads share evenly. (How many one head
// has is called head_dim in papers, or d_k where they mean queries and keys.)
constexpr std::int64_t head_size(std::int64_t C, std::int64_t H) {
  // TODO(03.w1): how many numbers a head has.
  return kUnanswered;
}
inline double score_divisor(std::int64_t C, std::int64_t H) {
  // TODO(03.w1): what a head's dot product of query and key is divided by for a score.
  return kUnansweredReal;
}
// The same for two models. ANDREA-120M has C = 768 and H = 12. The other is yours: C = kMyWidth and
// H = kMyHeads are drawn from your name, and when it stands here, the test tells you both.
// TODO(03.w1): write your name (./andrea name Ada Lovelace writes it into all worksheets).
inline constexpr char kName[] = "";
inline constexpr std::int64_t kMyHeads = drawn(kName, "03.w1 heads", 5, 24);
inline constexpr std::int64_t kMyWidth = kMyHeads * 8 * drawn(kName, "03.w1 head", 5, 16);
// TODO(03.w1): what a head's dot products are divided by, a number for each of the two models.
inline constexpr double kDivisor120M = kUnansweredReal;
inline constexpr double kMyDivisor = kUnansweredReal;

// 03.w2  Queries and keys of length 1, with D numbers each.
inline double largest_possible_score([[maybe_unused]] std::int64_t D,
                                     [[maybe_unused]] bool scaled) {
  // TODO(03.w2): the largest score that two of them can have, with the scale and without.
  return kUnansweredReal;
}
// Before you measure: 1,000 pairs of random directions with D = 64, not scaled.
// TODO(03.w2): the largest score among them, as you expect it.
inline constexpr double kLargestOf1000 = kUnansweredReal;

// 03.w3  Shapes, as {size, size, ...}, in the order that kernel.h has them.
struct Shapes {
  Shape qkv;                // the input, of all sequences
  Shape queries_of_a_head;  // in one sequence
  Shape keys_transposed;    // of a head in one sequence, as the right factor of query times key
  Shape scores;             // of all heads and sequences
  Shape out_of_a_head;      // in one sequence
  Shape out;                // the output, of all sequences
};
inline Shapes shapes([[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t T,
                     [[maybe_unused]] std::int64_t C, [[maybe_unused]] std::int64_t H) {
  Shapes result;
  // TODO(03.w3): fill in the six, about 6 lines.
  return result;
}

// 03.w4  With a causal mask query i sees key j where j <= i; i and j count from 0 to T - 1.
constexpr std::int64_t seen_pairs(std::int64_t T) {
  // TODO(03.w4): how many pairs (i, j) are left.
  return kUnanswered;
}

// 03.w5  For the backward pass each of L layers keeps its weights of all heads and sequences,
// masked ones too.
constexpr std::int64_t weight_bytes(std::int64_t B, std::int64_t T, std::int64_t H,
                                    std::int64_t L) {
  // TODO(03.w5): the bytes of all of them.
  return kUnanswered;
}
// ANDREA-120M: 12 layers, 12 heads; a batch of 8 sequences of 1,024 tokens.
// TODO(03.w5): the bytes of its weights, as a number.
inline constexpr std::int64_t kWeightBytes120M = kUnanswered;

// 03.w6  A row of three weights, and what the loss says about each: drawn from your name (03.w1).
inline constexpr std::array<double, 3> kMyWeights = {
    static_cast<double>(drawn(kName, "03.w6 first", 1, 4)) / 10,
    static_cast<double>(drawn(kName, "03.w6 second", 1, 5)) / 10,
    1 - static_cast<double>(drawn(kName, "03.w6 first", 1, 4) +
                            drawn(kName, "03.w6 second", 1, 5)) /
            10};
inline constexpr std::array<double, 3> kMyDweights = {
    static_cast<double>(drawn(kName, "03.w6 up", 1, 4)), 0,
    -static_cast<double>(drawn(kName, "03.w6 down", 1, 4))};
// TODO(03.w6): the three dscores, as numbers.
inline constexpr std::array<double, 3> kMyDscores = {kUnansweredReal, kUnansweredReal,
                                                     kUnansweredReal};

// 03.w7  "Without positions, word order is invisible to a transformer." A stack of attention layers
// without positions reads a sequence; then its earlier words change places. Does the output at the
// last position change?
//   a  Never: attention sums over what it sees, and a sum has no order.
//   b  Without a mask never; with the causal mask it does, from the second layer on.
//   c  With the causal mask it does, from the first layer on.
//   d  Always: the scores stand in another order.
// TODO(03.w7): the letter of the right answer; then run the lab.
inline constexpr char kWordOrder = kNoChoice;

}  // namespace andrea::worksheet03

#endif  // ANDREA_LESSONS_03_ATTENTION_WORKSHEET_H_
