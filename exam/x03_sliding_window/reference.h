// File: reference.h
//
// Attention in a sliding window, as kernel.h defines it. Weights are matrices [B * H * T, W], out
// and a third of qkv are matrices [B * T, C].

#ifndef ANDREA_EXAM_X03_SLIDING_WINDOW_REFERENCE_H_
#define ANDREA_EXAM_X03_SLIDING_WINDOW_REFERENCE_H_

#include <algorithm>
#include <cmath>

#include "exam/x03_sliding_window/kernel.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

using exam03::WindowShape;

// Calls body(b, h, i, row of weights, first column of the head).
template <typename Body>
void for_each_query(const WindowShape& shape, const Body& body) {
  for (int row = 0; row < shape.B * shape.H * shape.T; ++row) {
    const int h = row / shape.T % shape.H;
    body(row / shape.T / shape.H, h, row % shape.T, row, h * shape.head_size());
  }
}

template <typename Scalar>
Matrix<Scalar> window_weights(const Matrix<Scalar>& qkv, const WindowShape& shape) {
  const int T = shape.T, C = shape.C, D = shape.head_size();
  Matrix<Scalar> weights = Matrix<Scalar>::Zero(shape.B * shape.H * T, shape.W);
  for_each_query(shape, [&](int b, int, int i, int row, int column) {
    const int seen = std::min(shape.W, i + 1);
    Vector<Scalar> scores(seen);
    for (int w = 0; w < seen; ++w) {
      scores[w] =
          qkv.row(b * T + i).segment(column, D).dot(qkv.row(b * T + i - w).segment(C + column, D)) /
          std::sqrt(static_cast<Scalar>(D));
    }
    scores = (scores.array() - scores.maxCoeff()).exp().eval();
    weights.row(row).head(seen) = scores / scores.sum();
  });
  return weights;
}

template <typename Scalar>
Matrix<Scalar> window_sum(const Matrix<Scalar>& weights, const Matrix<Scalar>& qkv,
                          const WindowShape& shape) {
  const int T = shape.T, C = shape.C, D = shape.head_size();
  Matrix<Scalar> out = Matrix<Scalar>::Zero(shape.B * T, C);
  for_each_query(shape, [&](int b, int, int i, int row, int column) {
    for (int w = 0; w < std::min(shape.W, i + 1); ++w) {
      out.row(b * T + i).segment(column, D) +=
          weights(row, w) * qkv.row(b * T + i - w).segment(2 * C + column, D);
    }
  });
  return out;
}

// The values' third of dqkv, [B * T, C].
template <typename Scalar>
Matrix<Scalar> window_value_gradient(const Matrix<Scalar>& weights, const Matrix<Scalar>& dout,
                                     const WindowShape& shape) {
  const int T = shape.T, D = shape.head_size();
  Matrix<Scalar> dvalue = Matrix<Scalar>::Zero(shape.B * T, shape.C);
  for_each_query(shape, [&](int b, int, int i, int row, int column) {
    for (int w = 0; w < std::min(shape.W, i + 1); ++w) {
      dvalue.row(b * T + i - w).segment(column, D) +=
          weights(row, w) * dout.row(b * T + i).segment(column, D);
    }
  });
  return dvalue;
}

}  // namespace andrea::reference

#endif  // ANDREA_EXAM_X03_SLIDING_WINDOW_REFERENCE_H_
