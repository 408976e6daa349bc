// File: kernel.h
//
// The exam of lesson 06: a block whose two sublayers stand side by side, as some models have them.
// Both read the same norm of x, and both add to x:
//
//   y = x + attention(norm(x)) + mlp(norm(x))
//
// All pointers are device pointers; N = B * T.

#ifndef ANDREA_EXAM_X06_PARALLEL_BLOCK_KERNEL_H_
#define ANDREA_EXAM_X06_PARALLEL_BLOCK_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::exam06 {

// B sequences of T positions, C numbers each; H heads of C / H; F is the width inside the MLP.
struct BlockSizes {
  int B, T, C, H, F;
};

// The parameters (Number = const float) or their gradients (float).
template <typename Number>
struct Tensors {
  Number* norm_gain;        // [C]
  Number* norm_bias;        // [C]
  Number* qkv_weight;       // [C, 3C]
  Number* qkv_bias;         // [3C]
  Number* out_weight;       // [C, C]
  Number* out_bias;         // [C]
  Number* expand_weight;    // [C, F]
  Number* expand_bias;      // [F]
  Number* contract_weight;  // [F, C]
  Number* contract_bias;    // [C]
};

// What forward computes on its way from x to y. Backward reads it.
struct States {
  float* norm;            // [B, T, C]
  void* norm_saved;       // what layer_norm_forward leaves for its backward
  float* qkv;             // [B, T, 3C]
  float* attended;        // [B, T, C]
  void* attention_saved;  // what attention_forward leaves
  float* expanded;        // [B, T, F]
  float* activated;       // [B, T, F]
};

// The gradients of the states, which backward fills.
struct Gradients {
  float* dactivated;    // [B, T, F]
  float* dexpanded;     // [B, T, F]
  float* dnorm_of_mlp;  // [B, T, C]: what the MLP brings
  float* dattended;     // [B, T, C]
  float* dqkv;          // [B, T, 3C]
  float* dnorm;         // [B, T, C]: what both bring
};

// x06.1  norm      = layer norm of x
//        qkv       = norm W_qkv + b_qkv;         attended  = attention of qkv, causal
//        expanded  = norm W_expand + b_expand;   activated = gelu(expanded)
//        y         = x + (attended W_out + b_out) + (activated W_contract + b_contract)
//        Fills the states, and y.
void parallel_block(const BlockSizes& sizes, const Tensors<const float>& p,
                    const float* x,  // [B, T, C]
                    const States& s,
                    float* correction,  // [B, T, C], working memory
                    float* y,           // [B, T, C]
                    const Launch& launch);

// x06.2  x06.1 backward: from dy to dx, and the gradients of the ten parameters. Fills `d` too.
void parallel_block_backward(const BlockSizes& sizes, const Tensors<const float>& p,
                             const float* dy,  // [B, T, C]
                             const float* x,   // [B, T, C], as forward read it
                             const States& s, const Gradients& d,
                             float* dx,  // [B, T, C]
                             const Tensors<float>& g, Accumulate accumulate, const Launch& launch);

}  // namespace andrea::exam06

#endif  // ANDREA_EXAM_X06_PARALLEL_BLOCK_KERNEL_H_
