// File: kernel.h
//
// The exercises of lesson 06: the residual connection, and one block of the model put together from
// the operations of lessons 03, 04 and 05. All pointers are device pointers.
//
// 06.1 and 06.2 are kernels/residual.h itself: residual_forward and residual_backward. 06.3 to 06.6
// are the two halves of a block, its sublayers, forward and backward. With all of them done,
// kernel.cu implements kernels/block.h.

#ifndef ANDREA_LESSONS_06_RESIDUAL_BLOCK_KERNEL_H_
#define ANDREA_LESSONS_06_RESIDUAL_BLOCK_KERNEL_H_

#include "kernels/block.h"
#include "kernels/launch.h"
#include "kernels/residual.h"

namespace andrea::lesson06 {

// B sequences of T positions, C numbers each; H heads of C / H; F is the width inside the MLP.
struct BlockSizes {
  int B, T, C, H, F;  // batch, time, width, heads, MLP width
};

// What the forward pass computes on its way from x to y, in this order. The backward pass reads it.
struct BlockStates {
  float* norm1;           // [B, T, C]
  void* norm1_saved;      // what layer_norm_forward leaves for its backward
  float* qkv;             // [B, T, 3C]
  float* attended;        // [B, T, C]
  void* attention_saved;  // what attention_forward leaves
  float* middle;          // [B, T, C]: the stream between the two sublayers
  float* norm2;           // [B, T, C]
  void* norm2_saved;      // what layer_norm_forward leaves
  float* expanded;        // [B, T, F]
  float* activated;       // [B, T, F]
};

// Working memory of the backward pass: the gradient of the state that each is named after.
// `dbranch` is what comes back through the sublayer, to where the stream entered it.
struct MlpGradients {
  float* dactivated;  // [B, T, F]
  float* dexpanded;   // [B, T, F]
  float* dnorm2;      // [B, T, C]
  float* dbranch;     // [B, T, C]
};
struct AttentionGradients {
  float* dattended;  // [B, T, C]
  float* dqkv;       // [B, T, 3C]
  float* dnorm1;     // [B, T, C]
  float* dbranch;    // [B, T, C]
};

// 06.3  norm1    = layer norm of x, with the first gain and bias
//       qkv      = norm1 W_qkv + b_qkv
//       attended = attention of qkv, causal
//       middle   = x + attended W_out + b_out
//       Fills these four, and the two `saved` that belong to them.
void attention_sublayer(const BlockSizes& sizes, const BlockTensors<const float>& p,
                        const float* x,  // [B, T, C]
                        const BlockStates& s, const Launch& launch);

// 06.4  norm2     = layer norm of middle, with the second gain and bias
//       expanded  = norm2 W_expand + b_expand
//       activated = gelu(expanded)
//       y         = middle + activated W_contract + b_contract
//       Fills the first three, norm2_saved, and y.
void mlp_sublayer(const BlockSizes& sizes, const BlockTensors<const float>& p, const BlockStates& s,
                  float* y,  // [B, T, C]
                  const Launch& launch);

// 06.5  06.4 backward: from dy to dmiddle, and the gradients of the six parameters. Fills `d` too.
void mlp_sublayer_backward(const BlockSizes& sizes, const BlockTensors<const float>& p,
                           const float* dy,  // [B, T, C]
                           const BlockStates& s, const MlpGradients& d,
                           float* dmiddle,  // [B, T, C]; may be dy
                           const BlockTensors<float>& g, Accumulate accumulate,
                           const Launch& launch);

// 06.6  06.3 backward: from dmiddle to dx, and the gradients of the six parameters. Fills `d` too.
void attention_sublayer_backward(const BlockSizes& sizes, const BlockTensors<const float>& p,
                                 const float* dmiddle,  // [B, T, C]
                                 const float* x,        // [B, T, C], as forward read it
                                 const BlockStates& s, const AttentionGradients& d,
                                 float* dx,  // [B, T, C]; may be dmiddle
                                 const BlockTensors<float>& g, Accumulate accumulate,
                                 const Launch& launch);

}  // namespace andrea::lesson06

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_KERNEL_H_
