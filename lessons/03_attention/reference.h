// File: reference.h
//
// Scaled dot-product attention over H heads, as kernels/attention.h defines it, step by step:
// causal or not, without rotary positions, which are a step of their own.
//
// Scores, weights and their gradients, [B, H, T, T], are matrices [B * H * T, T]; out and a third
// of qkv are matrices [B * T, C].

#ifndef ANDREA_LESSONS_03_ATTENTION_REFERENCE_H_
#define ANDREA_LESSONS_03_ATTENTION_REFERENCE_H_

#include <cmath>
#include <limits>

#include "kernels/attention.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

// The queries, keys or values of all tokens (third = 0, 1, 2), [B * T, C].
template <typename Scalar>
Matrix<Scalar> third_of(const Matrix<Scalar>& qkv, const AttentionShape& shape, int third) {
  return qkv.middleCols(third * shape.C, shape.C);
}

// What head h of sequence b has of a [B * T, C] matrix, [T, D]; and of a [B * H * T, T] one.
template <typename M>
auto head_of(M& matrix, const AttentionShape& shape, int b, int h) {
  return matrix.block(b * shape.T, h * shape.head_size(), shape.T, shape.head_size());
}
template <typename M>
auto square_of(M& matrix, const AttentionShape& shape, int b, int h) {
  return matrix.middleRows((b * shape.H + h) * shape.T, shape.T);
}

// Calls `body` with b and h of every head.
template <typename Body>
void for_each_head(const AttentionShape& shape, const Body& body) {
  for (int b = 0; b < shape.B; ++b) {
    for (int h = 0; h < shape.H; ++h) body(b, h);
  }
}

// result[b, h] = left[b, h] right[b, h]^T: a number for each query and key, `masked` where the
// query does not see the key.
template <typename Scalar>
Matrix<Scalar> dot_products(const Matrix<Scalar>& left, const Matrix<Scalar>& right,
                            const AttentionShape& shape, Scalar masked) {
  Matrix<Scalar> result(shape.B * shape.H * shape.T, shape.T);
  for_each_head(shape, [&](int b, int h) {
    square_of(result, shape, b, h) =
        head_of(left, shape, b, h) * head_of(right, shape, b, h).transpose();
  });
  if (!shape.causal) return result;
  for (int row = 0; row < result.rows(); ++row) {
    result.row(row).tail(shape.T - 1 - row % shape.T).setConstant(masked);
  }
  return result;
}

// result[b, h] = square[b, h] right[b, h], or square[b, h]^T right[b, h].
template <typename Scalar>
Matrix<Scalar> mixed(const Matrix<Scalar>& square, const Matrix<Scalar>& right,
                     const AttentionShape& shape, bool transpose) {
  Matrix<Scalar> result(shape.B * shape.T, shape.C);
  for_each_head(shape, [&](int b, int h) {
    const Matrix<Scalar> mixing = square_of(square, shape, b, h);
    head_of(result, shape, b, h) =
        (transpose ? Matrix<Scalar>(mixing.transpose()) : mixing) * head_of(right, shape, b, h);
  });
  return result;
}

// What scores are multiplied by: 1 / sqrt(D).
template <typename Scalar>
Scalar attention_scale(const AttentionShape& shape) {
  return 1 / std::sqrt(static_cast<Scalar>(shape.head_size()));
}

// The scores of all heads, [B * H * T, T]: minus infinity where the query does not see the key.
template <typename Scalar>
Matrix<Scalar> attention_scores(const Matrix<Scalar>& qkv, const AttentionShape& shape) {
  return dot_products<Scalar>(third_of(qkv, shape, 0) * attention_scale<Scalar>(shape),
                              third_of(qkv, shape, 1), shape,
                              -std::numeric_limits<Scalar>::infinity());
}

