// File: model.h
//
// The whole model out of this folder's kernels, for activations in float or bf16 (Number). It has
// no borders between the operations of the contract: a residual sum and the norm that reads it are
// one pass over memory, also from one block to the next, and GELU is done where its input is
// computed.
//
// Kept of each block for backward, in numbers a token: 8 C + 2 F, of which recomputation saves 2 C
// for the two norms and F for GELU. For ANDREA-120M (C = 768, F = 4 C, L = 12) in bf16 that is 295
// KB a token, and 184 KB with recomputation.

#ifndef ANDREA_KERNELS_CUDA_MODEL_H_
#define ANDREA_KERNELS_CUDA_MODEL_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/attention.h"
#include "kernels/composed/buffer_plan.h"
#include "kernels/composed/table_gradients.h"
#include "kernels/cuda/embed.h"
#include "kernels/cuda/flash_attention.h"
#include "kernels/cuda/norm.h"
#include "kernels/cuda/products.h"
#include "kernels/parameter_layout.h"

namespace andrea::cuda {

// The next part of a plan, of so many numbers.
template <typename Number>
Number* numbers(BufferPlan& plan, std::int64_t count) {
  return static_cast<Number*>(plan.bytes(static_cast<std::size_t>(count) * sizeof(Number)));
}

// The sizes of one call, under their usual letters.
struct Sizes {
  Sizes(const ModelConfig& config, int batch, int time)
      : B(batch),
        T(time),
        N(batch * time),
        C(config.width),
        F(config.mlp_width),
        V(config.padded_vocabulary()),
        L(config.layers),
        attention{batch, time, config.width, config.heads} {}

  std::int64_t rows_of(int width) const { return std::int64_t{N} * width; }

  int B, T, N, C, F, V, L;
  AttentionShape attention;
};

// What forward computes of one block.
template <typename Number>
struct BlockActivations {
  Number* norm1;       // [N, C]
  Number* qkv;         // [N, 3C]
  Number* attention;   // [N, C]
  Number* middle;      // [N, C], the stream between attention and MLP
  Number* norm2;       // [N, C]
  Number* expanded;    // [N, F]
  Number* activated;   // [N, F]
  Number* out;         // [N, C], the stream behind the block
  float* log_sum_exp;  // [B, H, T]
  RowStatistics statistics1, statistics2;
};

// Who keeps how much of what forward computes.
enum class Keep {
  nothing,    // no backward pass follows: all blocks use the same buffers
  necessary,  // backward computes norms and activations again
  everything,
};

// What forward computes on its way.
template <typename Number>
struct Activations {
  Activations(BufferPlan& plan, const Sizes& s, Keep keep) {
    const auto statistics = [&]() -> RowStatistics {
      if (keep == Keep::nothing) return {};
      return {plan.numbers(s.N), plan.numbers(s.N)};
    };
    embedded = numbers<Number>(plan, s.rows_of(s.C));
    for (int l = 0; l < s.L; ++l) {
      const bool first = l == 0;
      BlockActivations<Number> a = first ? BlockActivations<Number>{} : blocks.front();
      if (first || keep == Keep::everything) {
        a.norm1 = numbers<Number>(plan, s.rows_of(s.C));
        a.norm2 = numbers<Number>(plan, s.rows_of(s.C));
        a.activated = numbers<Number>(plan, s.rows_of(s.F));
      }
      if (first || keep != Keep::nothing) {
        a.qkv = numbers<Number>(plan, s.rows_of(3 * s.C));
        a.attention = numbers<Number>(plan, s.rows_of(s.C));
      }
      if (keep == Keep::nothing) {
        a.middle = a.out = embedded;
      } else {
        a.middle = numbers<Number>(plan, s.rows_of(s.C));
        a.out = numbers<Number>(plan, s.rows_of(s.C));
        a.expanded = numbers<Number>(plan, s.rows_of(s.F));
        a.log_sum_exp = plan.numbers(std::int64_t{s.N} * s.attention.H);
      }
      a.statistics1 = statistics();
      a.statistics2 = statistics();
      blocks.push_back(a);
    }
    normed = numbers<Number>(plan, s.rows_of(s.C));
    final_statistics = statistics();
  }

