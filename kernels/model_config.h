// File: model_config.h
//
// The shape of a model and the variants of its parts. The variants are named from the start, so
// that a kernel set can refuse by name what it does not implement; ANDREA's own are the defaults.

#ifndef ANDREA_KERNELS_MODEL_CONFIG_H_
#define ANDREA_KERNELS_MODEL_CONFIG_H_

#include <cstdint>

namespace andrea {

// How the model knows where a token stands.
enum class Positions {
  learned,     // a table [context, C] added to the token rows (GPT-2)
  sinusoidal,  // a fixed table of sines and cosines (Vaswani et al. 2017, section 3.5)
  rotary,      // query and key turned by an angle that grows with the position (RoFormer, 2021)
  none,        // nothing tells it
};

// Where a block has its norms.
enum class NormPlacement {
  pre,   // x + f(norm(x)), and a norm after the last block
  post,  // norm(x + f(x))
  none,  // nowhere
};

// What stands between the two layers of the MLP.
enum class Activation {
  gelu,      // tanh form (Hendrycks and Gimpel 2016, section 2)
  gelu_erf,  // x Phi(x) with the exact Phi
  relu,      // max(x, 0)
  swiglu,    // silu(a) * b over two halves (Shazeer 2020)
};

// How numbers are held, and how they are multiplied, while a model runs.
enum class Precision {
  fp32,  // float throughout
  tf32,  // float, but the factors of matrix products are rounded to 10 bits behind the point
  bf16,  // activations and a working copy of the weights in bf16; what is summed up stays float
};

// The epsilon under the root of every layer norm, GPT-2's.
inline constexpr float kLayerNormEpsilon = 1e-5f;

// Token and output tables have their rows rounded up to this in memory (not in files), so that
// matrix products see a round shape. The extra rows are zero and stay zero.
inline constexpr int kVocabularyMultiple = 128;

// The default member values are ANDREA-120M: 98,820,096 parameters, despite its name.
struct ModelConfig {
  int layers = 12;        // blocks
  int heads = 12;         // of each attention
  int width = 768;        // of the stream
  int mlp_width = 3072;   // numbers between the two layers of the MLP
  int vocabulary = 8449;  // tokens there are
  int context = 1024;     // positions at most

  Positions positions = Positions::learned;  // how the model knows where a token stands
  NormPlacement norm = NormPlacement::pre;   // where a block has its norms
  Activation activation = Activation::gelu;  // between the two layers of the MLP
  bool tied = false;                         // the output projection uses the token table
  bool biases = true;                        // on the four linear layers of a block

  // How it is computed: no part of the model, and not in its files.
  Precision precision = Precision::fp32;
  bool recompute = false;  // backward computes again what is cheap, instead of keeping it

  // The model alone, computed in the plainest way: what two runs of one model have in common, and
  // what validation, samples and files go by.
  ModelConfig plain() const {
    ModelConfig config = *this;
    config.precision = Precision::fp32;
    config.recompute = false;
    return config;
  }

  int head_size() const { return width / heads; }  // numbers of a head

  // The stride of a row of logits, and the rows of the two tables in memory.
  int padded_vocabulary() const {
    return (vocabulary + kVocabularyMultiple - 1) / kVocabularyMultiple * kVocabularyMultiple;
  }

  bool operator==(const ModelConfig&) const = default;
};

}  // namespace andrea

#endif  // ANDREA_KERNELS_MODEL_CONFIG_H_
