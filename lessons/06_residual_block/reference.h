// File: reference.h
//
// The residual connection (kernels/residual.h) and one pre-norm block (kernels/block.h) composed
// of the references before it.

#ifndef ANDREA_LESSONS_06_RESIDUAL_BLOCK_REFERENCE_H_
#define ANDREA_LESSONS_06_RESIDUAL_BLOCK_REFERENCE_H_

#include "kernels/activation.h"
#include "kernels/block.h"
#include "lessons/03_attention/reference.h"
#include "lessons/04_layer_norm/reference.h"
#include "lessons/05_gelu_mlp/reference.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

template <typename Scalar>
Matrix<Scalar> residual_forward(const Matrix<Scalar>& stream, const Matrix<Scalar>& correction) {
  return stream + correction;
}

template <typename Scalar>
Matrix<Scalar> residual_backward(const Matrix<Scalar>& dout, const Matrix<Scalar>& dbranch) {
  return dout + dbranch;
}

// The matrices and vectors of one block, loaded from where BlockTensors points.
template <typename Scalar>
struct BlockWeights {
  BlockWeights(const ModelConfig& config, const BlockTensors<const Scalar>& at) {
    const int C = config.width, F = config.mlp_width;
    const int F_in = activation_input_width(config.activation, F);
    norm1_gain = load(at.norm1_gain, C), norm1_bias = load(at.norm1_bias, C);
    qkv = load(at.qkv_weight, C, 3 * C), qkv_bias = load(at.qkv_bias, 3 * C);
    out = load(at.out_weight, C, C), out_bias = load(at.out_bias, C);
    norm2_gain = load(at.norm2_gain, C), norm2_bias = load(at.norm2_bias, C);
    expand = load(at.expand_weight, C, F_in), expand_bias = load(at.expand_bias, F_in);
    contract = load(at.contract_weight, F, C), contract_bias = load(at.contract_bias, C);
  }

  Matrix<Scalar> qkv, out, expand, contract;
  Vector<Scalar> norm1_gain, norm1_bias, norm2_gain, norm2_bias;
  Vector<Scalar> qkv_bias, out_bias, expand_bias, contract_bias;
};

// What a block computes on its way from x to y, a row for each token.
template <typename Scalar>
struct BlockStates {
  Matrix<Scalar> norm1, qkv, attended, middle;   // [C], [3C], [C], [C]
  Matrix<Scalar> norm2, expanded, activated, y;  // [C], [F_in], [F], [C]
};

template <typename Scalar>
BlockStates<Scalar> block_forward(const ModelConfig& config,
                                  const BlockTensors<const Scalar>& parameters,
                                  const Matrix<Scalar>& x, int B, int T) {
  require_covered(config.norm == NormPlacement::pre, "any norm placement but pre");
  require_covered(config.positions != Positions::rotary, "rotary positions");
  const BlockWeights<Scalar> weights(config, parameters);
  const AttentionShape shape{B, T, config.width, config.heads};
  BlockStates<Scalar> s;

  s.norm1 = layer_norm_forward(x, weights.norm1_gain, weights.norm1_bias);
  s.qkv = linear_forward(s.norm1, weights.qkv, weights.qkv_bias);
  s.attended = attention_forward(s.qkv, shape);
  s.middle = residual_forward(x, linear_forward(s.attended, weights.out, weights.out_bias));

  s.norm2 = layer_norm_forward(s.middle, weights.norm2_gain, weights.norm2_bias);
  s.expanded = linear_forward(s.norm2, weights.expand, weights.expand_bias);
  s.activated = activation_forward(config.activation, s.expanded);
  s.y = residual_forward(s.middle,
                         linear_forward(s.activated, weights.contract, weights.contract_bias));
  return s;
}

// Returns dx; adds the gradients of the parameters to those in `gradients`.
template <typename Scalar>
Matrix<Scalar> block_backward(const ModelConfig& config,
                              const BlockTensors<const Scalar>& parameters,
                              const Matrix<Scalar>& dy, const Matrix<Scalar>& x, int B, int T,
                              const BlockTensors<Scalar>& gradients) {
  const BlockWeights<Scalar> weights(config, parameters);
  const AttentionShape shape{B, T, config.width, config.heads};
  const BlockStates<Scalar> s = block_forward(config, parameters, x, B, T);

  const auto contract = linear_backward(dy, s.activated, weights.contract);
  add_to(gradients.contract_weight, contract.dweight);
  add_to(gradients.contract_bias, contract.dbias);
  const Matrix<Scalar> dexpanded = activation_backward(config.activation, contract.dx, s.expanded);
  const auto expand = linear_backward(dexpanded, s.norm2, weights.expand);
  add_to(gradients.expand_weight, expand.dweight);
  add_to(gradients.expand_bias, expand.dbias);
  const auto norm2 = layer_norm_backward(expand.dx, s.middle, weights.norm2_gain);
  add_to(gradients.norm2_gain, norm2.dgain);
  add_to(gradients.norm2_bias, norm2.dbias);
  const Matrix<Scalar> dmiddle = residual_backward(dy, norm2.dx);

  const auto out = linear_backward(dmiddle, s.attended, weights.out);
  add_to(gradients.out_weight, out.dweight);
  add_to(gradients.out_bias, out.dbias);
  const Matrix<Scalar> dqkv = attention_backward(out.dx, s.qkv, shape);
  const auto qkv = linear_backward(dqkv, s.norm1, weights.qkv);
  add_to(gradients.qkv_weight, qkv.dweight);
  add_to(gradients.qkv_bias, qkv.dbias);
  const auto norm1 = layer_norm_backward(qkv.dx, x, weights.norm1_gain);
  add_to(gradients.norm1_gain, norm1.dgain);
  add_to(gradients.norm1_bias, norm1.dbias);
  return residual_backward(dmiddle, norm1.dx);
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_REFERENCE_H_
