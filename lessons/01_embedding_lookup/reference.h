// File: reference.h
//
// Embedding lookup, as kernels/embedding.h defines it. Row n of an [N, C] matrix belongs to the
// token at position n % T of sequence n / T.

#ifndef ANDREA_LESSONS_01_EMBEDDING_LOOKUP_REFERENCE_H_
#define ANDREA_LESSONS_01_EMBEDDING_LOOKUP_REFERENCE_H_

#include <vector>

#include "lessons/reference_types.h"

namespace andrea::reference {

// out[n, :] = token_table[tokens[n], :]
template <typename Scalar>
Matrix<Scalar> gather_rows(const std::vector<int>& tokens, const Matrix<Scalar>& token_table) {
  const int N = static_cast<int>(tokens.size());
  Matrix<Scalar> out(N, token_table.cols());
  for (int n = 0; n < N; ++n) out.row(n) = token_table.row(tokens[n]);
  return out;
}

// A 1 in each row, in the column that the token names: times a table it is gather_rows.
template <typename Scalar>
Matrix<Scalar> one_hot(const std::vector<int>& tokens, int V) {
  const int N = static_cast<int>(tokens.size());
  Matrix<Scalar> result = Matrix<Scalar>::Zero(N, V);
  for (int n = 0; n < N; ++n) result(n, tokens[n]) = 1;
  return result;
}

// The row of position_table that is added to each of N rows.
template <typename Scalar>
Matrix<Scalar> positions_of_rows(int N, int T, const Matrix<Scalar>& position_table) {
  Matrix<Scalar> rows(N, position_table.cols());
  for (int n = 0; n < N; ++n) rows.row(n) = position_table.row(n % T);
  return rows;
}

// Both; an empty position_table is not added.
template <typename Scalar>
Matrix<Scalar> embedding_forward(const std::vector<int>& tokens, int T,
                                 const Matrix<Scalar>& token_table,
                                 const Matrix<Scalar>& position_table) {
  Matrix<Scalar> out = gather_rows(tokens, token_table);
  if (position_table.size() > 0) {
    out += positions_of_rows(static_cast<int>(tokens.size()), T, position_table);
  }
  return out;
}

// dtoken_table: a row receives the sum over all the places where it was used.
template <typename Scalar>
Matrix<Scalar> scatter_add(const Matrix<Scalar>& dout, const std::vector<int>& tokens, int V) {
  Matrix<Scalar> dtoken_table = Matrix<Scalar>::Zero(V, dout.cols());
  for (int n = 0; n < dout.rows(); ++n) dtoken_table.row(tokens[n]) += dout.row(n);
  return dtoken_table;
}

// dposition_table: every sequence has used its row t.
template <typename Scalar>
Matrix<Scalar> sum_over_batch(const Matrix<Scalar>& dout, int T) {
  Matrix<Scalar> dposition_table = Matrix<Scalar>::Zero(T, dout.cols());
  for (int n = 0; n < dout.rows(); ++n) dposition_table.row(n % T) += dout.row(n);
  return dposition_table;
}

// What embedding_backward computes.
template <typename Scalar>
struct EmbeddingGradients {
  Matrix<Scalar> dtoken_table;     // [V, C]
  Matrix<Scalar> dposition_table;  // [T, C]
};

// The sums over all places of each token, and over the batch.
template <typename Scalar>
EmbeddingGradients<Scalar> embedding_backward(const Matrix<Scalar>& dout,
                                              const std::vector<int>& tokens, int T, int V) {
  return {scatter_add(dout, tokens, V), sum_over_batch(dout, T)};
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_01_EMBEDDING_LOOKUP_REFERENCE_H_
