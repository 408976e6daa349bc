// The residual block out of the smaller operations, pre-norm.

#include "kernels/block.h"

#include <algorithm>

#include "kernels/activation.h"
#include "kernels/attention.h"
#include "kernels/composed/buffer_plan.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "kernels/residual.h"

namespace andrea {
namespace {

// The sizes of one call, under their usual letters.
struct Sizes {
  Sizes(const ModelConfig& config, int B, int T)
      : N(B * T),
        C(config.width),
        F(config.mlp_width),
        F_in(activation_input_width(config.activation, config.mlp_width)),
        attention{B,
                  T,
                  config.width,
                  config.heads,
                  /*causal=*/true,
                  config.positions == Positions::rotary} {}

  std::int64_t rows_of(int width) const { return std::int64_t{N} * width; }

  int N, C, F, F_in;
  AttentionShape attention;
};

// What forward computes on its way. Backward needs all of it.
struct Activations {
  Activations(BufferPlan& plan, const Sizes& s)
      : norm1(plan.numbers(s.rows_of(s.C))),
        qkv(plan.numbers(s.rows_of(3 * s.C))),
        attention(plan.numbers(s.rows_of(s.C))),
        middle(plan.numbers(s.rows_of(s.C))),
        norm2(plan.numbers(s.rows_of(s.C))),
        expanded(plan.numbers(s.rows_of(s.F_in))),
        activated(plan.numbers(s.rows_of(s.F))),
        norm1_saved(plan.bytes(layer_norm_saved_bytes(s.N, s.C))),
        attention_saved(plan.bytes(attention_saved_bytes(s.attention))),
        norm2_saved(plan.bytes(layer_norm_saved_bytes(s.N, s.C))) {}

  float* norm1;      // [B, T, C]
  float* qkv;        // [B, T, 3C]
  float* attention;  // [B, T, C]
  float* middle;     // [B, T, C]
  float* norm2;      // [B, T, C]
  float* expanded;   // [B, T, F_in]
  float* activated;  // [B, T, F]
  void* norm1_saved;
  void* attention_saved;
  void* norm2_saved;
};

// Backward's working memory. One wide buffer holds in turn what is never needed at once.
struct Gradients {
  Gradients(BufferPlan& plan, const Sizes& s)
      : activated(plan.numbers(s.rows_of(s.F))),
        wide(plan.numbers(s.rows_of(std::max(s.F_in, 3 * s.C)))),
        narrow(plan.numbers(s.rows_of(s.C))),
        branch(plan.numbers(s.rows_of(s.C))) {}

  float* activated;  // [B, T, F]
  float* wide;       // [B, T, F_in], then [B, T, 3C]
  float* narrow;     // [B, T, C]
  float* branch;     // [B, T, C]
};

std::size_t operation_scratch_bytes(const Sizes& s) {
  return std::max({attention_scratch_bytes(s.attention), layer_norm_scratch_bytes(s.N, s.C),
                   linear_scratch_bytes(s.N, s.C, 3 * s.C), linear_scratch_bytes(s.N, s.C, s.C),
                   linear_scratch_bytes(s.N, s.C, s.F_in), linear_scratch_bytes(s.N, s.F, s.C)});
}

}  // namespace

std::string block_supports(const ModelConfig& config) {
  if (config.norm != NormPlacement::pre) return "the composed block is pre-norm only";
  const std::string refusal = attention_supports(Sizes(config, 1, 1).attention);
  return refusal.empty() ? activation_supports(config.activation) : refusal;
}

std::size_t block_saved_bytes(const ModelConfig& config, int B, int T) {
  BufferPlan plan;
  Activations(plan, Sizes(config, B, T));
  return plan.total();
}

std::size_t block_scratch_bytes(const ModelConfig& config, int B, int T) {
  const Sizes s(config, B, T);
  BufferPlan forward;  // without `saved`
  Activations(forward, s);
  BufferPlan backward;
  Gradients(backward, s);
  return std::max(forward.total(), backward.total()) + operation_scratch_bytes(s);
}

void block_forward(const ModelConfig& config, const BlockTensors<const float>& p, const float* x,
                   float* y, void* saved, int B, int T, const Launch& launch) {
  const Sizes s(config, B, T);
  BufferPlan plan(saved != nullptr ? saved : launch.scratch);
  const Activations a(plan, s);
  const Launch inner = saved != nullptr ? launch : plan.remaining(launch);

  layer_norm_forward(x, p.norm1_gain, p.norm1_bias, a.norm1, a.norm1_saved, s.N, s.C, inner);
  linear_forward(a.norm1, p.qkv_weight, p.qkv_bias, a.qkv, s.N, s.C, 3 * s.C, inner);
  attention_forward(a.qkv, a.attention, a.attention_saved, s.attention, inner);
  linear_forward(a.attention, p.out_weight, p.out_bias, a.middle, s.N, s.C, s.C, inner);
  residual_forward(x, a.middle, a.middle, s.rows_of(s.C), inner);

  layer_norm_forward(a.middle, p.norm2_gain, p.norm2_bias, a.norm2, a.norm2_saved, s.N, s.C, inner);
  linear_forward(a.norm2, p.expand_weight, p.expand_bias, a.expanded, s.N, s.C, s.F_in, inner);
  activation_forward(config.activation, a.expanded, a.activated, s.N, s.F, inner);
  linear_forward(a.activated, p.contract_weight, p.contract_bias, y, s.N, s.F, s.C, inner);
  residual_forward(a.middle, y, y, s.rows_of(s.C), inner);
}

void block_backward(const ModelConfig& config, const BlockTensors<const float>& p, const float* dy,
                    const float* x, const void* saved, float* dx, const BlockTensors<float>& g,
                    int B, int T, Accumulate accumulate, const Launch& launch) {
  const Sizes s(config, B, T);
  BufferPlan saved_plan(const_cast<void*>(saved));
  const Activations a(saved_plan, s);
  BufferPlan plan(launch.scratch);
  const Gradients d(plan, s);
  const Launch inner = plan.remaining(launch);

  linear_backward(dy, a.activated, p.contract_weight, d.activated, g.contract_weight,
                  g.contract_bias, s.N, s.F, s.C, accumulate, inner);
  activation_backward(config.activation, d.activated, a.expanded, d.wide, s.N, s.F, inner);
  linear_backward(d.wide, a.norm2, p.expand_weight, d.narrow, g.expand_weight, g.expand_bias, s.N,
                  s.C, s.F_in, accumulate, inner);
  layer_norm_backward(d.narrow, a.middle, p.norm2_gain, a.norm2_saved, d.branch, g.norm2_gain,
                      g.norm2_bias, s.N, s.C, accumulate, inner);
  residual_backward(dy, d.branch, dx, s.rows_of(s.C), inner);  // dx is now dmiddle

  linear_backward(dx, a.attention, p.out_weight, d.narrow, g.out_weight, g.out_bias, s.N, s.C, s.C,
                  accumulate, inner);
  attention_backward(d.narrow, a.qkv, a.attention, a.attention_saved, d.wide, s.attention, inner);
  linear_backward(d.wide, a.norm1, p.qkv_weight, d.narrow, g.qkv_weight, g.qkv_bias, s.N, s.C,
                  3 * s.C, accumulate, inner);
  layer_norm_backward(d.narrow, x, p.norm1_gain, a.norm1_saved, d.branch, g.norm1_gain,
                      g.norm1_bias, s.N, s.C, accumulate, inner);
  residual_backward(dx, d.branch, dx, s.rows_of(s.C), inner);
}

}  // namespace andrea