  Number* embedded;  // [N, C], the stream before the first block
  std::vector<BlockActivations<Number>> blocks;
  Number* normed;  // [N, C], what the output table is compared with
  RowStatistics final_statistics;
};

// The most that any kernel works in.
template <typename Number>
std::size_t kernel_scratch_bytes(const Sizes& s) {
  const std::size_t of_attention = std::is_same_v<Number, float>
                                       ? attention_backward_scratch_bytes(s.attention)
                                       : attention_backward_bf16_scratch_bytes(s.attention);
  return std::max({products_scratch_bytes(s.N, s.C, 3 * s.C), products_scratch_bytes(s.N, s.C, s.C),
                   products_scratch_bytes(s.N, s.C, s.F), products_scratch_bytes(s.N, s.F, s.C),
                   products_scratch_bytes(s.N, s.C, s.V), norm_backward_scratch_bytes(s.N, s.C),
                   of_attention, embed_backward_scratch_bytes(s.B, s.T, s.C, s.V)});
}

// Forward's working memory: what a sublayer adds to the stream.
template <typename Number>
std::size_t forward_scratch_bytes(const Sizes& s) {
  BufferPlan plan;
  numbers<Number>(plan, s.rows_of(s.C));
  return plan.total() + kernel_scratch_bytes<Number>(s);
}

// From the tokens to `activations.normed`.
template <typename Number>
void forward(const Sizes& s, const ModelTensors<const Number>& p,
             const int* tokens,  // [B, T]
             const Activations<Number>& activations, const Launch& launch) {
  BufferPlan plan(launch.scratch);
  auto* correction = numbers<Number>(plan, s.rows_of(s.C));
  const Launch inner = plan.remaining(launch);

  embed(tokens, p.token_table, p.position_table, activations.embedded, s.B, s.T, s.C, inner);
  const Number* stream = activations.embedded;
  const BlockTensors<const Number>& first = p.blocks.front();
  norm_forward(stream, first.norm1_gain, first.norm1_bias, activations.blocks.front().norm1,
               activations.blocks.front().statistics1, s.N, s.C, inner);
  for (int l = 0; l < s.L; ++l) {
    const auto at = static_cast<std::size_t>(l);
    const BlockTensors<const Number>& w = p.blocks[at];
    const BlockActivations<Number>& a = activations.blocks[at];
    linear_forward(a.norm1, w.qkv_weight, w.qkv_bias, a.qkv, s.N, s.C, 3 * s.C, inner);
    attention_forward(a.qkv, a.attention, a.log_sum_exp, s.attention, inner);
    linear_forward(a.attention, w.out_weight, w.out_bias, correction, s.N, s.C, s.C, inner);
    residual_norm_forward(stream, correction, w.norm2_gain, w.norm2_bias, a.middle, a.norm2,
                          a.statistics2, s.N, s.C, inner);

    linear_gelu_forward(a.norm2, w.expand_weight, w.expand_bias, a.expanded, a.activated, s.N, s.C,
                        s.F, inner);
    linear_forward(a.activated, w.contract_weight, w.contract_bias, correction, s.N, s.F, s.C,
                   inner);
    if (l + 1 < s.L) {
      const BlockActivations<Number>& next = activations.blocks[at + 1];
      residual_norm_forward(a.middle, correction, p.blocks[at + 1].norm1_gain,
                            p.blocks[at + 1].norm1_bias, a.out, next.norm1, next.statistics1, s.N,
                            s.C, inner);
    } else {
      residual_norm_forward(a.middle, correction, p.final_gain, p.final_bias, a.out,
                            activations.normed, activations.final_statistics, s.N, s.C, inner);
    }
    stream = a.out;
  }
}

// Backward's working memory.
template <typename Number>
struct Gradients {
  Gradients(BufferPlan& plan, const Sizes& s)
      : stream(numbers<Number>(plan, s.rows_of(s.C))),
        narrow(numbers<Number>(plan, s.rows_of(s.C))),
        wide(numbers<Number>(plan, s.rows_of(std::max(s.F, 3 * s.C)))) {}

