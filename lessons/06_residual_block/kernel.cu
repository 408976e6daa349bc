// Lesson 06: the residual connection, and a block. kernel.h says what each function computes.

#include <algorithm>

#include "kernels/activation.h"
#include "kernels/attention.h"
#include "kernels/composed/buffer_plan.h"
#include "kernels/cuda_check.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "lessons/06_residual_block/kernel.h"

namespace andrea {
namespace {

// ---- 06.1 The sum of a stream and a correction.

__global__ void add_kernel(const float* a,  // [count]
                           const float* b,  // [count]
                           float* sum,      // [count]; may be a or b
                           std::int64_t count) {
  // TODO(06.1): one number of the sum, if this thread has one, about 2 lines.
}

}  // namespace

void residual_forward(const float* stream, const float* correction, float* out, std::int64_t count,
                      const Launch& launch) {
  // TODO(06.1): enough blocks for `count` numbers, and the launch on launch.stream, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

// ---- 06.2 Its two gradient paths.

void residual_backward(const float* dout, const float* dbranch, float* dstream, std::int64_t count,
                       const Launch& launch) {
  // TODO(06.2): the gradient of the stream, by a launch of a kernel of yours, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

namespace lesson06 {

// ---- 06.3 The attention sublayer: each position takes from the earlier ones.

void attention_sublayer(const BlockSizes& sizes, const BlockTensors<const float>& p, const float* x,
                        const BlockStates& s, const Launch& launch) {
  const auto [B, T, C, H, F] = sizes;
  const int N = B * T;
  const std::int64_t count = std::int64_t{N} * C;  // of a [B, T, C] tensor
  // TODO(06.3): norm1, qkv, attended and middle, in five calls; middle holds the correction
  // before it holds the sum, about 5 lines.
}

// ---- 06.4 The MLP sublayer: each position works on what it has.

void mlp_sublayer(const BlockSizes& sizes, const BlockTensors<const float>& p, const BlockStates& s,
                  float* y, const Launch& launch) {
  const auto [B, T, C, H, F] = sizes;
  const int N = B * T;
  const std::int64_t count = std::int64_t{N} * C;
  // TODO(06.4): norm2, expanded, activated and y, in five calls; y holds the correction before
  // it holds the sum, about 5 lines.
}

// ---- 06.5 The MLP sublayer, backward.

void mlp_sublayer_backward(const BlockSizes& sizes, const BlockTensors<const float>& p,
                           const float* dy, const BlockStates& s, const MlpGradients& d,
                           float* dmiddle, const BlockTensors<float>& g, Accumulate accumulate,
                           const Launch& launch) {
  const auto [B, T, C, H, F] = sizes;
  const int N = B * T;
  const std::int64_t count = std::int64_t{N} * C;
  // TODO(06.5): the five calls of 06.4 in reverse, backward: from dy to dactivated, dexpanded,
  // dnorm2, dbranch and dmiddle, about 8 lines.
}

// ---- 06.6 The attention sublayer, backward.

void attention_sublayer_backward(const BlockSizes& sizes, const BlockTensors<const float>& p,
                                 const float* dmiddle, const float* x, const BlockStates& s,
                                 const AttentionGradients& d, float* dx,
                                 const BlockTensors<float>& g, Accumulate accumulate,
                                 const Launch& launch) {
  const auto [B, T, C, H, F] = sizes;
  const int N = B * T;
  const std::int64_t count = std::int64_t{N} * C;
  // TODO(06.6): the five calls of 06.3 in reverse, backward: from dmiddle to dattended, dqkv,
  // dnorm1, dbranch and dx, about 9 lines.
}

}  // namespace lesson06

// ---- The contract, kernels/block.h, out of these steps. What follows is given.

namespace {

using lesson06::AttentionGradients;
using lesson06::BlockSizes;
using lesson06::BlockStates;
using lesson06::MlpGradients;

BlockSizes sizes_of(const ModelConfig& config, int B, int T) {
  return {B, T, config.width, config.heads, config.mlp_width};
}

// The layout of `saved`, one part behind the other: BufferPlan hands out parts of a buffer, or only
// counts their bytes, where it has none.
BlockStates states_in(BufferPlan& plan, const BlockSizes& sizes) {
  const auto [B, T, C, H, F] = sizes;
  const std::int64_t N = std::int64_t{B} * T;
  BlockStates s;
  s.norm1 = plan.numbers(N * C);
  s.norm1_saved = plan.bytes(layer_norm_saved_bytes(B * T, C));
  s.qkv = plan.numbers(N * 3 * C);
  s.attended = plan.numbers(N * C);
  s.attention_saved = plan.bytes(attention_saved_bytes({B, T, C, H}));
  s.middle = plan.numbers(N * C);
  s.norm2 = plan.numbers(N * C);
  s.norm2_saved = plan.bytes(layer_norm_saved_bytes(B * T, C));
  s.expanded = plan.numbers(N * F);
  s.activated = plan.numbers(N * F);
  return s;
}

// Backward, scratch holds first the one, then, in the same place, the other.
MlpGradients mlp_gradients_in(BufferPlan& plan, const BlockSizes& sizes) {
  const auto [B, T, C, H, F] = sizes;
  const std::int64_t N = std::int64_t{B} * T;
  MlpGradients d;
  d.dactivated = plan.numbers(N * F);
  d.dexpanded = plan.numbers(N * F);
  d.dnorm2 = plan.numbers(N * C);
  d.dbranch = plan.numbers(N * C);
  return d;
}

AttentionGradients attention_gradients_in(BufferPlan& plan, const BlockSizes& sizes) {
  const auto [B, T, C, H, F] = sizes;
  const std::int64_t N = std::int64_t{B} * T;
  AttentionGradients d;
  d.dattended = plan.numbers(N * C);
  d.dqkv = plan.numbers(N * 3 * C);
  d.dnorm1 = plan.numbers(N * C);
  d.dbranch = plan.numbers(N * C);
  return d;
}

template <typename Parts>
std::size_t bytes_of(Parts parts_in(BufferPlan&, const BlockSizes&), const BlockSizes& sizes) {
  BufferPlan counting;
  parts_in(counting, sizes);
  return counting.total();
}

// What the largest of the operations needs for itself, behind these parts.
std::size_t operation_scratch_bytes(const BlockSizes& sizes) {
  const auto [B, T, C, H, F] = sizes;
  const int N = B * T;
  return std::max({layer_norm_scratch_bytes(N, C), linear_scratch_bytes(N, C, 3 * C),
                   attention_scratch_bytes({B, T, C, H}), linear_scratch_bytes(N, C, C),
                   linear_scratch_bytes(N, C, F), linear_scratch_bytes(N, F, C)});
}

}  // namespace

std::string block_supports(const ModelConfig& config) {
  const std::string have = "the kernels of lesson 06 have ";
  if (config.norm != NormPlacement::pre) return have + "pre-norm blocks only";
  if (config.activation != Activation::gelu) return have + "gelu in its tanh form only";
  if (config.positions != Positions::learned) return have + "learned positions only";
  return "";
}

std::size_t block_saved_bytes(const ModelConfig& config, int B, int T) {
  return bytes_of(states_in, sizes_of(config, B, T));
}

std::size_t block_scratch_bytes(const ModelConfig& config, int B, int T) {
  const BlockSizes sizes = sizes_of(config, B, T);
  return operation_scratch_bytes(sizes) +
         std::max({bytes_of(states_in, sizes), bytes_of(mlp_gradients_in, sizes),
                   bytes_of(attention_gradients_in, sizes)});
}

void block_forward(const ModelConfig& config, const BlockTensors<const float>& parameters,
                   const float* x, float* y, void* saved, int B, int T, const Launch& launch) {
  const BlockSizes sizes = sizes_of(config, B, T);
  // Where nothing is to be kept the states lie in scratch.
  BufferPlan plan(saved != nullptr ? saved : launch.scratch);
  const BlockStates states = states_in(plan, sizes);
  const Launch rest = saved != nullptr ? launch : plan.remaining(launch);
  lesson06::attention_sublayer(sizes, parameters, x, states, rest);
  lesson06::mlp_sublayer(sizes, parameters, states, y, rest);
}

void block_backward(const ModelConfig& config, const BlockTensors<const float>& parameters,
                    const float* dy, const float* x, const void* saved, float* dx,
                    const BlockTensors<float>& gradients, int B, int T, Accumulate accumulate,
                    const Launch& launch) {
  const BlockSizes sizes = sizes_of(config, B, T);
  BufferPlan saved_plan(const_cast<void*>(saved));  // which is only read
  const BlockStates states = states_in(saved_plan, sizes);

  BufferPlan mlp_plan(launch.scratch), attention_plan(launch.scratch);
  const MlpGradients mlp = mlp_gradients_in(mlp_plan, sizes);
  const AttentionGradients attention = attention_gradients_in(attention_plan, sizes);
  float* const dmiddle = dx;  // dx holds dmiddle until it holds dx
  lesson06::mlp_sublayer_backward(sizes, parameters, dy, states, mlp, dmiddle, gradients,
                                  accumulate, mlp_plan.remaining(launch));
  lesson06::attention_sublayer_backward(sizes, parameters, dmiddle, x, states, attention, dx,
                                        gradients, accumulate, attention_plan.remaining(launch));
}

}  // namespace andrea
