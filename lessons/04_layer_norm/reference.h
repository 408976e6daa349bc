// File: reference.h
//
// Layer normalisation, as kernels/layer_norm.h defines it, and root mean square normalisation. An
// empty gain is 1, an empty bias 0.

#ifndef ANDREA_LESSONS_04_LAYER_NORM_REFERENCE_H_
#define ANDREA_LESSONS_04_LAYER_NORM_REFERENCE_H_

#include <cmath>

#include "kernels/model_config.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

// One over the root of a variance, or of a mean square.
template <typename Scalar>
Scalar reciprocal_root(Scalar variance) {
  return 1 / std::sqrt(variance + static_cast<Scalar>(kLayerNormEpsilon));
}

// One row, shifted to mean 0 and scaled to variance 1.
template <typename Scalar>
struct NormalisedRow {
  Vector<Scalar> x_hat;  // [C]
  Scalar mean, rstd;     // rstd is 1 over the root of the variance
};

// Over all its numbers, divided by C.
template <typename Scalar>
NormalisedRow<Scalar> normalise(const Vector<Scalar>& x) {
  const Scalar mean = x.mean();
  const Vector<Scalar> centred = x.array() - mean;
  const Scalar rstd = reciprocal_root(centred.squaredNorm() / static_cast<Scalar>(x.size()));
  return {centred * rstd, mean, rstd};
}

// Of each row.
template <typename Scalar>
struct RowStatistics {
  Vector<Scalar> mean;  // [N]
  Vector<Scalar> rstd;  // [N]
};

// One pair of numbers for each of N rows.
template <typename Scalar>
RowStatistics<Scalar> row_statistics(const Matrix<Scalar>& x) {
  RowStatistics<Scalar> statistics{Vector<Scalar>(x.rows()), Vector<Scalar>(x.rows())};
  for (int n = 0; n < x.rows(); ++n) {
    const auto row = normalise<Scalar>(x.row(n));
    statistics.mean[n] = row.mean;
    statistics.rstd[n] = row.rstd;
  }
  return statistics;
}

// x_hat of all rows, by statistics that are given.
template <typename Scalar>
Matrix<Scalar> normalised(const Matrix<Scalar>& x, const RowStatistics<Scalar>& statistics) {
  Matrix<Scalar> x_hat(x.rows(), x.cols());
  for (int n = 0; n < x.rows(); ++n) {
    x_hat.row(n) = (x.row(n).array() - statistics.mean[n]) * statistics.rstd[n];
  }
  return x_hat;
}

// Each row times the gain; an empty gain is 1.
template <typename Scalar>
Matrix<Scalar> times_gain(Matrix<Scalar> rows, const Vector<Scalar>& gain) {
  if (gain.size() > 0) rows.array().rowwise() *= gain.array();
  return rows;
}

// The last step of forward; an empty bias is 0.
template <typename Scalar>
Matrix<Scalar> with_gain_and_bias(const Matrix<Scalar>& x_hat, const Vector<Scalar>& gain,
                                  const Vector<Scalar>& bias) {
  Matrix<Scalar> y = times_gain(x_hat, gain);
  if (bias.size() > 0) y.rowwise() += bias;
  return y;
}

// y, [N, C].
template <typename Scalar>
Matrix<Scalar> layer_norm_forward(const Matrix<Scalar>& x, const Vector<Scalar>& gain,
                                  const Vector<Scalar>& bias) {
  return with_gain_and_bias<Scalar>(normalised(x, row_statistics(x)), gain, bias);
}

// What layer_norm_backward computes.
template <typename Scalar>
struct LayerNormGradients {
  Matrix<Scalar> dx;     // [N, C]
  Vector<Scalar> dgain;  // [C]
  Vector<Scalar> dbias;  // [C]
};

// With the statistics of forward.
template <typename Scalar>
LayerNormGradients<Scalar> layer_norm_backward(const Matrix<Scalar>& dy, const Matrix<Scalar>& x,
                                               const Vector<Scalar>& gain,
                                               const RowStatistics<Scalar>& statistics) {
  const Matrix<Scalar> x_hat = normalised(x, statistics);
  const Matrix<Scalar> g = times_gain(dy, gain), product = g.cwiseProduct(x_hat);
  LayerNormGradients<Scalar> gradients{Matrix<Scalar>(x.rows(), x.cols()),
                                       dy.cwiseProduct(x_hat).colwise().sum(), dy.colwise().sum()};
  for (int n = 0; n < x.rows(); ++n) {
    gradients.dx.row(n) = statistics.rstd[n] * (g.row(n).array() - g.row(n).mean() -
                                                x_hat.row(n).array() * product.row(n).mean());
  }
  return gradients;
}

// The same, with the statistics computed again.
template <typename Scalar>
LayerNormGradients<Scalar> layer_norm_backward(const Matrix<Scalar>& dy, const Matrix<Scalar>& x,
                                               const Vector<Scalar>& gain) {
  return layer_norm_backward(dy, x, gain, row_statistics(x));
}

// Root mean square normalisation is layer normalisation without the mean: the same statistics with
// means of 0, and of the two mean terms of the gradient the second alone.
template <typename Scalar>
RowStatistics<Scalar> root_mean_squares(const Matrix<Scalar>& x) {
  RowStatistics<Scalar> statistics{Vector<Scalar>::Zero(x.rows()), Vector<Scalar>(x.rows())};
  for (int n = 0; n < x.rows(); ++n) {
    const Scalar squares = x.row(n).squaredNorm();
    statistics.rstd[n] = reciprocal_root(squares / static_cast<Scalar>(x.cols()));
  }
  return statistics;
}

// y, [N, C]; there is no bias.
template <typename Scalar>
Matrix<Scalar> rms_norm_forward(const Matrix<Scalar>& x, const Vector<Scalar>& gain) {
  return times_gain<Scalar>(normalised(x, root_mean_squares(x)), gain);
}

// dbias stays empty.
template <typename Scalar>
LayerNormGradients<Scalar> rms_norm_backward(const Matrix<Scalar>& dy, const Matrix<Scalar>& x,
                                             const Vector<Scalar>& gain,
                                             const RowStatistics<Scalar>& statistics) {
  const Matrix<Scalar> x_hat = normalised(x, statistics);
  const Matrix<Scalar> g = times_gain(dy, gain), product = g.cwiseProduct(x_hat);
  LayerNormGradients<Scalar> gradients{
      Matrix<Scalar>(x.rows(), x.cols()), dy.cwiseProduct(x_hat).colwise().sum(), {}};
  for (int n = 0; n < x.rows(); ++n) {
    gradients.dx.row(n) =
        statistics.rstd[n] * (g.row(n).array() - x_hat.row(n).array() * product.row(n).mean());
  }
  return gradients;
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_04_LAYER_NORM_REFERENCE_H_