  Number* stream;  // [N, C]
  Number* narrow;  // [N, C], of a norm's or of attention's output
  Number* wide;    // [N, F] of the MLP's inside, then [N, 3C] of qkv
};

template <typename Number>
std::size_t backward_scratch_bytes(const Sizes& s) {
  BufferPlan plan;
  Gradients<Number>(plan, s);
  return plan.total() + kernel_scratch_bytes<Number>(s);
}

// From the gradient of the logits, whose columns behind the vocabulary are zero, to those of all
// parameters. `keep` is forward's.
template <typename Number>
void backward(const ModelConfig& config, const Sizes& s, const ModelTensors<const Number>& p,
              const int* tokens,      // [B, T]
              const Number* dlogits,  // [N, V]
              const Activations<Number>& activations, Keep keep, const ModelTensors<float>& g,
              Accumulate accumulate, const Launch& launch) {
  BufferPlan plan(launch.scratch);
  const Gradients<Number> d(plan, s);
  const Launch inner = plan.remaining(launch);

  similarity_backward(dlogits, activations.normed, p.output_table, d.narrow, g.output_table, s.N,
                      s.V, s.C, s.V, accumulate, inner);
  norm_backward(d.narrow, activations.blocks.back().out, p.final_gain, nullptr,
                activations.final_statistics, d.stream, g.final_gain, g.final_bias, s.N, s.C,
                accumulate, inner);
  for (std::size_t l = p.blocks.size(); l-- > 0;) {
    const BlockTensors<const Number>& w = p.blocks[l];
    const BlockTensors<float>& dw = g.blocks[l];
    const BlockActivations<Number>& a = activations.blocks[l];
    const Number* x = l == 0 ? activations.embedded : activations.blocks[l - 1].out;
    if (keep == Keep::necessary) {
      norm_forward(x, w.norm1_gain, w.norm1_bias, a.norm1, {}, s.N, s.C, inner);
      norm_forward(a.middle, w.norm2_gain, w.norm2_bias, a.norm2, {}, s.N, s.C, inner);
      gelu_again(a.expanded, a.activated, s.N, s.F, inner);
    }
    linear_backward_through_gelu(d.stream, a.activated, a.expanded, w.contract_weight, d.wide,
                                 dw.contract_weight, dw.contract_bias, s.N, s.F, s.C, accumulate,
                                 inner);
    linear_backward(d.wide, a.norm2, w.expand_weight, d.narrow, dw.expand_weight, dw.expand_bias,
                    s.N, s.C, s.F, accumulate, inner);
    norm_backward(d.narrow, a.middle, w.norm2_gain, d.stream, a.statistics2, d.stream,
                  dw.norm2_gain, dw.norm2_bias, s.N, s.C, accumulate, inner);

    linear_backward(d.stream, a.attention, w.out_weight, d.narrow, dw.out_weight, dw.out_bias, s.N,
                    s.C, s.C, accumulate, inner);
    attention_backward(d.narrow, a.qkv, a.attention, a.log_sum_exp, d.wide, s.attention, inner);
    linear_backward(d.wide, a.norm1, w.qkv_weight, d.narrow, dw.qkv_weight, dw.qkv_bias, s.N, s.C,
                    3 * s.C, accumulate, inner);
    norm_backward(d.narrow, x, w.norm1_gain, d.stream, a.statistics1, d.stream, dw.norm1_gain,
                  dw.norm1_bias, s.N, s.C, accumulate, inner);
  }

  const Accumulate of_tables =
      prepare_table_gradients(config, g.position_table, s.T, accumulate, inner);
  embed_backward(d.stream, tokens, g.token_table, g.position_table, s.B, s.T, s.C, s.V, of_tables,
                 inner);
}

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_MODEL_H_
