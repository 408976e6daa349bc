// The worksheet of lesson 02. Its questions are tried by
//
//   bazel test //lessons/02_dot_product_similarity:worksheet_test

#ifndef ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_WORKSHEET_H_
#define ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_WORKSHEET_H_

#include <array>

#include "lessons/worksheet.h"

namespace andrea::worksheet02 {

using worksheet::kNoChoice;
using worksheet::kUnanswered;
using worksheet::kUnansweredReal;

// 02.w1  Predict, before you compute anything. Five pairs of vectors:
//
//           length of a   length of b   angle between them
//   pair 0      2             3             0 degrees
//   pair 1     10             0.1          60 degrees
//   pair 2      5             5            90 degrees
//   pair 3      0.5           0.5         120 degrees
//   pair 4      1            40           180 degrees
// SOLUTION(02.w1): the signs of their dot products: 1, 0 or -1.
inline constexpr std::array<std::int64_t, 5> kSigns = {1, 1, 0, -1, -1};
// STUB
// inline constexpr std::array<std::int64_t, 5> kSigns = {kUnanswered, kUnanswered, kUnanswered,
//                                                        kUnanswered, kUnanswered};
// END(02.w1)

// Two vectors of 768 random numbers each, independent, about 0 and of typical size 1 (the mean of
// their squares is 1). How far from 0 is their dot product, typically? (The root of the mean of its
// square; any number counts, and you are told what was measured.)
// SOLUTION(02.w1): your prediction.
inline constexpr double kTypicalDot = 27.7;
// STUB
// inline constexpr double kTypicalDot = kUnansweredReal;
// END(02.w1)

// 02.w2  Two vectors have the lengths `length_a` and `length_b`; `cosine` is that of the angle
// between them.
constexpr double dot_product(double length_a, double length_b, double cosine) {
  // SOLUTION(02.w2): their dot product.
  return length_a * length_b * cosine;
  // STUB
  // return kUnansweredReal;
  // END(02.w2)
}

// 02.w3  Which row of a small table is nearest to a query, by dot product and by cosine? The
// numbers are drawn from your name; once it stands here, the test says which they are.
// SOLUTION(02.w3): your name (./andrea name Ada Lovelace writes it into all worksheets).
inline constexpr char kName[] = "The instructor";
// STUB
// inline constexpr char kName[] = "";
// END(02.w3)

using Vector2 = std::array<std::int64_t, 2>;

struct Neighbours {
  Vector2 query;
  std::array<Vector2, 3> rows;
};

constexpr Neighbours your_neighbours() {
  const std::array<Vector2, 3> kinds = {
      Vector2{worksheet::drawn(kName, "02.w3 x", 8, 19), 0},
      Vector2{3, worksheet::drawn(kName, "02.w3 y", 2, 3)},
      Vector2{worksheet::drawn(kName, "02.w3 z", 1, 3), -1},
  };
  const auto turn = static_cast<std::size_t>(worksheet::drawn(kName, "02.w3 order", 0, 2));
  Neighbours result = {{4, 3}, {}};
  for (std::size_t i = 0; i < 3; ++i) result.rows[(i + turn) % 3] = kinds[i];
  return result;
}

// SOLUTION(02.w3): the rows, 0, 1 or 2, with the largest dot product and with the largest cosine.
inline constexpr std::int64_t kNearestByDot = 1;
inline constexpr std::int64_t kNearestByCosine = 2;
// STUB
// inline constexpr std::int64_t kNearestByDot = kUnanswered;
// inline constexpr std::int64_t kNearestByCosine = kUnanswered;
// END(02.w3)

// 02.w4  All dot products of the N rows of x, [N, C], with the M rows of a table, [M, C]: out is
// [N, M]. All numbers are floats.
constexpr std::int64_t operations(std::int64_t N, std::int64_t M, std::int64_t C) {
  // SOLUTION(02.w4): how many multiplications and additions it takes, an addition for each product.
  return 2 * N * M * C;
  // STUB
  // return kUnanswered;
  // END(02.w4)
}

constexpr std::int64_t least_bytes(std::int64_t N, std::int64_t M, std::int64_t C) {
  // SOLUTION(02.w4): how many bytes move between global memory and the threads at the least, if
  // each input is read once and each output written once.
  return 4 * (N * C + M * C + N * M);
  // STUB
  // return kUnanswered;
  // END(02.w4)
}

// At ANDREA-120M's output projection: 8 x 1024 rows, the 8,449 x 768 table.
// SOLUTION(02.w4): its arithmetic intensity, operations for each byte, to three digits.
inline constexpr double kIntensity = 324;
// STUB
// inline constexpr double kIntensity = kUnansweredReal;
// END(02.w4)

// 02.w5  How many numbers do the threads load from global memory in all, counted as often as a
// thread loads one?
constexpr std::int64_t naive_loads(std::int64_t N, std::int64_t M, std::int64_t C) {
  // SOLUTION(02.w5): by the kernel of 02.4.
  return 2 * N * M * C;
  // STUB
  // return kUnanswered;
  // END(02.w5)
}

constexpr std::int64_t tiled_loads(std::int64_t N, std::int64_t M, std::int64_t C,
                                   std::int64_t tile) {
  // SOLUTION(02.w5): by that of 02.5, with tiles of tile x tile numbers; no size need be a multiple
  // of tile, and where there is no number none is loaded.
  return N * C * ((M + tile - 1) / tile) + M * C * ((N + tile - 1) / tile);
  // STUB
  // return kUnanswered;
  // END(02.w5)
}

// 02.w6  Both gradients are matrix products. Of which shapes, {rows, columns}, are their two
// factors, as they stand in the product?
using Shape = std::array<std::int64_t, 2>;

struct Factors {
  Shape left, right;
};

constexpr Factors factors_of_dx(std::int64_t N, std::int64_t M, std::int64_t C) {
  // SOLUTION(02.w6): those of dx, which is [N, C].
  return {{N, M}, {M, C}};
  // STUB
  // return {{kUnanswered, kUnanswered}, {kUnanswered, kUnanswered}};
  // END(02.w6)
}

constexpr Factors factors_of_dtable(std::int64_t N, std::int64_t M, std::int64_t C) {
  // SOLUTION(02.w6): those of dtable, which is [M, C].
  return {{M, N}, {N, C}};
  // STUB
  // return {{kUnanswered, kUnanswered}, {kUnanswered, kUnanswered}};
  // END(02.w6)
}

// 02.w7  One text about ANDREA-120M computes the logits with the token table itself (tied), another
// says that the output has a matrix of its own (untied). The published count is 98.7 million
// parameters; a model with biases and norms left out has 92,209,920 if it is tied. Which is true of
// the published model, and what does that cost?
//   a  Tied: the logits come from the token table, at no cost.
//   b  Untied: 6,488,832 parameters more, each with a gradient, and two numbers more that the
//      training keeps.
//   c  Untied, at no cost: the output matrix is the token table read by columns.
//   d  Tied, which also halves the arithmetic of the output projection.
// SOLUTION(02.w7): the letter of the right answer.
inline constexpr char kOutputMatrix = 'b';
// STUB
// inline constexpr char kOutputMatrix = kNoChoice;
// END(02.w7)

constexpr std::int64_t table_parameters(std::int64_t V, std::int64_t C, bool tied) {
  // SOLUTION(02.w7): how many parameters the token table and the output matrix have together.
  return tied ? V * C : 2 * V * C;
  // STUB
  // return kUnanswered;
  // END(02.w7)
}

}  // namespace andrea::worksheet02

#endif  // ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_WORKSHEET_H_
