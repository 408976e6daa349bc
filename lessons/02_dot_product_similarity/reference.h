// File: reference.h
//
// All dot products between the rows of two matrices, as kernels/dot_similarity.h defines them, and
// the dot products and cosines of pairs of rows.

#ifndef ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_REFERENCE_H_
#define ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_REFERENCE_H_

#include "lessons/reference_types.h"

namespace andrea::reference {

// dots[n] = a[n, :] . b[n, :]
template <typename Scalar>
Vector<Scalar> pair_dots(const Matrix<Scalar>& a, const Matrix<Scalar>& b) {
  return a.cwiseProduct(b).rowwise().sum();
}

// The dot product of two vectors, divided by both lengths; 0 where one is the zero vector.
template <typename Scalar>
Scalar cosine(const Vector<Scalar>& a, const Vector<Scalar>& b) {
  const Scalar lengths = a.norm() * b.norm();
  return lengths > 0 ? a.dot(b) / lengths : 0;
}

// The same for each pair of rows.
template <typename Scalar>
Vector<Scalar> pair_cosines(const Matrix<Scalar>& a, const Matrix<Scalar>& b) {
  Vector<Scalar> cosines(a.rows());
  for (Eigen::Index n = 0; n < a.rows(); ++n) cosines[n] = cosine<Scalar>(a.row(n), b.row(n));
  return cosines;
}

// out[n, m] = x[n, :] . table[m, :]
template <typename Scalar>
Matrix<Scalar> dot_similarity_forward(const Matrix<Scalar>& x, const Matrix<Scalar>& table) {
  return x * table.transpose();
}

// What dot_similarity_backward computes.
template <typename Scalar>
struct DotSimilarityGradients {
  Matrix<Scalar> dx;      // [N, C]
  Matrix<Scalar> dtable;  // [M, C]
};

// The two products of the gradient, with either factor.
template <typename Scalar>
DotSimilarityGradients<Scalar> dot_similarity_backward(const Matrix<Scalar>& dout,
                                                       const Matrix<Scalar>& x,
                                                       const Matrix<Scalar>& table) {
  return {dout * table, dout.transpose() * x};
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_REFERENCE_H_
