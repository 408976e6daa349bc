// File: reference.h
//
// Scaled dot-product attention over H heads, as kernels/attention.h defines it: causal or not,
// without rotary positions.

#ifndef ANDREA_LESSONS_03_ATTENTION_REFERENCE_H_
#define ANDREA_LESSONS_03_ATTENTION_REFERENCE_H_

#include <cmath>

#include "kernels/attention.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

// The softmax of the scores between T queries and T keys, [T, D] each. Row i sees keys 0 .. i where
// causal. The exponential never sees a masked score: a masked infinity times zero would be NaN.
template <typename Scalar>
Matrix<Scalar> attention_weights(const Matrix<Scalar>& query, const Matrix<Scalar>& key,
                                 bool causal) {
  const int T = static_cast<int>(query.rows());
  const Matrix<Scalar> score =
      query * key.transpose() / std::sqrt(static_cast<Scalar>(query.cols()));
  Matrix<Scalar> weight = Matrix<Scalar>::Zero(T, T);
  for (int i = 0; i < T; ++i) {
    const int seen = causal ? i + 1 : T;
    const Vector<Scalar> row = score.row(i).head(seen);
    const Vector<Scalar> exponential = (row.array() - row.maxCoeff()).exp();
    weight.row(i).head(seen) = exponential / exponential.sum();
  }
  return weight;
}

// Query, key or value (third = 0, 1, 2) of head h in sequence b, [T, D], out of qkv [B * T, 3C].
template <typename Scalar>
Matrix<Scalar> head_of(const Matrix<Scalar>& qkv, const AttentionShape& shape, int third, int b,
                       int h) {
  const int D = shape.head_size();
  return qkv.block(b * shape.T, third * shape.C + h * D, shape.T, D);
}

template <typename Scalar>
Matrix<Scalar> attention_forward(const Matrix<Scalar>& qkv, const AttentionShape& shape) {
  require_covered(!shape.rotary, "rotary positions");
  const int T = shape.T, D = shape.head_size();
  Matrix<Scalar> out(shape.B * T, shape.C);
  for (int b = 0; b < shape.B; ++b) {
    for (int h = 0; h < shape.H; ++h) {
      const Matrix<Scalar> query = head_of(qkv, shape, 0, b, h);
      const Matrix<Scalar> key = head_of(qkv, shape, 1, b, h);
      const Matrix<Scalar> value = head_of(qkv, shape, 2, b, h);
      out.block(b * T, h * D, T, D) = attention_weights(query, key, shape.causal) * value;
    }
  }
  return out;
}

// dqkv, [B * T, 3C].
template <typename Scalar>
Matrix<Scalar> attention_backward(const Matrix<Scalar>& dout, const Matrix<Scalar>& qkv,
                                  const AttentionShape& shape) {
  require_covered(!shape.rotary, "rotary positions");
  const int T = shape.T, C = shape.C, D = shape.head_size();
  const Scalar scale = 1 / std::sqrt(static_cast<Scalar>(D));
  Matrix<Scalar> dqkv(shape.B * T, 3 * C);
  for (int b = 0; b < shape.B; ++b) {
    for (int h = 0; h < shape.H; ++h) {
      const Matrix<Scalar> query = head_of(qkv, shape, 0, b, h);
      const Matrix<Scalar> key = head_of(qkv, shape, 1, b, h);
      const Matrix<Scalar> value = head_of(qkv, shape, 2, b, h);
      const Matrix<Scalar> weight = attention_weights(query, key, shape.causal);

      const Matrix<Scalar> dhead = dout.block(b * T, h * D, T, D);
      const Matrix<Scalar> dweight = dhead * value.transpose();
      Matrix<Scalar> dscore(T, T);
      for (int i = 0; i < T; ++i) {
        const Scalar mean = weight.row(i).dot(dweight.row(i));
        dscore.row(i) = weight.row(i).array() * (dweight.row(i).array() - mean);
      }
      dqkv.block(b * T, h * D, T, D) = scale * dscore * key;
      dqkv.block(b * T, C + h * D, T, D) = scale * dscore.transpose() * query;
      dqkv.block(b * T, 2 * C + h * D, T, D) = weight.transpose() * dhead;
    }
  }
  return dqkv;
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_03_ATTENTION_REFERENCE_H_
