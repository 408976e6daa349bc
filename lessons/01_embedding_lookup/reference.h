// File: reference.h
//
// Embedding lookup, as kernels/embedding.h defines it. Row n of an [N, C] matrix belongs to the
// token at position n % T of sequence n / T.

#ifndef ANDREA_LESSONS_01_EMBEDDING_LOOKUP_REFERENCE_H_
#define ANDREA_LESSONS_01_EMBEDDING_LOOKUP_REFERENCE_H_

#include <vector>

#include "lessons/reference_types.h"

namespace andrea::reference {

// out[n, :] = token_table[tokens[n], :] + position_table[n % T, :]
template <typename Scalar>
Matrix<Scalar> embedding_forward(const std::vector<int>& tokens, int T,
                                 const Matrix<Scalar>& token_table,
                                 const Matrix<Scalar>& position_table) {
  const int N = static_cast<int>(tokens.size());
  Matrix<Scalar> out(N, token_table.cols());
  for (int n = 0; n < N; ++n) {
    out.row(n) = token_table.row(tokens[n]);
    if (position_table.size() > 0) out.row(n) += position_table.row(n % T);
  }
  return out;
}

template <typename Scalar>
struct EmbeddingGradients {
  Matrix<Scalar> dtoken_table;     // [V, C]
  Matrix<Scalar> dposition_table;  // [T, C]
};

// A row of a table receives the sum over all the places where it was used.
template <typename Scalar>
EmbeddingGradients<Scalar> embedding_backward(const Matrix<Scalar>& dout,
                                              const std::vector<int>& tokens, int T, int V) {
  EmbeddingGradients<Scalar> gradients;
  gradients.dtoken_table = Matrix<Scalar>::Zero(V, dout.cols());
  gradients.dposition_table = Matrix<Scalar>::Zero(T, dout.cols());
  for (int n = 0; n < dout.rows(); ++n) {
    gradients.dtoken_table.row(tokens[n]) += dout.row(n);
    gradients.dposition_table.row(n % T) += dout.row(n);
  }
  return gradients;
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_01_EMBEDDING_LOOKUP_REFERENCE_H_
