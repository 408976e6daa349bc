// The worksheet of lesson 05. Its questions are tried by
//
//   bazel test //lessons/05_gelu_mlp:worksheet_test

#ifndef ANDREA_LESSONS_05_GELU_MLP_WORKSHEET_H_
#define ANDREA_LESSONS_05_GELU_MLP_WORKSHEET_H_

#include <array>

#include "lessons/worksheet.h"

namespace andrea::worksheet05 {

using worksheet::kNoChoice;
using worksheet::kUnanswered;
using worksheet::kUnansweredReal;

// 05.w1  An MLP expands C numbers to F by a linear layer, and contracts F to C by another.
constexpr std::int64_t mlp_parameters(std::int64_t C, std::int64_t F, bool biases) {
  // TODO(05.w1): how many parameters it has, with biases or without.
  return kUnanswered;
}

// The sizes of an MLP of your own are drawn from your name, and told by the test.
// TODO(05.w1): your name (./andrea name Ada Lovelace writes it into all worksheets).
inline constexpr char kName[] = "";

inline constexpr std::int64_t kMyC = worksheet::drawn(kName, "05.w1 C", 10, 99) * 8;
inline constexpr std::int64_t kMyF = worksheet::drawn(kName, "05.w1 F", 100, 400) * 8;

// TODO(05.w1): how many parameters yours has, with biases, as a number.
inline constexpr std::int64_t kMyParameters = kUnanswered;

// 05.w2  A gated MLP (SwiGLU) has three weight matrices: two from C to F, for a and for b, and one
// from F to C. No biases.
constexpr std::int64_t gated_mlp_parameters(std::int64_t C, std::int64_t F) {
  // TODO(05.w2): how many parameters it has.
  return kUnanswered;
}

constexpr std::int64_t gated_width(std::int64_t C, std::int64_t multiple) {
  // TODO(05.w2): the F at which it has as many parameters as a plain MLP of C -> 4C -> C,
  // rounded up to a multiple of `multiple`, which suits the hardware.
  return kUnanswered;
}

// 05.w3  ANDREA-120M: L = 12 blocks, C = 768, F = 3072, V = 8449, context T = 1024. Parameters:
//
//   token table, output matrix   V C each        position table     T C
//   attention, in each block     4 C C + 4 C     MLP, in each block     as in w1, with biases
//   norms, in all                25 * 2 C
// TODO(05.w3): how many percent of all parameters are in the MLPs, to one digit behind the
// point.
inline constexpr double kShareOfParameters = kUnansweredReal;

// The multiplications and additions of the forward pass for one position, in matrix products alone.
constexpr std::int64_t mlp_operations(std::int64_t L, std::int64_t C, std::int64_t F) {
  // TODO(05.w3): those of the MLPs of all L blocks.
  return kUnanswered;
}

// Scores and weighted sum of a position that sees T / 2 others, as the average one does, are 2 T C
// operations in each block.
constexpr std::int64_t all_operations(std::int64_t L, std::int64_t C, std::int64_t F,
                                      std::int64_t V, std::int64_t T) {
  // TODO(05.w3): those of the whole model: both linear layers of attention (C to 3C, and C to
  // C), scores and weighted sum, the MLPs, and the logits.
  return kUnanswered;
}

// 05.w4  GELU by hand. A table of Phi, the share that passes: Phi(0.5) = 0.691, Phi(1) = 0.841,
// Phi(2) = 0.977, Phi(3) = 0.999; and Phi(-x) = 1 - Phi(x).
// TODO(05.w4): GELU at -2, -1, -0.5, 0, 1 and 3, to two digits behind the point.
inline constexpr std::array<double, 6> kGelu = {
    kUnansweredReal, kUnansweredReal, kUnansweredReal,
    kUnansweredReal, kUnansweredReal, kUnansweredReal,
};

// The derivative of Phi is the bell curve, which is 0.399 at 0 and 0.242 at 1 and -1.
// TODO(05.w4): the derivative of GELU at 0 and at 1, to two digits behind the point.
inline constexpr double kSlopeAt0 = kUnansweredReal;
inline constexpr double kSlopeAt1 = kUnansweredReal;

// GELU falls from 0 to its lowest value and then rises for good, coming from the left. At the
// lowest the derivative is 0: left of it, it is negative. Some more numbers to look between:
// Phi(0.6) = 0.726, Phi(0.7) = 0.758, Phi(0.8) = 0.788, and the bell curve at these is 0.333, 0.312
// and 0.290.
// TODO(05.w4): the x at which it is lowest, between two tenths; either will do.
inline constexpr double kLowestAt = kUnansweredReal;

// 05.w5  One text says: "LLaMA uses 4x. PaLM and Chinchilla found 8/3x with a gate." Which is true?
//   a  LLaMA has a plain MLP of 4 times the width.
//   b  PaLM's MLP is 8/3 of the width, to have as many parameters as a plain one.
//   c  LLaMA has a gated MLP of about 8/3 of the width, as Shazeer (2020) made the comparison.
//   d  Chinchilla is about gated MLPs.
// TODO(05.w5): the letter of the right answer.
inline constexpr char kWhoUsesWhich = kNoChoice;

// 05.w6  The logits of lesson 02 by cuBLAS: out = x table^T, out[n, m] = sum over c of x[n, c] *
// table[m, c], with rows of out that lie `stride` apart. The call is
//
//   cublasSgemm(handle, table_operation, x_operation, m, n, k,
//               &one, table, lda, x, ldb, &zero, out, ldc)
//
// TODO(05.w6): the two operations, 'N' as it is or 'T' turned.
inline constexpr char kTableOperation = kNoChoice;
inline constexpr char kXOperation = kNoChoice;

constexpr std::array<std::int64_t, 3> logits_sizes(std::int64_t N, std::int64_t M, std::int64_t C) {
  // TODO(05.w6): {m, n, k}.
  return {kUnanswered, kUnanswered, kUnanswered};
}

constexpr std::array<std::int64_t, 3> logits_leading_dimensions(std::int64_t N, std::int64_t M,
                                                                std::int64_t C,
                                                                std::int64_t stride) {
  // TODO(05.w6): {lda, ldb, ldc}.
  return {kUnanswered, kUnanswered, kUnanswered};
}

// 05.w7  One text says that GPUs have tanh as a single instruction. What is true?
//   a  Yes: tanhf always becomes one instruction.
//   b  There is one, tanh.approx.f32, which is less exact; tanhf is not that one unless one asks
//      for it, as with --use_fast_math.
//   c  No: tanh is looked up in a table in shared memory.
//   d  Yes, and so GELU's tanh form is exact on a GPU.
// TODO(05.w7): the letter of the right answer.
inline constexpr char kTanh = kNoChoice;

// Say that GELU takes 30 instructions a number, and that a GPU makes 10e12 of them a second and
// moves 1.5e12 bytes a second. gelu_kernel of 05.1 reads a float and writes one.
constexpr double instructions_for_each_byte(double instructions) {
  // TODO(05.w7): how many instructions the kernel makes for each byte that it moves.
  return kUnansweredReal;
}

// TODO(05.w7): what limits it: 'i' for instructions, 'b' for bytes.
inline constexpr char kLimit = kNoChoice;

}  // namespace andrea::worksheet05

#endif  // ANDREA_LESSONS_05_GELU_MLP_WORKSHEET_H_
