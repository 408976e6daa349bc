// File: block.h
//
// One residual block: attention moves information between positions, then the MLP works within
// each. Pre-norm, as ANDREA has it:
//
//   middle = x + attention(norm(x) W_qkv + b_qkv) W_o + b_o
//   y      = middle + activation(norm(middle) W_1 + b_1) W_2 + b_2
//
// kernels/composed builds it out of the smaller operations; a tuned set may fuse across them.

#ifndef ANDREA_KERNELS_BLOCK_H_
#define ANDREA_KERNELS_BLOCK_H_

#include <string>

#include "kernels/launch.h"
#include "kernels/model_config.h"

namespace andrea {

// The tensors of one block, as parameters (Number = const float) or as gradients (float). What a
// variant does not have is null. F is mlp_width; F_in is 2F for swiglu, else F.
template <typename Number>
struct BlockTensors {
  Number* norm1_gain;       // [C]
  Number* norm1_bias;       // [C]
  Number* qkv_weight;       // [C, 3C]
  Number* qkv_bias;         // [3C]
  Number* out_weight;       // [C, C]
  Number* out_bias;         // [C]
  Number* norm2_gain;       // [C]
  Number* norm2_bias;       // [C]
  Number* expand_weight;    // [C, F_in]
  Number* expand_bias;      // [F_in]
  Number* contract_weight;  // [F, C]
  Number* contract_bias;    // [C]
};

// Empty, or a sentence that says which variant this implementation lacks.
std::string block_supports(const ModelConfig& config);

// Bytes that forward keeps for backward, and bytes that either works in.
std::size_t block_saved_bytes(const ModelConfig& config, int B, int T);
std::size_t block_scratch_bytes(const ModelConfig& config, int B, int T);

// `y` may be `x` only when `saved` is null, which says that no backward pass will follow.
void block_forward(const ModelConfig& config, const BlockTensors<const float>& parameters,
                   const float* x,  // [B, T, C]
                   float* y,        // [B, T, C]
                   void* saved,     // block_saved_bytes, or null
                   int B, int T, const Launch& launch);

// `dx` may be `dy`. Gradients of parameters follow `accumulate`.
void block_backward(const ModelConfig& config, const BlockTensors<const float>& parameters,
                    const float* dy,  // [B, T, C]
                    const float* x,   // [B, T, C], as forward read it
                    const void* saved,
                    float* dx,  // [B, T, C]
                    const BlockTensors<float>& gradients, int B, int T, Accumulate accumulate,
                    const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_BLOCK_H_
