// File: reference.h
//
// The whole model (kernels/transformer.h) composed of the references before it. Parameters and
// gradients are flat, as ParameterLayout lays them out:
//
//   const Matrix<double> logits = transformer_forward(layout, parameters, tokens, B, T);
//   const Vector<double> gradients = transformer_backward(
//       layout, parameters, tokens, cross_entropy_backward(logits, targets, 1.0 / N), B, T);

#ifndef ANDREA_LESSONS_07_FULL_MODEL_REFERENCE_H_
#define ANDREA_LESSONS_07_FULL_MODEL_REFERENCE_H_

#include <vector>

#include "kernels/parameter_layout.h"
#include "lessons/01_embedding_lookup/reference.h"
#include "lessons/02_dot_product_similarity/reference.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/reference_types.h"

namespace andrea::reference {

// The stream in front of each block, and, last, behind the last one: L + 1 matrices [B * T, C].
template <typename Scalar>
std::vector<Matrix<Scalar>> transformer_streams(const ParameterLayout& layout,
                                                const Vector<Scalar>& parameters,
                                                const std::vector<int>& tokens, int B, int T) {
  const ModelConfig& config = layout.config();
  require_covered(config.positions == Positions::learned || config.positions == Positions::none,
                  "sinusoidal or rotary positions");
  const auto at = layout.view<const Scalar>(parameters.data());

  std::vector<Matrix<Scalar>> streams;
  streams.push_back(embedding_forward(tokens, T,
                                      load(at.token_table, config.vocabulary, config.width),
                                      load(at.position_table, config.context, config.width)));
  for (const BlockTensors<const Scalar>& block : at.blocks) {
    streams.push_back(block_forward(config, block, streams.back(), B, T).y);
  }
  return streams;
}

// The logits, [B * T, V].
template <typename Scalar>
Matrix<Scalar> transformer_forward(const ParameterLayout& layout, const Vector<Scalar>& parameters,
                                   const std::vector<int>& tokens, int B, int T) {
  const int V = layout.config().vocabulary, C = layout.config().width;
  const auto at = layout.view<const Scalar>(parameters.data());
  const Matrix<Scalar> stream = transformer_streams(layout, parameters, tokens, B, T).back();
  const Matrix<Scalar> normed =
      layer_norm_forward(stream, load(at.final_gain, C), load(at.final_bias, C));
  return dot_similarity_forward(normed, load(at.output_table, V, C));
}

// The gradients of all parameters. With a tied table those of its two uses are summed.
template <typename Scalar>
Vector<Scalar> transformer_backward(const ParameterLayout& layout, const Vector<Scalar>& parameters,
                                    const std::vector<int>& tokens, const Matrix<Scalar>& dlogits,
                                    int B, int T) {
  const ModelConfig& config = layout.config();
  const int V = config.vocabulary, C = config.width;
  const auto at = layout.view<const Scalar>(parameters.data());
  const std::vector<Matrix<Scalar>> streams = transformer_streams(layout, parameters, tokens, B, T);
  Vector<Scalar> flat = Vector<Scalar>::Zero(layout.size());
  const auto gradients = layout.view<Scalar>(flat.data());

  const Vector<Scalar> gain = load(at.final_gain, C), bias = load(at.final_bias, C);
  const auto output = dot_similarity_backward(
      dlogits, layer_norm_forward(streams.back(), gain, bias), load(at.output_table, V, C));
  add_to(gradients.output_table, output.dtable);
  const auto norm = layer_norm_backward(output.dx, streams.back(), gain);
  add_to(gradients.final_gain, norm.dgain);
  add_to(gradients.final_bias, norm.dbias);

  Matrix<Scalar> dstream = norm.dx;
  for (int l = config.layers - 1; l >= 0; --l) {
    dstream = block_backward(config, at.blocks[l], dstream, streams[l], B, T, gradients.blocks[l]);
  }
  const auto tables = embedding_backward(dstream, tokens, T, V);
  add_to(gradients.token_table, tables.dtoken_table);
  add_to(gradients.position_table, tables.dposition_table);
  return flat;
}

}  // namespace andrea::reference

#endif  // ANDREA_LESSONS_07_FULL_MODEL_REFERENCE_H_
