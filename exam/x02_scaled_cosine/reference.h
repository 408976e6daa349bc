// File: reference.h
//
// Scaled cosines, as kernel.h defines them, and their gradient.

#ifndef ANDREA_EXAM_X02_SCALED_COSINE_REFERENCE_H_
#define ANDREA_EXAM_X02_SCALED_COSINE_REFERENCE_H_

#include "lessons/reference_types.h"

namespace andrea::reference {

template <typename Scalar>
Vector<Scalar> inverse_lengths(const Matrix<Scalar>& x) {
  Vector<Scalar> inverse(x.rows());
  for (int n = 0; n < x.rows(); ++n) {
    const Scalar length = x.row(n).norm();
    inverse[n] = length > 0 ? 1 / length : 0;
  }
  return inverse;
}

// Every row times its number.
template <typename Scalar>
Matrix<Scalar> rows_times(const Matrix<Scalar>& rows, const Vector<Scalar>& numbers) {
  return rows.array().colwise() * numbers.transpose().array();
}

template <typename Scalar>
Matrix<Scalar> scaled_cosines(const Matrix<Scalar>& x, const Matrix<Scalar>& table,
                              const Vector<Scalar>& x_inverse, const Vector<Scalar>& table_inverse,
                              Scalar scale) {
  return scale * rows_times(x, x_inverse) * rows_times(table, table_inverse).transpose();
}

// dx: what points along x[n] changes its length alone, and so no cosine.
template <typename Scalar>
Matrix<Scalar> scaled_cosines_backward(const Matrix<Scalar>& dout, const Matrix<Scalar>& out,
                                       const Matrix<Scalar>& x, const Matrix<Scalar>& table,
                                       const Vector<Scalar>& x_inverse,
                                       const Vector<Scalar>& table_inverse, Scalar scale) {
  const Matrix<Scalar> across = scale * dout * rows_times(table, table_inverse);
  const Vector<Scalar> along = dout.cwiseProduct(out).rowwise().sum();
  return rows_times<Scalar>(across - rows_times(rows_times(x, x_inverse), along), x_inverse);
}

}  // namespace andrea::reference

#endif  // ANDREA_EXAM_X02_SCALED_COSINE_REFERENCE_H_
