// File: mistakes.h
//
// The sublayers of a block as they are often got wrong, for the tests to recognise: each operation
// in its order, reading what a mistake would have it read.

#ifndef ANDREA_LESSONS_06_RESIDUAL_BLOCK_MISTAKES_H_
#define ANDREA_LESSONS_06_RESIDUAL_BLOCK_MISTAKES_H_

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "lessons/06_residual_block/reference.h"

namespace andrea::mistakes06 {

using reference::Matrix;
using reference::Vector;

// By the names that the tests give them.
template <typename Scalar>
using Tensors = std::map<std::string, Matrix<Scalar>>;

using Weights = reference::BlockWeights<double>;
using Rows = Matrix<double>;

inline Rows never_written(const Rows& like) {
  return Rows::Constant(like.rows(), like.cols(), std::numeric_limits<double>::quiet_NaN());
}

template <typename Scalar>
Tensors<Scalar> attention_states(const reference::BlockStates<Scalar>& s) {
  return {{"norm1", s.norm1}, {"qkv", s.qkv}, {"attended", s.attended}, {"middle", s.middle}};
}

template <typename Scalar>
Tensors<Scalar> mlp_states(const reference::BlockStates<Scalar>& s) {
  return {{"norm2", s.norm2}, {"expanded", s.expanded}, {"activated", s.activated}, {"y", s.y}};
}

// What the attention sublayer leaves where the linear layer reads `entering`, and `added` is added
// to the correction.
inline Tensors<double> attention_by(const Weights& w, const AttentionShape& shape,
                                    const Rows& norm1, const Rows& entering, const Rows& added) {
  const Rows qkv = reference::linear_forward(entering, w.qkv, w.qkv_bias);
  const Rows attended = reference::attention_forward(qkv, shape);
  const Rows middle = added + reference::linear_forward(attended, w.out, w.out_bias);
  return {{"norm1", norm1}, {"qkv", qkv}, {"attended", attended}, {"middle", middle}};
}

// qkv where its linear layer is called with C columns: the first third of the memory is filled,
// with rows that are too short, from weights that lie elsewhere.
inline Rows qkv_of_one_third(const Weights& w, const Rows& norm1) {
  const auto C = norm1.cols();
  const Rows weight = Eigen::Map<const Rows>(w.qkv.data(), C, C);
  Vector<double> bias;
  if (w.qkv_bias.size() > 0) bias = w.qkv_bias.head(C);
  const Rows filled = reference::linear_forward(norm1, weight, bias);
  Rows qkv = never_written(Rows(norm1.rows(), 3 * C));
  std::copy(filled.data(), filled.data() + filled.size(), qkv.data());
  return qkv;
}

// attention_by of the MLP sublayer.
inline Tensors<double> mlp_by(const Weights& w, Activation activation, const Rows& norm2,
                              const Rows& entering, const Rows& added) {
  const Rows expanded = reference::linear_forward(entering, w.expand, w.expand_bias);
  const Rows activated = reference::activation_forward(activation, expanded);
  const Rows y = added + reference::linear_forward(activated, w.contract, w.contract_bias);
  return {{"norm2", norm2}, {"expanded", expanded}, {"activated", activated}, {"y", y}};
}

// Backward through a norm that reads `x`, with the mean and deviation of another tensor's rows.
inline reference::LayerNormGradients<double> norm_backward(const Rows& dy, const Rows& x,
                                                           const Vector<double>& gain,
                                                           const Rows& statistics_of) {
  reference::LayerNormGradients<double> d;
  d.dx.resize(x.rows(), x.cols());
  d.dgain = Vector<double>::Zero(x.cols());
  d.dbias = dy.colwise().sum();
  for (int n = 0; n < x.rows(); ++n) {
    const double rstd = reference::normalise<double>(statistics_of.row(n)).rstd;
    const Vector<double> x_hat = (x.row(n).array() - statistics_of.row(n).mean()) * rstd;
    d.dgain.array() += dy.row(n).array() * x_hat.array();
    const Vector<double> g = dy.row(n).array() * gain.array();
    d.dx.row(n) =
        rstd * (g.array() - g.mean() - x_hat.array() * (g.array() * x_hat.array()).mean());
  }
  return d;
}

// What the operations of a sublayer read in the backward pass, and the two shares of the last sum.
struct MlpReads {
  Rows activated, expanded, norm2, middle;
  Rows statistics_of;
  Vector<double> gain;
  double stream = 1, branch = 1;
};
struct AttentionReads {
  Rows attended, qkv, norm1, x;
  Rows attention_wrote;  // what attention_backward takes for its `out`
  Rows statistics_of;
  Vector<double> gain;
  double stream = 1, branch = 1;
  bool past_projection = false;  // attention_backward is given dmiddle
  bool one_third = false;        // qkv's linear layer is called with C columns
  double unwritten = 0;          // what stays, then, in the gradients of its parameters
};

// Attention's backward pass where another tensor is given for its `out`, of which the sum of a
// row's weights times their gradients is made.
inline Rows attention_backward(const Rows& dout, const Rows& qkv, const Rows& wrote,
                               const AttentionShape& shape) {
  const double scale = reference::attention_scale<double>(shape);
  const Rows weights = reference::softmax(reference::attention_scores(qkv, shape));
  const Rows dweights =
      reference::dot_products(dout, reference::third_of(qkv, shape, 2), shape, 0.0);
  Rows dscores(weights.rows(), weights.cols());
  reference::for_each_head(shape, [&](int b, int h) {
    const Vector<double> means = reference::head_of(dout, shape, b, h)
                                     .cwiseProduct(reference::head_of(wrote, shape, b, h))
                                     .rowwise()
                                     .sum();
    reference::square_of(dscores, shape, b, h) =
        reference::square_of(weights, shape, b, h).array() *
        (reference::square_of(dweights, shape, b, h).colwise() - means.transpose()).array();
  });
  Rows dqkv(qkv.rows(), qkv.cols());
  dqkv << scale *
              reference::mixed<double>(dscores, reference::third_of(qkv, shape, 1), shape, false),
      scale * reference::mixed<double>(dscores, reference::third_of(qkv, shape, 0), shape, true),
      reference::mixed<double>(weights, dout, shape, true);
  return dqkv;
}

// Backward through qkv's linear layer where it is called with C columns: of the first third of the
// memory of dqkv, with weights that lie elsewhere, to the first third of the gradients.
inline reference::LinearGradients<double> linear_backward_of_one_third(const Rows& dqkv,
                                                                       const Rows& norm1,
                                                                       const Rows& weight,
                                                                       double unwritten) {
  const auto N = norm1.rows(), C = norm1.cols();
  const auto third =
      reference::linear_backward<double>(Eigen::Map<const Rows>(dqkv.data(), N, C), norm1,
                                         Eigen::Map<const Rows>(weight.data(), C, C));
  reference::LinearGradients<double> d;
  d.dx = third.dx;
  d.dweight = Rows::Constant(C, 3 * C, unwritten);
  std::copy(third.dweight.data(), third.dweight.data() + C * C, d.dweight.data());
  d.dbias = Vector<double>::Constant(3 * C, unwritten);
  d.dbias.head(C) = third.dbias;
  return d;
}

template <typename Scalar>
Tensors<Scalar> mlp_gradients(const reference::MlpGradients<Scalar>& d) {
  return {{"dactivated", d.contract.dx},
          {"dcontract_weight", d.contract.dweight},
          {"dcontract_bias", d.contract.dbias},
          {"dexpanded", d.dexpanded},
          {"dexpand_weight", d.expand.dweight},
          {"dexpand_bias", d.expand.dbias},
          {"dnorm2", d.expand.dx},
          {"dnorm2_gain", d.norm2.dgain},
          {"dnorm2_bias", d.norm2.dbias},
          {"dbranch", d.norm2.dx},
          {"dmiddle", d.dmiddle}};
}

template <typename Scalar>
Tensors<Scalar> attention_gradients(const reference::AttentionGradients<Scalar>& d) {
  return {{"dattended", d.out.dx},
          {"dout_weight", d.out.dweight},
          {"dout_bias", d.out.dbias},
          {"dqkv", d.dqkv},
          {"dqkv_weight", d.qkv.dweight},
          {"dqkv_bias", d.qkv.dbias},
          {"dnorm1", d.qkv.dx},
          {"dnorm1_gain", d.norm1.dgain},
          {"dnorm1_bias", d.norm1.dbias},
          {"dbranch", d.norm1.dx},
          {"dx", d.dx}};
}

inline Tensors<double> mlp_gradients_by(const Weights& w, Activation activation, const Rows& dy,
                                        const MlpReads& read) {
  reference::MlpGradients<double> d;
  d.contract = reference::linear_backward(dy, read.activated, w.contract);
  d.dexpanded = reference::activation_backward(activation, d.contract.dx, read.expanded);
  d.expand = reference::linear_backward(d.dexpanded, read.norm2, w.expand);
  d.norm2 = norm_backward(d.expand.dx, read.middle, read.gain, read.statistics_of);
  d.dmiddle = read.stream * dy + read.branch * d.norm2.dx;
  return mlp_gradients(d);
}

inline Tensors<double> attention_gradients_by(const Weights& w, const AttentionShape& shape,
                                              const Rows& dmiddle, const AttentionReads& read) {
  reference::AttentionGradients<double> d;
  d.out = reference::linear_backward(dmiddle, read.attended, w.out);
  d.dqkv = attention_backward(read.past_projection ? dmiddle : d.out.dx, read.qkv,
                              read.attention_wrote, shape);
  d.qkv = read.one_third ? linear_backward_of_one_third(d.dqkv, read.norm1, w.qkv, read.unwritten)
                         : reference::linear_backward(d.dqkv, read.norm1, w.qkv);
  d.norm1 = norm_backward(d.qkv.dx, read.x, read.gain, read.statistics_of);
  d.dx = read.stream * dmiddle + read.branch * d.norm1.dx;
  return attention_gradients(d);
}

}  // namespace andrea::mistakes06

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_MISTAKES_H_
