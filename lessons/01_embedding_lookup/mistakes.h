// File: mistakes.h
//
// What the known mistakes of lesson 01 make of an output, for the tests to recognise.

#ifndef ANDREA_LESSONS_01_EMBEDDING_LOOKUP_MISTAKES_H_
#define ANDREA_LESSONS_01_EMBEDDING_LOOKUP_MISTAKES_H_

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "lessons/reference_types.h"

namespace andrea::mistakes {

using Numbers = reference::Matrix<double>;
// Which row a kernel takes in place of the right one.
using RowOf = std::function<int(int n)>;

// out[n, :] = table[row_of(n), :]
inline Numbers rows_of(const Numbers& table, int N, const RowOf& row_of) {
  Numbers out(N, table.cols());
  for (int n = 0; n < N; ++n) out.row(n) = table.row(row_of(n));
  return out;
}

// As rows_of, where a row begins at the number row_of(n) of the table, without times C; NaN behind
// the table's end.
inline Numbers rows_without_width(const Numbers& table, int N, const RowOf& row_of) {
  Numbers out(N, table.cols());
  for (int n = 0; n < N; ++n) {
    for (int c = 0; c < table.cols(); ++c) {
      const Eigen::Index at = row_of(n) + c;
      out(n, c) = at < table.size() ? table.data()[at] : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return out;
}

// table[row_of(n), :] += dout[n, :], into a table of V rows that holds 0
inline Numbers scattered(const Numbers& dout, int V, const RowOf& row_of) {
  Numbers table = Numbers::Zero(V, dout.cols());
  for (int n = 0; n < dout.rows(); ++n) table.row(row_of(n)) += dout.row(n);
  return table;
}

inline Numbers scattered_without_width(const Numbers& dout, int V, const RowOf& row_of) {
  Numbers table = Numbers::Zero(V, dout.cols());
  for (int n = 0; n < dout.rows(); ++n) {
    for (int c = 0; c < dout.cols(); ++c) table.data()[row_of(n) + c] += dout(n, c);
  }
  return table;
}

// The first `threads` columns of `right`, and `rest` in the others: what remains where each thread
// has one column only.
inline Numbers first_columns(const Numbers& right, int threads, const Numbers& rest) {
  Numbers wrong = rest;
  const auto columns = std::min<Eigen::Index>(threads, right.cols());
  wrong.leftCols(columns) = right.leftCols(columns);
  return wrong;
}

// The columns of `right` as often as one of `threads` threads comes to them, if its loop goes on by
// `step`.
inline Numbers columns_in_steps(Numbers right, int threads, int step) {
  for (int c = 0; c < right.cols(); ++c) {
    int times = 0;
    for (int first = c % step; first < std::min(threads, c + 1); first += step) ++times;
    right.col(c) *= times;
  }
  return right;
}

inline Numbers never_written(const Numbers& right) {
  return Numbers::Constant(right.rows(), right.cols(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace andrea::mistakes

#endif  // ANDREA_LESSONS_01_EMBEDDING_LOOKUP_MISTAKES_H_
