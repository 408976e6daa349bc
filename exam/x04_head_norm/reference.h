// File: reference.h
//
// The root mean square norm of heads, as kernel.h defines it, and its gradients. Any [N, C] matrix
// is looked at as [N * H, D] here: a row for each head.

#ifndef ANDREA_EXAM_X04_HEAD_NORM_REFERENCE_H_
#define ANDREA_EXAM_X04_HEAD_NORM_REFERENCE_H_

#include "kernels/model_config.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

template <typename Scalar>
Matrix<Scalar> heads_of(const Matrix<Scalar>& rows, int H) {
  return load(rows.data(), static_cast<int>(rows.rows()) * H, static_cast<int>(rows.cols()) / H);
}
template <typename Scalar>
Matrix<Scalar> rows_of(const Matrix<Scalar>& heads, int H) {
  return load(heads.data(), static_cast<int>(heads.rows()) / H, static_cast<int>(heads.cols()) * H);
}

// Of each head, [N * H].
template <typename Scalar>
Vector<Scalar> head_rstd(const Matrix<Scalar>& x, int H) {
  const Matrix<Scalar> heads = heads_of(x, H);
  return (heads.array().square().rowwise().mean() + static_cast<Scalar>(kLayerNormEpsilon))
      .rsqrt()
      .transpose();
}

template <typename Scalar>
Matrix<Scalar> head_normalised(const Matrix<Scalar>& x, const Vector<Scalar>& rstd, int H) {
  const Matrix<Scalar> heads = heads_of(x, H);
  return rows_of<Scalar>(heads.array().colwise() * rstd.transpose().array(), H);
}

template <typename Scalar>
Matrix<Scalar> head_norm(const Matrix<Scalar>& x, const Vector<Scalar>& gain,
                         const Vector<Scalar>& rstd, int H) {
  return head_normalised(x, rstd, H).array().rowwise() * gain.array();
}

template <typename Scalar>
struct HeadNormGradients {
  Matrix<Scalar> dx;     // [N, C]
  Vector<Scalar> dgain;  // [C]
};

template <typename Scalar>
HeadNormGradients<Scalar> head_norm_backward(const Matrix<Scalar>& dy, const Matrix<Scalar>& x,
                                             const Vector<Scalar>& gain, const Vector<Scalar>& rstd,
                                             int H) {
  const Matrix<Scalar> x_hat = head_normalised(x, rstd, H);
  const Matrix<Scalar> g = dy.array().rowwise() * gain.array();
  const Vector<Scalar> means =
      heads_of<Scalar>(g.cwiseProduct(x_hat), H).rowwise().mean().transpose();
  const Matrix<Scalar> change = g - head_normalised(x_hat, means, H);
  return {head_normalised(change, rstd, H), dy.cwiseProduct(x_hat).colwise().sum()};
}

}  // namespace andrea::reference

#endif  // ANDREA_EXAM_X04_HEAD_NORM_REFERENCE_H_
