// The worksheet of lesson 01. Its questions are tried by
//
//   bazel test //lessons/01_embedding_lookup:worksheet_test

#ifndef ANDREA_LESSONS_01_EMBEDDING_LOOKUP_WORKSHEET_H_
#define ANDREA_LESSONS_01_EMBEDDING_LOOKUP_WORKSHEET_H_

#include <algorithm>
#include <vector>

#include "lessons/worksheet.h"

namespace andrea::worksheet01 {

using worksheet::drawn;
using worksheet::kNoChoice;
using worksheet::kUnanswered;
using Shape = std::vector<std::int64_t>;

// 01.w1  A table of embeddings has a row of C numbers for each of V ids.
constexpr std::int64_t table_numbers(std::int64_t V, std::int64_t C) {
  // TODO(01.w1): how many numbers it holds.
  return kUnanswered;
}

// 01.w2  Three tables. The 12M model of the family has 4,353 ids and width 384, the 480M model
// 16,641 and 1,536. The third is yours: its rows and its width are drawn from your name.
// TODO(01.w2): write your name (./andrea name Ada Lovelace writes it into all worksheets), then
// the numbers of each table.
inline constexpr char kName[] = "";
inline constexpr std::int64_t kMyRows = drawn(kName, "01.w2 rows", 5000, 60000);
inline constexpr std::int64_t kMyWidth = 64 * drawn(kName, "01.w2 width", 4, 32);
// TODO(01.w2): the numbers of the three tables.
inline constexpr std::int64_t kTable12M = kUnanswered;
inline constexpr std::int64_t kTable480M = kUnanswered;
inline constexpr std::int64_t kMyTable = kUnanswered;

// 01.w3  Numbers are floats. A batch has B sequences of T tokens.
constexpr std::int64_t table_bytes(std::int64_t V, std::int64_t C) {
  // TODO(01.w3): the bytes of the whole table.
  return kUnanswered;
}
constexpr std::int64_t touched_bytes(std::int64_t V, std::int64_t C, std::int64_t B,
                                     std::int64_t T) {
  // TODO(01.w3): the bytes of the rows of its gradient that one batch can touch at most.
  return kUnanswered;
}

// 01.w4  A model has a token table, a table of T positions, and an output matrix with a row of C
// numbers for each id. Tied, the output matrix is the token table itself.
constexpr std::int64_t embedding_parameters(std::int64_t V, std::int64_t T, std::int64_t C,
                                            bool tied) {
  // TODO(01.w4): the parameters of all three, each number that is stored counted once.
  return kUnanswered;
}

// 01.w5  Positions can be sines of fixed frequencies, as in the first transformer, or a table that
// is trained, as in GPT-2 and here. What is true?
//   a  A trained table has a row for positions that no training text had; sines end with the
//      context.
//   b  A trained table can take whatever form the data ask for, costs T * C parameters, and says
//      nothing of positions from T on; sines cost none and exist for every position.
//   c  A trained table is chosen because it saves parameters.
//   d  Sines are added to the token's row, while trained positions turn queries and keys.
// TODO(01.w5): the letter of the right answer.
inline constexpr char kPositions = kNoChoice;

// 01.w6  "13M parameters for 8,449 x 768 x 2, tied": one of these steps is wrong. Which is the
// first?
//   a  The token table has 8,449 x 768 = 6,488,832 numbers.
//   b  The output matrix is tied: it is the token table, used a second time.
//   c  So the two together have 6,488,832 x 2 = 12,977,664 parameters.
//   d  12,977,664 is about 13M.
// TODO(01.w6): the letter of the first wrong step.
inline constexpr char kWrongStep = kNoChoice;

// 01.w7  Shapes, outermost axis first, as {V, C} for the token table.
inline Shape shape_of_out([[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t T,
                          [[maybe_unused]] std::int64_t C, [[maybe_unused]] std::int64_t V) {
  // TODO(01.w7): what the lookup makes of tokens [B, T].
  return {kUnanswered};
}
inline Shape shape_of_dtoken_table([[maybe_unused]] std::int64_t B, [[maybe_unused]] std::int64_t T,
                                   [[maybe_unused]] std::int64_t C,
                                   [[maybe_unused]] std::int64_t V) {
  // TODO(01.w7): the gradient that comes back to the token table.
  return {kUnanswered};
}
inline Shape shape_of_one_hot([[maybe_unused]] std::int64_t N, [[maybe_unused]] std::int64_t V) {
  // TODO(01.w7): the matrix whose product with the token table is out, for N tokens.
  return {kUnanswered};
}

}  // namespace andrea::worksheet01

#endif  // ANDREA_LESSONS_01_EMBEDDING_LOOKUP_WORKSHEET_H_
