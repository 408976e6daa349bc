// File: reference.h
//
// The two parts of an MLP: the linear layer of kernels/linear.h and the activation of
// kernels/activation.h, in all its kinds.

#ifndef ANDREA_LESSONS_05_GELU_MLP_REFERENCE_H_
#define ANDREA_LESSONS_05_GELU_MLP_REFERENCE_H_

#include <cmath>
#include <numbers>

#include "kernels/model_config.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

// y = x W + bias; an empty bias is 0.
template <typename Scalar>
Matrix<Scalar> linear_forward(const Matrix<Scalar>& x, const Matrix<Scalar>& weight,
                              const Vector<Scalar>& bias) {
  Matrix<Scalar> y = x * weight;
  if (bias.size() > 0) y.rowwise() += bias;
  return y;
}

// What linear_backward computes.
template <typename Scalar>
struct LinearGradients {
  Matrix<Scalar> dx;       // [N, in]
  Matrix<Scalar> dweight;  // [in, out]
  Vector<Scalar> dbias;    // [out]
};

// The three products and sums of one layer.
template <typename Scalar>
LinearGradients<Scalar> linear_backward(const Matrix<Scalar>& dy, const Matrix<Scalar>& x,
                                        const Matrix<Scalar>& weight) {
  return {dy * weight.transpose(), x.transpose() * dy, dy.colwise().sum()};
}

// A function of one number and its derivative, at one place.
template <typename Scalar>
struct Slope {
  Scalar value;       // at that place
  Scalar derivative;  // at that place
};

// x Phi(x), with Phi(x) ~ (1 + tanh(u)) / 2 and u = sqrt(2 / pi) (x + 0.044715 x^3).
template <typename Scalar>
Slope<Scalar> gelu(Scalar x) {
  const Scalar root = std::sqrt(2 / std::numbers::pi_v<Scalar>);
  const Scalar cubic = static_cast<Scalar>(0.044715);
  const Scalar tanh_u = std::tanh(root * (x + cubic * x * x * x));
  const Scalar du = root * (1 + 3 * cubic * x * x);
  const Scalar Phi = (1 + tanh_u) / 2;
  return {x * Phi, Phi + x * (1 - tanh_u * tanh_u) * du / 2};
}

// x Phi(x), with Phi(x) = (1 + erf(x / sqrt(2))) / 2, whose derivative is the normal density.
template <typename Scalar>
Slope<Scalar> gelu_erf(Scalar x) {
  const Scalar Phi = (1 + std::erf(x / std::numbers::sqrt2_v<Scalar>)) / 2;
  const Scalar density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi_v<Scalar>);
  return {x * Phi, Phi + x * density};
}

// x where it is positive, else 0; the derivative at 0 is taken as 0.
template <typename Scalar>
Slope<Scalar> relu(Scalar x) {
  return x > 0 ? Slope<Scalar>{x, 1} : Slope<Scalar>{0, 0};
}

// x / (1 + exp(-x)), the gate of swiglu.
template <typename Scalar>
Slope<Scalar> silu(Scalar x) {
  const Scalar sigmoid = 1 / (1 + std::exp(-x));
  return {x * sigmoid, sigmoid * (1 + x * (1 - sigmoid))};
}

// The activation of that kind; silu for swiglu, whose product is made elsewhere.
template <typename Scalar>
Slope<Scalar> activate(Activation kind, Scalar x) {
  switch (kind) {
    case Activation::gelu:
      return gelu(x);
    case Activation::gelu_erf:
      return gelu_erf(x);
    case Activation::relu:
      return relu(x);
    case Activation::swiglu:
      return silu(x);
  }
  throw std::invalid_argument("no such activation");
}

// Number by number; for swiglu, row by row: [a | b] becomes silu(a) * b, half as wide.
template <typename Scalar>
Matrix<Scalar> activation_forward(Activation kind, const Matrix<Scalar>& x) {
  const bool gated = kind == Activation::swiglu;
  const auto width = gated ? x.cols() / 2 : x.cols();
  Matrix<Scalar> y =
      x.leftCols(width).unaryExpr([kind](Scalar a) { return activate(kind, a).value; });
  if (gated) y.array() *= x.rightCols(width).array();
  return y;
}

// dx, as wide as x.
template <typename Scalar>
Matrix<Scalar> activation_backward(Activation kind, const Matrix<Scalar>& dy,
                                   const Matrix<Scalar>& x) {
  const bool gated = kind == Activation::swiglu;
  const auto width = dy.cols();
  Matrix<Scalar> dx(x.rows(), x.cols());
  for (int n = 0; n < x.rows(); ++n) {
    for (int c = 0; c < width; ++c) {
      const Slope<Scalar> a = activate(kind, x(n, c));
      dx(n, c) = dy(n, c) * a.derivative;
      if (!gated) continue;
      dx(n, c) *= x(n, width + c);
      dx(n, width + c) = dy(n, c) * a.value;
    }
  }
  return dx;
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_05_GELU_MLP_REFERENCE_H_