// Of each row. A row has at least one finite score, so that no exponential is that of a positive
// number, and that of minus infinity is 0 (std::exp's is; Eigen's stops at the smallest normal
// one).
template <typename Scalar>
Matrix<Scalar> softmax(Matrix<Scalar> scores) {
  for (int row = 0; row < scores.rows(); ++row) {
    auto weights = scores.row(row).array();
    const Scalar largest = weights.maxCoeff();
    weights = weights.unaryExpr([&](Scalar score) { return std::exp(score - largest); }).eval();
    weights /= weights.sum();
  }
  return scores;
}

// dscores from dweights, row by row.
template <typename Scalar>
Matrix<Scalar> softmax_backward(const Matrix<Scalar>& weights, const Matrix<Scalar>& dweights) {
  const Vector<Scalar> means = weights.cwiseProduct(dweights).rowwise().sum().transpose();
  return weights.array() * (dweights.colwise() - means.transpose()).array();
}

// out, [B * T, C].
template <typename Scalar>
Matrix<Scalar> attention_forward(const Matrix<Scalar>& qkv, const AttentionShape& shape) {
  require_covered(!shape.rotary, "rotary positions");
  return mixed<Scalar>(softmax(attention_scores(qkv, shape)), third_of(qkv, shape, 2), shape,
                       false);
}

// dqkv, [B * T, 3C].
template <typename Scalar>
Matrix<Scalar> attention_backward(const Matrix<Scalar>& dout, const Matrix<Scalar>& qkv,
                                  const AttentionShape& shape) {
  require_covered(!shape.rotary, "rotary positions");
  const Scalar scale = attention_scale<Scalar>(shape);
  const Matrix<Scalar> weights = softmax(attention_scores(qkv, shape));
  const Matrix<Scalar> dweights =
      dot_products<Scalar>(dout, third_of(qkv, shape, 2), shape, Scalar{0});
  const Matrix<Scalar> dscores = softmax_backward(weights, dweights);
  Matrix<Scalar> dqkv(shape.B * shape.T, 3 * shape.C);
  dqkv << scale * mixed<Scalar>(dscores, third_of(qkv, shape, 1), shape, false),
      scale * mixed<Scalar>(dscores, third_of(qkv, shape, 0), shape, true),
      mixed<Scalar>(weights, dout, shape, true);
  return dqkv;
}

// log of the sum over j of exp(score[i, j]), [B * H * T]: what is left of a row of weights when
// the weights are not kept.
template <typename Scalar>
Vector<Scalar> log_sum_exp(const Matrix<Scalar>& scores) {
  Vector<Scalar> result(scores.rows());
  for (int row = 0; row < scores.rows(); ++row) {
    const Scalar largest = scores.row(row).maxCoeff();
    result[row] = largest + std::log((scores.row(row).array() - largest).exp().sum());
  }
  return result;
}

// Rotary positions (Su et al. 2021, section 3.4) by halves, as GPT-NeoX has them: in each head of
// the queries and keys the numbers d and d + D / 2, for d < D / 2, are turned by the angle
// t * 10000^(-2d / D), in the direction `sign`. The values stay.
template <typename Scalar>
Matrix<Scalar> rotated(Matrix<Scalar> qkv, const AttentionShape& shape, int sign) {
  const int D = shape.head_size();
  for (int n = 0; n < shape.B * shape.T; ++n) {
    for (int head = 0; head < 2 * shape.H; ++head) {  // of the queries, then of the keys
      for (int d = 0; d < D / 2; ++d) {
        const double angle = sign * (n % shape.T) * std::pow(10000.0, -2.0 * d / D);
        const auto c = static_cast<Scalar>(std::cos(angle));
        const auto s = static_cast<Scalar>(std::sin(angle));
        Scalar& first = qkv(n, head * D + d);
        Scalar& second = qkv(n, head * D + d + D / 2);
        const Scalar before = first;
        first = c * before - s * second;
        second = s * before + c * second;
      }
    }
  }
  return qkv;
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_03_ATTENTION_REFERENCE_H_
