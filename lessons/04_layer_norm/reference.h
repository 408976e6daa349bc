// File: reference.h
//
// Layer normalisation, as kernels/layer_norm.h defines it. An empty gain is 1, an empty bias 0.

#ifndef ANDREA_LESSONS_04_LAYER_NORM_REFERENCE_H_
#define ANDREA_LESSONS_04_LAYER_NORM_REFERENCE_H_

#include <cmath>

#include "kernels/model_config.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

// One row, shifted to mean 0 and scaled to variance 1.
template <typename Scalar>
struct NormalisedRow {
  Vector<Scalar> x_hat;
  Scalar rstd;
};

template <typename Scalar>
NormalisedRow<Scalar> normalise(const Vector<Scalar>& x) {
  const Vector<Scalar> centred = x.array() - x.mean();
  const Scalar variance = centred.squaredNorm() / static_cast<Scalar>(x.size());
  const Scalar rstd = 1 / std::sqrt(variance + static_cast<Scalar>(kLayerNormEpsilon));
  return {centred * rstd, rstd};
}

template <typename Scalar>
Matrix<Scalar> layer_norm_forward(const Matrix<Scalar>& x, const Vector<Scalar>& gain,
                                  const Vector<Scalar>& bias) {
  Matrix<Scalar> y(x.rows(), x.cols());
  for (int n = 0; n < x.rows(); ++n) {
    Vector<Scalar> row = normalise<Scalar>(x.row(n)).x_hat;
    if (gain.size() > 0) row.array() *= gain.array();
    if (bias.size() > 0) row += bias;
    y.row(n) = row;
  }
  return y;
}

template <typename Scalar>
struct LayerNormGradients {
  Matrix<Scalar> dx;     // [N, C]
  Vector<Scalar> dgain;  // [C]
  Vector<Scalar> dbias;  // [C]
};

template <typename Scalar>
LayerNormGradients<Scalar> layer_norm_backward(const Matrix<Scalar>& dy, const Matrix<Scalar>& x,
                                               const Vector<Scalar>& gain) {
  LayerNormGradients<Scalar> gradients;
  gradients.dx.resize(x.rows(), x.cols());
  gradients.dgain = Vector<Scalar>::Zero(x.cols());
  gradients.dbias = dy.colwise().sum();
  for (int n = 0; n < x.rows(); ++n) {
    const auto [x_hat, rstd] = normalise<Scalar>(x.row(n));
    gradients.dgain.array() += dy.row(n).array() * x_hat.array();

    Vector<Scalar> g = dy.row(n);
    if (gain.size() > 0) g.array() *= gain.array();
    const Scalar mean_g = g.mean();
    const Scalar mean_g_x_hat = (g.array() * x_hat.array()).mean();
    gradients.dx.row(n) = rstd * (g.array() - mean_g - x_hat.array() * mean_g_x_hat);
  }
  return gradients;
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_04_LAYER_NORM_REFERENCE_H_
