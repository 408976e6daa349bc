// File: reference.h
//
// The mean of the embeddings of a segment, as kernel.h defines it, and its gradient.

#ifndef ANDREA_EXAM_X01_SEGMENT_MEAN_REFERENCE_H_
#define ANDREA_EXAM_X01_SEGMENT_MEAN_REFERENCE_H_

#include <cstddef>
#include <vector>

#include "lessons/reference_types.h"

namespace andrea::reference {

// weights[s, n] = 1 / (tokens of segment s), if n is one of them, else 0: the means are
// weights * (rows of the tokens).
template <typename Scalar>
Matrix<Scalar> segment_weights(const std::vector<int>& starts) {
  const int S = static_cast<int>(starts.size()) - 1;
  Matrix<Scalar> weights = Matrix<Scalar>::Zero(S, starts.back());
  for (int s = 0; s < S; ++s) {
    const int begin = starts[static_cast<std::size_t>(s)];
    const int count = starts[static_cast<std::size_t>(s) + 1] - begin;
    if (count > 0) weights.row(s).segment(begin, count).setConstant(Scalar{1} / count);
  }
  return weights;
}

template <typename Scalar>
Matrix<Scalar> segment_means(const std::vector<int>& starts, const std::vector<int>& tokens,
                             const Matrix<Scalar>& token_table) {
  const int N = static_cast<int>(tokens.size());
  Matrix<Scalar> rows(N, token_table.cols());
  for (int n = 0; n < N; ++n) rows.row(n) = token_table.row(tokens[static_cast<std::size_t>(n)]);
  return segment_weights<Scalar>(starts) * rows;
}

// dtoken_table, [V, C].
template <typename Scalar>
Matrix<Scalar> scatter_shares(const Matrix<Scalar>& dout, const std::vector<int>& starts,
                              const std::vector<int>& tokens, int V) {
  const Matrix<Scalar> drows = segment_weights<Scalar>(starts).transpose() * dout;
  Matrix<Scalar> dtoken_table = Matrix<Scalar>::Zero(V, dout.cols());
  for (int n = 0; n < drows.rows(); ++n) {
    dtoken_table.row(tokens[static_cast<std::size_t>(n)]) += drows.row(n);
  }
  return dtoken_table;
}

}  // namespace andrea::reference

#endif  // ANDREA_EXAM_X01_SEGMENT_MEAN_REFERENCE_H_
