// Exam 06: a block whose two sublayers stand side by side. What each function computes stands in
// kernel.h; README.md is the task. No kernel is to be written: the operations of lessons 03 to 06
// are called in their order. It is tried by
//
//   bazel test //exam/x06_parallel_block:kernel_test

#include <cstdint>

#include "exam/x06_parallel_block/kernel.h"
#include "kernels/activation.h"
#include "kernels/attention.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "kernels/residual.h"

namespace andrea::exam06 {

// ---- x06.1 Forward: one norm, which both branches read.

void parallel_block(const BlockSizes& sizes, const Tensors<const float>& p, const float* x,
                    const States& s, float* correction, float* y, const Launch& launch) {
  const auto [B, T, C, H, F] = sizes;
  const int N = B * T;
  const std::int64_t count = std::int64_t{N} * C;  // of a [B, T, C] tensor
  // SOLUTION(x06.1): norm; qkv, attended and what attention adds; expanded, activated and what the
  // MLP adds; y, which is x and both.
  layer_norm_forward(x, p.norm_gain, p.norm_bias, s.norm, s.norm_saved, N, C, launch);
  linear_forward(s.norm, p.qkv_weight, p.qkv_bias, s.qkv, N, C, 3 * C, launch);
  attention_forward(s.qkv, s.attended, s.attention_saved, {B, T, C, H}, launch);
  linear_forward(s.attended, p.out_weight, p.out_bias, correction, N, C, C, launch);
  residual_forward(x, correction, y, count, launch);
  linear_forward(s.norm, p.expand_weight, p.expand_bias, s.expanded, N, C, F, launch);
  activation_forward(Activation::gelu, s.expanded, s.activated, N, F, launch);
  linear_forward(s.activated, p.contract_weight, p.contract_bias, correction, N, F, C, launch);
  residual_forward(y, correction, y, count, launch);
  // END(x06.1)
}

// ---- x06.2 Backward: the norm receives from both branches, and x from the norm and from y.

void parallel_block_backward(const BlockSizes& sizes, const Tensors<const float>& p,
                             const float* dy, const float* x, const States& s, const Gradients& d,
                             float* dx, const Tensors<float>& g, Accumulate accumulate,
                             const Launch& launch) {
  const auto [B, T, C, H, F] = sizes;
  const int N = B * T;
  const std::int64_t count = std::int64_t{N} * C;
  // SOLUTION(x06.2): each call of x06.1 backward, in an order in which nothing is read before it is
  // complete; dnorm holds what the attention's branch brings before it holds both.
  linear_backward(dy, s.activated, p.contract_weight, d.dactivated, g.contract_weight,
                  g.contract_bias, N, F, C, accumulate, launch);
  activation_backward(Activation::gelu, d.dactivated, s.expanded, d.dexpanded, N, F, launch);
  linear_backward(d.dexpanded, s.norm, p.expand_weight, d.dnorm_of_mlp, g.expand_weight,
                  g.expand_bias, N, C, F, accumulate, launch);
  linear_backward(dy, s.attended, p.out_weight, d.dattended, g.out_weight, g.out_bias, N, C, C,
                  accumulate, launch);
  attention_backward(d.dattended, s.qkv, s.attended, s.attention_saved, d.dqkv, {B, T, C, H},
                     launch);
  linear_backward(d.dqkv, s.norm, p.qkv_weight, d.dnorm, g.qkv_weight, g.qkv_bias, N, C, 3 * C,
                  accumulate, launch);
  residual_backward(d.dnorm, d.dnorm_of_mlp, d.dnorm, count, launch);
  layer_norm_backward(d.dnorm, x, p.norm_gain, s.norm_saved, dx, g.norm_gain, g.norm_bias, N, C,
                      accumulate, launch);
  residual_backward(dy, dx, dx, count, launch);
  // END(x06.2)
}

}  // namespace andrea::exam06
