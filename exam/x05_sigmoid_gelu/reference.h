// File: reference.h
//
// GELU in its sigmoid form behind a bias, as kernel.h defines it, and its gradients.

#ifndef ANDREA_EXAM_X05_SIGMOID_GELU_REFERENCE_H_
#define ANDREA_EXAM_X05_SIGMOID_GELU_REFERENCE_H_

#include <cmath>

#include "exam/x05_sigmoid_gelu/kernel.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

// What goes into the activation.
template <typename Scalar>
Matrix<Scalar> with_bias(const Matrix<Scalar>& x, const Vector<Scalar>& bias) {
  return x.rowwise() + bias;
}

template <typename Scalar>
Scalar sigmoid_of(Scalar a) {
  return 1 / (1 + std::exp(-static_cast<Scalar>(exam05::kSigmoidFactor) * a));
}

template <typename Scalar>
Matrix<Scalar> sigmoid_gelu(const Matrix<Scalar>& x, const Vector<Scalar>& bias) {
  return with_bias(x, bias).unaryExpr([](Scalar a) { return a * sigmoid_of(a); });
}

template <typename Scalar>
struct SigmoidGeluGradients {
  Matrix<Scalar> dx;     // [N, C]
  Vector<Scalar> dbias;  // [C]
};

template <typename Scalar>
SigmoidGeluGradients<Scalar> sigmoid_gelu_backward(const Matrix<Scalar>& dy,
                                                   const Matrix<Scalar>& x,
                                                   const Vector<Scalar>& bias) {
  const Matrix<Scalar> slopes = with_bias(x, bias).unaryExpr([](Scalar a) {
    const Scalar sigmoid = sigmoid_of(a);
    return sigmoid * (1 + static_cast<Scalar>(exam05::kSigmoidFactor) * a * (1 - sigmoid));
  });
  const Matrix<Scalar> dx = dy.cwiseProduct(slopes);
  return {dx, dx.colwise().sum()};
}

}  // namespace andrea::reference

#endif  // ANDREA_EXAM_X05_SIGMOID_GELU_REFERENCE_H_
