// File: reference.h
//
// All dot products between the rows of two matrices, as kernels/dot_similarity.h defines them.

#ifndef ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_REFERENCE_H_
#define ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_REFERENCE_H_

#include "lessons/reference_types.h"

namespace andrea::reference {

// out[n, m] = x[n, :] . table[m, :]
template <typename Scalar>
Matrix<Scalar> dot_similarity_forward(const Matrix<Scalar>& x, const Matrix<Scalar>& table) {
  return x * table.transpose();
}

template <typename Scalar>
struct DotSimilarityGradients {
  Matrix<Scalar> dx;      // [N, C]
  Matrix<Scalar> dtable;  // [M, C]
};

template <typename Scalar>
DotSimilarityGradients<Scalar> dot_similarity_backward(const Matrix<Scalar>& dout,
                                                       const Matrix<Scalar>& x,
                                                       const Matrix<Scalar>& table) {
  return {dout * table, dout.transpose() * x};
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_REFERENCE_H_
