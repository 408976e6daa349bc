// File: reference.h
//
// The parallel block, as kernel.h defines it, composed of the lessons' references. Tensors go by
// their names in kernel.h; a gradient is "d" and the name.

#ifndef ANDREA_EXAM_X06_PARALLEL_BLOCK_REFERENCE_H_
#define ANDREA_EXAM_X06_PARALLEL_BLOCK_REFERENCE_H_

#include <map>
#include <string>

#include "lessons/03_attention/reference.h"
#include "lessons/04_layer_norm/reference.h"
#include "lessons/05_gelu_mlp/reference.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

template <typename Scalar>
using Named = std::map<std::string, Matrix<Scalar>>;

// Vectors are matrices of one row.
template <typename Scalar>
Vector<Scalar> row(const Named<Scalar>& tensors, const std::string& name) {
  return tensors.at(name).row(0);
}

// norm, qkv, attended, expanded, activated and y.
template <typename Scalar>
Named<Scalar> parallel_block(const Named<Scalar>& p, const Matrix<Scalar>& x,
                             const AttentionShape& shape) {
  Named<Scalar> s;
  s["norm"] = layer_norm_forward<Scalar>(x, row(p, "norm_gain"), row(p, "norm_bias"));
  s["qkv"] = linear_forward<Scalar>(s["norm"], p.at("qkv_weight"), row(p, "qkv_bias"));
  s["attended"] = attention_forward<Scalar>(s["qkv"], shape);
  s["expanded"] = linear_forward<Scalar>(s["norm"], p.at("expand_weight"), row(p, "expand_bias"));
  s["activated"] = activation_forward<Scalar>(Activation::gelu, s["expanded"]);
  s["y"] = x + linear_forward<Scalar>(s["attended"], p.at("out_weight"), row(p, "out_bias")) +
           linear_forward<Scalar>(s["activated"], p.at("contract_weight"), row(p, "contract_bias"));
  return s;
}

// The gradients of the states but y, of the parameters, and dx. `s` as parallel_block leaves it.
template <typename Scalar>
Named<Scalar> parallel_block_backward(const Named<Scalar>& p, const Matrix<Scalar>& dy,
                                      const Matrix<Scalar>& x, const Named<Scalar>& s,
                                      const AttentionShape& shape) {
  Named<Scalar> d;
  const auto linear = [&](const Matrix<Scalar>& dout, const std::string& from,
                          const std::string& layer) {
    const auto gradients = linear_backward<Scalar>(dout, s.at(from), p.at(layer + "_weight"));
    d["d" + layer + "_weight"] = gradients.dweight;
    d["d" + layer + "_bias"] = gradients.dbias;
    return gradients.dx;
  };
  d["dactivated"] = linear(dy, "activated", "contract");
  d["dexpanded"] = activation_backward<Scalar>(Activation::gelu, d["dactivated"], s.at("expanded"));
  d["dnorm_of_mlp"] = linear(d["dexpanded"], "norm", "expand");
  d["dattended"] = linear(dy, "attended", "out");
  d["dqkv"] = attention_backward<Scalar>(d["dattended"], s.at("qkv"), shape);
  d["dnorm"] = linear(d["dqkv"], "norm", "qkv") + d["dnorm_of_mlp"];
  const auto norm = layer_norm_backward<Scalar>(d["dnorm"], x, row(p, "norm_gain"));
  d["dnorm_gain"] = norm.dgain, d["dnorm_bias"] = norm.dbias;
  d["dx"] = dy + norm.dx;
  return d;
}

}  // namespace andrea::reference

#endif  // ANDREA_EXAM_X06_PARALLEL_BLOCK_REFERENCE_H_
