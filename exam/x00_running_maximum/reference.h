// File: reference.h
//
// What kernel.h defines, in Eigen.

#ifndef ANDREA_EXAM_X00_RUNNING_MAXIMUM_REFERENCE_H_
#define ANDREA_EXAM_X00_RUNNING_MAXIMUM_REFERENCE_H_

#include <algorithm>

#include "lessons/reference_types.h"

namespace andrea::reference {

// What is added to y, [count, stride].
template <typename Scalar>
Matrix<Scalar> scaled_in_column_0(Scalar factor, const Vector<Scalar>& x, int stride) {
  Matrix<Scalar> added = Matrix<Scalar>::Zero(x.size(), stride);
  added.col(0) = factor * x.transpose();
  return added;
}

template <typename Scalar>
Vector<Scalar> running_maximum(const Vector<Scalar>& x, int run) {
  Vector<Scalar> out = x;
  for (int i = 0; i < x.size(); ++i) {
    if (i % run > 0) out[i] = std::max(out[i - 1], x[i]);
  }
  return out;
}

}  // namespace andrea::reference

#endif  // ANDREA_EXAM_X00_RUNNING_MAXIMUM_REFERENCE_H_
