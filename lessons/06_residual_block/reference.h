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

// stream + correction.
template <typename Scalar>
Matrix<Scalar> residual_forward(const Matrix<Scalar>& stream, const Matrix<Scalar>& correction) {
  return stream + correction;
}

// What the stream receives: both paths.
template <typename Scalar>
Matrix<Scalar> residual_backward(const Matrix<Scalar>& dout, const Matrix<Scalar>& dbranch) {
  return dout + dbranch;
}

// The matrices and vectors of one block, loaded from where BlockTensors points.
template <typename Scalar>
struct BlockWeights {
  // Copies them.
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

  Matrix<Scalar> qkv, out, expand, contract;  // [C, 3C], [C, C], [C, F_in], [F, C]
  Vector<Scalar> norm1_gain, norm1_bias, norm2_gain, norm2_bias;  // [C] each
  Vector<Scalar> qkv_bias, out_bias, expand_bias, contract_bias;  // [3C], [C], [F_in], [C]
};

// What a block computes on its way from x to y, a row for each token.
template <typename Scalar>
struct BlockStates {
  Matrix<Scalar> norm1, qkv, attended, middle;   // [C], [3C], [C], [C]
  Matrix<Scalar> norm2, expanded, activated, y;  // [C], [F_in], [F], [C]
};

// norm1, qkv, attended and middle.
template <typename Scalar>
void attention_sublayer(const BlockWeights<Scalar>& weights, const AttentionShape& shape,
                        const Matrix<Scalar>& x, BlockStates<Scalar>& s) {
  s.norm1 = layer_norm_forward(x, weights.norm1_gain, weights.norm1_bias);
  s.qkv = linear_forward(s.norm1, weights.qkv, weights.qkv_bias);
  s.attended = attention_forward(s.qkv, shape);
  s.middle = residual_forward(x, linear_forward(s.attended, weights.out, weights.out_bias));
}

// From middle: norm2, expanded, activated and y.
template <typename Scalar>
void mlp_sublayer(const BlockWeights<Scalar>& weights, Activation activation,
                  BlockStates<Scalar>& s) {
  s.norm2 = layer_norm_forward(s.middle, weights.norm2_gain, weights.norm2_bias);
  s.expanded = linear_forward(s.norm2, weights.expand, weights.expand_bias);
  s.activated = activation_forward(activation, s.expanded);
  s.y = residual_forward(s.middle,
                         linear_forward(s.activated, weights.contract, weights.contract_bias));
}

// All states of the block, y among them.
template <typename Scalar>
BlockStates<Scalar> block_forward(const ModelConfig& config,
                                  const BlockTensors<const Scalar>& parameters,
                                  const Matrix<Scalar>& x, int B, int T) {
  require_covered(config.norm == NormPlacement::pre, "any norm placement but pre");
  require_covered(config.positions != Positions::rotary, "rotary positions");
  const BlockWeights<Scalar> weights(config, parameters);
  BlockStates<Scalar> s;
  attention_sublayer(weights, {B, T, config.width, config.heads}, x, s);
  mlp_sublayer(weights, config.activation, s);
  return s;
}

// What comes back through each operation of a sublayer, the last one first. The gradient of what an
// operation read is its `dx`.
template <typename Scalar>
struct MlpGradients {
  LinearGradients<Scalar> contract;  // of W_contract and its bias
  Matrix<Scalar> dexpanded;          // [N, F_in]
  LinearGradients<Scalar> expand;    // of W_expand and its bias
  LayerNormGradients<Scalar> norm2;  // of the second norm
  Matrix<Scalar> dmiddle;            // [N, C], to the stream between the sublayers
};
template <typename Scalar>
struct AttentionGradients {
  LinearGradients<Scalar> out;       // of W_out and its bias
  Matrix<Scalar> dqkv;               // [N, 3C]
  LinearGradients<Scalar> qkv;       // of W_qkv and its bias
  LayerNormGradients<Scalar> norm1;  // of the first norm
  Matrix<Scalar> dx;                 // [N, C], to the block's input
};

// From dy to dmiddle, with the gradients of the six parameters.
template <typename Scalar>
MlpGradients<Scalar> mlp_sublayer_backward(const BlockWeights<Scalar>& weights,
                                           Activation activation, const Matrix<Scalar>& dy,
                                           const BlockStates<Scalar>& s) {
  MlpGradients<Scalar> d;
  d.contract = linear_backward(dy, s.activated, weights.contract);
  d.dexpanded = activation_backward(activation, d.contract.dx, s.expanded);
  d.expand = linear_backward(d.dexpanded, s.norm2, weights.expand);
  d.norm2 = layer_norm_backward(d.expand.dx, s.middle, weights.norm2_gain);
  d.dmiddle = residual_backward(dy, d.norm2.dx);
  return d;
}

// From dmiddle to dx, with the gradients of the six parameters.
template <typename Scalar>
AttentionGradients<Scalar> attention_sublayer_backward(const BlockWeights<Scalar>& weights,
                                                       const AttentionShape& shape,
                                                       const Matrix<Scalar>& dmiddle,
                                                       const Matrix<Scalar>& x,
                                                       const BlockStates<Scalar>& s) {
  AttentionGradients<Scalar> d;
  d.out = linear_backward(dmiddle, s.attended, weights.out);
  d.dqkv = attention_backward(d.out.dx, s.qkv, shape);
  d.qkv = linear_backward(d.dqkv, s.norm1, weights.qkv);
  d.norm1 = layer_norm_backward(d.qkv.dx, x, weights.norm1_gain);
  d.dx = residual_backward(dmiddle, d.norm1.dx);
  return d;
}

// Returns dx; adds the gradients of the parameters to those in `gradients`.
template <typename Scalar>
Matrix<Scalar> block_backward(const ModelConfig& config,
                              const BlockTensors<const Scalar>& parameters,
                              const Matrix<Scalar>& dy, const Matrix<Scalar>& x, int B, int T,
                              const BlockTensors<Scalar>& gradients) {
  const BlockWeights<Scalar> weights(config, parameters);
  const BlockStates<Scalar> s = block_forward(config, parameters, x, B, T);

  const auto mlp = mlp_sublayer_backward(weights, config.activation, dy, s);
  add_to(gradients.contract_weight, mlp.contract.dweight);
  add_to(gradients.contract_bias, mlp.contract.dbias);
  add_to(gradients.expand_weight, mlp.expand.dweight);
  add_to(gradients.expand_bias, mlp.expand.dbias);
  add_to(gradients.norm2_gain, mlp.norm2.dgain);
  add_to(gradients.norm2_bias, mlp.norm2.dbias);

  const auto attention =
      attention_sublayer_backward(weights, {B, T, config.width, config.heads}, mlp.dmiddle, x, s);
  add_to(gradients.out_weight, attention.out.dweight);
  add_to(gradients.out_bias, attention.out.dbias);
  add_to(gradients.qkv_weight, attention.qkv.dweight);
  add_to(gradients.qkv_bias, attention.qkv.dbias);
  add_to(gradients.norm1_gain, attention.norm1.dgain);
  add_to(gradients.norm1_bias, attention.norm1.dbias);
  return attention.dx;
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_REFERENCE_H_
