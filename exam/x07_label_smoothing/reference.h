// File: reference.h
//
// Cross-entropy with label smoothing, as kernel.h defines it, and its gradient.

#ifndef ANDREA_EXAM_X07_LABEL_SMOOTHING_REFERENCE_H_
#define ANDREA_EXAM_X07_LABEL_SMOOTHING_REFERENCE_H_

#include <cstddef>
#include <vector>

#include "lessons/07_full_model/cross_entropy_reference.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

// The distribution that row n of V columns is compared with.
template <typename Scalar>
Vector<Scalar> smoothed_target(int target, int V, Scalar smoothing) {
  Vector<Scalar> wanted = Vector<Scalar>::Constant(V, smoothing / static_cast<Scalar>(V));
  wanted[target] += 1 - smoothing;
  return wanted;
}

template <typename Scalar>
Vector<Scalar> smoothed_losses(const Matrix<Scalar>& logits, const std::vector<int>& targets,
                               Scalar smoothing) {
  Vector<Scalar> losses = Vector<Scalar>::Zero(logits.rows());
  for (int n = 0; n < logits.rows(); ++n) {
    const int target = targets[static_cast<std::size_t>(n)];
    if (target < 0) continue;
    losses[n] = -log_softmax<Scalar>(logits.row(n))
                     .dot(smoothed_target(target, static_cast<int>(logits.cols()), smoothing));
  }
  return losses;
}

// dlogits of gradient_scale times the sum of the losses.
template <typename Scalar>
Matrix<Scalar> smoothed_losses_backward(const Matrix<Scalar>& logits,
                                        const std::vector<int>& targets, Scalar smoothing,
                                        Scalar gradient_scale) {
  Matrix<Scalar> dlogits = Matrix<Scalar>::Zero(logits.rows(), logits.cols());
  for (int n = 0; n < logits.rows(); ++n) {
    const int target = targets[static_cast<std::size_t>(n)];
    if (target < 0) continue;
    const Vector<Scalar> p = log_softmax<Scalar>(logits.row(n)).array().exp();
    dlogits.row(n) = p - smoothed_target(target, static_cast<int>(logits.cols()), smoothing);
  }
  return gradient_scale * dlogits;
}

}  // namespace andrea::reference

#endif  // ANDREA_EXAM_X07_LABEL_SMOOTHING_REFERENCE_H_
