// The worksheet of lesson 04. Its questions are tried by
//
//   bazel test //lessons/04_layer_norm:worksheet_test
//
// B batch, T time, C width, L layers, N = B * T rows. Numbers are floats of 4 bytes.

#ifndef ANDREA_LESSONS_04_LAYER_NORM_WORKSHEET_H_
#define ANDREA_LESSONS_04_LAYER_NORM_WORKSHEET_H_

#include <array>
#include <cmath>

#include "lessons/worksheet.h"

namespace andrea::worksheet04 {

using worksheet::drawn;
using worksheet::kNoChoice;
using worksheet::kUnanswered;
using worksheet::kUnansweredReal;

// 04.w1  A model of L blocks has a layer norm in front of each block's attention, one in front of
// its MLP, and a last one behind all blocks. Each has a gain and a bias. A sequence has T tokens.
constexpr std::int64_t norm_parameters([[maybe_unused]] std::int64_t L,
                                       [[maybe_unused]] std::int64_t T,
                                       [[maybe_unused]] std::int64_t C) {
  // SOLUTION(04.w1): how many parameters all of its norms have together.
  return (2 * L + 1) * 2 * C;
  // STUB
  // return kUnanswered;
  // END(04.w1)
}
// ANDREA-120M: 12 blocks, 1,024 tokens, width 768.
// SOLUTION(04.w1): the parameters of its norms, as a number.
inline constexpr std::int64_t kNormParameters120M = 38'400;
// STUB
// inline constexpr std::int64_t kNormParameters120M = kUnanswered;
// END(04.w1)

// 04.w2  A row of four numbers is yours, drawn from your name. The epsilon is too small to matter
// here.
// SOLUTION(04.w2): write your name (./andrea name Ada Lovelace writes it into all worksheets).
inline constexpr char kName[] = "Ada";
// STUB
// inline constexpr char kName[] = "";
// END(04.w2)
inline constexpr std::int64_t kMiddle = drawn(kName, "04.w2 middle", 2, 9);
inline constexpr std::int64_t kUp = drawn(kName, "04.w2 up", 1, 5);
inline constexpr std::int64_t kFurther = drawn(kName, "04.w2 further", 1, 5);
inline constexpr std::array<std::int64_t, 4> kMyRow = {kMiddle - kUp - kFurther, kMiddle + kUp,
                                                       kMiddle + kFurther, kMiddle};
// SOLUTION(04.w2): its mean, its variance, and x_hat of its first number, as numbers, to two digits
// behind the point.
inline constexpr double kMyMean = kMiddle;
inline constexpr double kMyVariance =
    static_cast<double>((kUp + kFurther) * (kUp + kFurther) + kUp * kUp + kFurther * kFurther) / 4;
inline const double kMyFirst = static_cast<double>(-kUp - kFurther) / std::sqrt(kMyVariance);
// STUB
// inline constexpr double kMyMean = kUnansweredReal;
// inline constexpr double kMyVariance = kUnansweredReal;
// inline constexpr double kMyFirst = kUnansweredReal;
// END(04.w2)

// 04.w3  y is the layer norm of x, without gain and bias. All numbers of x are multiplied by k > 0,
// dy is the same as before, and the epsilon is left out.
constexpr double factor_of_y([[maybe_unused]] double k) {
  // SOLUTION(04.w3): the number that y is multiplied by.
  return 1;
  // STUB
  // return kUnansweredReal;
  // END(04.w3)
}
constexpr double factor_of_dx([[maybe_unused]] double k) {
  // SOLUTION(04.w3): the number that dx is multiplied by.
  return 1 / k;
  // STUB
  // return kUnansweredReal;
  // END(04.w3)
}
// The row was made by weights, x = s W, and it is the weights that were multiplied by k. Training
// takes a step, W - rate * dW, with the same rate as before.
constexpr double factor_of_relative_step([[maybe_unused]] double k) {
  // SOLUTION(04.w3): the number that |rate * dW| / |W| is multiplied by, the step as a share of
  // the weights.
  return 1 / (k * k);
  // STUB
  // return kUnansweredReal;
  // END(04.w3)
}

// 04.w4  dx is the gradient that comes back through a layer norm of a row, for any dy, gain and
// bias. The epsilon is left out.
// SOLUTION(04.w4): the sum of dx over the row, and the dot product of dx and x_hat, as numbers.
inline constexpr std::int64_t kSumOfDx = 0;
inline constexpr std::int64_t kDxTimesXHat = 0;
// STUB
// inline constexpr std::int64_t kSumOfDx = kUnanswered;
// inline constexpr std::int64_t kDxTimesXHat = kUnanswered;
// END(04.w4)
// A row of C numbers can be changed in C independent directions.
constexpr std::int64_t directions_left([[maybe_unused]] std::int64_t C) {
  // SOLUTION(04.w4): in how many of them dx can point.
  return C - 2;
  // STUB
  // return kUnanswered;
  // END(04.w4)
}

// 04.w5  sum = stream + correction, and y is the layer norm of sum; all four are [N, C], and sum is
// needed later. Each kernel reads and writes each of its numbers once; gain, bias and the
// statistics are left out.
constexpr std::int64_t bytes_apart([[maybe_unused]] std::int64_t N,
                                   [[maybe_unused]] std::int64_t C) {
  // SOLUTION(04.w5): the bytes that two kernels move, one that adds and one that normalises.
  return 4 * 5 * N * C;
  // STUB
  // return kUnanswered;
  // END(04.w5)
}
constexpr std::int64_t bytes_fused([[maybe_unused]] std::int64_t N,
                                   [[maybe_unused]] std::int64_t C) {
  // SOLUTION(04.w5): the bytes that one kernel moves.
  return 4 * 4 * N * C;
  // STUB
  // return kUnanswered;
  // END(04.w5)
}
// ANDREA-120M with 8 sequences of 1,024 tokens. In each of its 12 blocks attention's correction is
// added, and then the MLP's; a norm follows every add.
// SOLUTION(04.w5): the bytes that fusing saves in a forward pass, as a number.
inline constexpr std::int64_t kSavedBytes120M = 24 * bytes_fused(8192, 768) / 4;
// STUB
// inline constexpr std::int64_t kSavedBytes120M = kUnanswered;
// END(04.w5)

// 04.w6  The variance as the mean of the squares less the square of the mean, in floats: a float
// has 23 bits behind its leading one. The row's mean is m = 2^e.
// A variance that is smaller than the answer is lost.
inline double spacing_of_squares([[maybe_unused]] int e) {
  // SOLUTION(04.w6): how far apart the floats lie that follow m * m.
  return std::ldexp(1.0, 2 * e - 23);
  // STUB
  // return kUnansweredReal;
  // END(04.w6)
}

// 04.w7  "Behind a layer norm every row has mean 0 and variance 1." When is that so?
//   a  Always: that is what the layer norm is for.
//   b  At the start of training; later gain and bias have changed it.
//   c  Never: the epsilon and the rounding are in the way.
//   d  Over all rows of a batch together, but not in each row.
// SOLUTION(04.w7): the letter of the right answer.
inline constexpr char kMeanAndVariance = 'b';
// STUB
// inline constexpr char kMeanAndVariance = kNoChoice;
// END(04.w7)

}  // namespace andrea::worksheet04

#endif  // ANDREA_LESSONS_04_LAYER_NORM_WORKSHEET_H_
