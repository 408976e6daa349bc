// File: references.h
//
// The references of all operations, compiled once in either precision: templates of Eigen are slow
// to compile, and a dozen tests compare with them. A test includes this instead of a reference.h
// and depends on //tests/harness:references.

#ifndef ANDREA_TESTS_HARNESS_REFERENCES_H_
#define ANDREA_TESTS_HARNESS_REFERENCES_H_

#include <vector>

#include "lessons/01_embedding_lookup/reference.h"
#include "lessons/02_dot_product_similarity/reference.h"
#include "lessons/03_attention/reference.h"
#include "lessons/04_layer_norm/reference.h"
#include "lessons/05_gelu_mlp/reference.h"
#include "lessons/06_residual_block/reference.h"
#include "lessons/07_full_model/cross_entropy_reference.h"
#include "lessons/07_full_model/reference.h"

// Declares the instances with `instance` = extern template, defines them with template.
#define ANDREA_REFERENCES(instance, S)                                                           \
  instance Matrix<S> embedding_forward(const std::vector<int>&, int, const Matrix<S>&,           \
                                       const Matrix<S>&);                                        \
  instance EmbeddingGradients<S> embedding_backward(const Matrix<S>&, const std::vector<int>&,   \
                                                    int, int);                                   \
  instance Matrix<S> dot_similarity_forward(const Matrix<S>&, const Matrix<S>&);                 \
  instance DotSimilarityGradients<S> dot_similarity_backward(const Matrix<S>&, const Matrix<S>&, \
                                                             const Matrix<S>&);                  \
  instance Matrix<S> attention_forward(const Matrix<S>&, const AttentionShape&);                 \
  instance Matrix<S> attention_backward(const Matrix<S>&, const Matrix<S>&,                      \
                                        const AttentionShape&);                                  \
  instance Matrix<S> layer_norm_forward(const Matrix<S>&, const Vector<S>&, const Vector<S>&);   \
  instance LayerNormGradients<S> layer_norm_backward(const Matrix<S>&, const Matrix<S>&,         \
                                                     const Vector<S>&);                          \
  instance Matrix<S> linear_forward(const Matrix<S>&, const Matrix<S>&, const Vector<S>&);       \
  instance LinearGradients<S> linear_backward(const Matrix<S>&, const Matrix<S>&,                \
                                              const Matrix<S>&);                                 \
  instance Matrix<S> activation_forward(Activation, const Matrix<S>&);                           \
  instance Matrix<S> activation_backward(Activation, const Matrix<S>&, const Matrix<S>&);        \
  instance BlockStates<S> block_forward(const ModelConfig&, const BlockTensors<const S>&,        \
                                        const Matrix<S>&, int, int);                             \
  instance Matrix<S> block_backward(const ModelConfig&, const BlockTensors<const S>&,            \
                                    const Matrix<S>&, const Matrix<S>&, int, int,                \
                                    const BlockTensors<S>&);                                     \
  instance Matrix<S> transformer_forward(const ParameterLayout&, const Vector<S>&,               \
                                         const std::vector<int>&, int, int);                     \
  instance Vector<S> transformer_backward(const ParameterLayout&, const Vector<S>&,              \
                                          const std::vector<int>&, const Matrix<S>&, int, int);  \
  instance Vector<S> cross_entropy_forward(const Matrix<S>&, const std::vector<int>&);           \
  instance Matrix<S> cross_entropy_backward(const Matrix<S>&, const std::vector<int>&, S)

namespace andrea::reference {

ANDREA_REFERENCES(extern template, float);
ANDREA_REFERENCES(extern template, double);

}  // namespace andrea::reference

#endif  // ANDREA_TESTS_HARNESS_REFERENCES_H_
