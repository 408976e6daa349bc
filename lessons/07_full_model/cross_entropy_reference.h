// File: cross_entropy_reference.h
//
// Softmax cross-entropy, as kernels/cross_entropy.h defines it. A target of -1 is not counted.

#ifndef ANDREA_LESSONS_07_FULL_MODEL_CROSS_ENTROPY_REFERENCE_H_
#define ANDREA_LESSONS_07_FULL_MODEL_CROSS_ENTROPY_REFERENCE_H_

#include <cmath>
#include <vector>

#include "lessons/reference_types.h"

namespace andrea::reference {

// The logarithms of the softmax of a row. The largest number is taken out first, so that exp cannot
// overflow and large logits do not round the result away.
template <typename Scalar>
Vector<Scalar> log_softmax(const Vector<Scalar>& row) {
  const Vector<Scalar> shifted = row.array() - row.maxCoeff();
  return shifted.array() - std::log(shifted.array().exp().sum());
}

// A loss for each row of logits, in nats.
template <typename Scalar>
Vector<Scalar> cross_entropy_forward(const Matrix<Scalar>& logits,
                                     const std::vector<int>& targets) {
  Vector<Scalar> losses = Vector<Scalar>::Zero(logits.rows());
  for (int n = 0; n < logits.rows(); ++n) {
    if (targets[n] < 0) continue;
    losses[n] = -log_softmax<Scalar>(logits.row(n))[targets[n]];
  }
  return losses;
}

// dlogits of gradient_scale times the sum of the losses.
template <typename Scalar>
Matrix<Scalar> cross_entropy_backward(const Matrix<Scalar>& logits, const std::vector<int>& targets,
                                      Scalar gradient_scale) {
  Matrix<Scalar> dlogits = Matrix<Scalar>::Zero(logits.rows(), logits.cols());
  for (int n = 0; n < logits.rows(); ++n) {
    if (targets[n] < 0) continue;
    dlogits.row(n) = log_softmax<Scalar>(logits.row(n)).array().exp();
    dlogits(n, targets[n]) -= 1;
  }
  return gradient_scale * dlogits;
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_07_FULL_MODEL_CROSS_ENTROPY_REFERENCE_H_
