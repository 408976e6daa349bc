#include "tools/gpu_check/benchmark/step_kernels.h"

#include <algorithm>
#include <random>

#include "kernels/adamw.h"
#include "kernels/cuda/embed.h"
#include "kernels/cuda/flash_attention.h"
#include "kernels/cuda/loss.h"
#include "kernels/cuda/norm.h"
#include "kernels/cuda/products.h"
#include "kernels/cuda/rounding.h"
#include "kernels/global_norm.h"
#include "kernels/training_pass.h"

namespace andrea::cuda {

DeviceBuffer<float> random_floats(std::int64_t count, float scale) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> numbers(-scale, scale);
  // The same million again and again: more would take the host longer than the card's work.
  std::vector<float> host(static_cast<std::size_t>(count));
  const std::size_t fresh = std::min<std::size_t>(host.size(), 1 << 20);
  for (std::size_t i = 0; i < host.size(); ++i) {
    host[i] = i < fresh ? numbers(random) : host[i - fresh];
  }
  return DeviceBuffer<float>(std::span<const float>(host));
}

DeviceBuffer<__nv_bfloat16> random_bf16(std::int64_t count) {
  const DeviceBuffer<float> floats = random_floats(count);
  DeviceBuffer<__nv_bfloat16> rounded(count);
  round_to_nearest(floats.data(), rounded.data(), count, {});
  CUDA_CHECK(cudaDeviceSynchronize());
  return rounded;
}

StepKernels::StepKernels(const ModelConfig& config, int batch)
    : config_(config),
      layout_(config),
      B(batch),
      T(config.context),
      N(B * T),
      C(config.width),
      F(config.mlp_width),
      V(config.padded_vocabulary()),
      parameters_(random_floats(layout_.size(), 0.02f)),
      gradients_(layout_.size()),
      first_moments_(layout_.size()),
      second_moments_(layout_.size()),
      weights_(layout_.size()),
      x_(random_bf16(rows_of(C))),
      correction_(random_bf16(rows_of(C))),
      residual_(random_bf16(rows_of(C))),
      y_(rows_of(C)),
      qkv_(random_bf16(rows_of(3 * C))),
      dqkv_(random_bf16(rows_of(3 * C))),
      expanded_(random_bf16(rows_of(F))),
      activated_(random_bf16(rows_of(F))),
      dwide_(random_bf16(rows_of(F))),
      logits_(random_bf16(rows_of(V))),
      mean_(N),
      rstd_(random_floats(N)),
      losses_(N),
      log_sum_exp_(std::int64_t{N} * config.heads),
      tokens_(N),
      scalars_(1),
      scratch_(static_cast<std::int64_t>(std::max(training_pass_bytes(config, B, T).total(),
                                                  global_norm_scratch_bytes(layout_.size())))) {
  std::mt19937 random(2);
  std::vector<int> tokens(static_cast<std::size_t>(N));
  for (int& token : tokens) {
    token = static_cast<int>(random() % static_cast<unsigned>(config.vocabulary));
  }
  tokens_.upload(tokens);
  const StepScalars first;
  scalars_.upload(std::span(&first, 1));
  round_to_nearest(parameters_.data(), weights_.data(), layout_.size(), launch());
}

std::vector<KernelCall> StepKernels::calls() {
  const auto p = layout_.view<const __nv_bfloat16>(weights_.data());
  const BlockTensors<const __nv_bfloat16> w = p.blocks.front();
  const RowStatistics statistics{mean_.data(), rstd_.data()};
  const AttentionShape shape{B, T, C, config_.heads};
  const Launch l = launch();
  std::vector<KernelCall> calls;
  const auto add = [&](const char* name, std::function<void()> run) {
    calls.push_back({name, 1, std::move(run)});
  };
  add("weights to bf16, at random", [=, this] {
    round_at_random(parameters_.data(), weights_.data(), layout_.size(), scalars_.data(), l);
  });
  add("embedding",
      [=, this] { embed(tokens_.data(), p.token_table, p.position_table, y_.data(), B, T, C, l); });
  add("norm", [=, this] {
    norm_forward(x_.data(), w.norm1_gain, w.norm1_bias, y_.data(), statistics, N, C, l);
  });
  add("residual and norm", [=, this] {
    residual_norm_forward(x_.data(), correction_.data(), w.norm2_gain, w.norm2_bias,
                          residual_.data(), y_.data(), statistics, N, C, l);
  });
  add("qkv", [=, this] {
    linear_forward(x_.data(), w.qkv_weight, w.qkv_bias, dqkv_.data(), N, C, 3 * C, l);
  });
  add("attention",
      [=, this] { attention_forward(qkv_.data(), y_.data(), log_sum_exp_.data(), shape, l); });
  add("attention's output",
      [=, this] { linear_forward(x_.data(), w.out_weight, w.out_bias, y_.data(), N, C, C, l); });
  add("expand, with GELU", [=, this] {
    linear_gelu_forward(x_.data(), w.expand_weight, w.expand_bias, expanded_.data(),
                        activated_.data(), N, C, F, l);
  });
  add("contract", [=, this] {
    linear_forward(activated_.data(), w.contract_weight, w.contract_bias, y_.data(), N, F, C, l);
  });
  add("logits",
      [=, this] { similarity_forward(x_.data(), p.output_table, logits_.data(), N, V, C, V, l); });
  add("loss and its gradient", [=, this] {
    losses_and_gradients(logits_.data(), tokens_.data(), losses_.data(), 1 / static_cast<float>(N),
                         N, config_.vocabulary, V, l);
  });
  backward_calls(calls);
  add("global norm",
      [=, this] { global_norm(gradients_.data(), layout_.size(), 1, scalars_.data(), l); });
  add("AdamW", [=, this] {
    adamw(parameters_.data(), gradients_.data(), first_moments_.data(), second_moments_.data(),
          layout_.size(), layout_.decayed(), AdamWOptions(), scalars_.data(), l);
  });
  return calls;
}

void StepKernels::backward_calls(std::vector<KernelCall>& calls) {
  const auto p = layout_.view<const __nv_bfloat16>(weights_.data());
  const auto g = layout_.view<float>(gradients_.data());
  const BlockTensors<const __nv_bfloat16> w = p.blocks.front();
  const BlockTensors<float> dw = g.blocks.front();
  const RowStatistics statistics{mean_.data(), rstd_.data()};
  const AttentionShape shape{B, T, C, config_.heads};
  const Launch l = launch();
  const auto overwrite = Accumulate::overwrite;
  const auto add = [&](const char* name, double of, std::function<void()> run) {
    calls.push_back({name, of, std::move(run)});
  };
  const auto linear = [=, this](const __nv_bfloat16* dy, const __nv_bfloat16* x,
                                const __nv_bfloat16* weight, __nv_bfloat16* dx, float* dweight,
                                float* dbias, int in, int out) {
    linear_backward(dy, x, weight, dx, dweight, dbias, N, in, out, overwrite, l);
  };
  add("logits, backward", 2, [=, this] {
    similarity_backward(logits_.data(), x_.data(), p.output_table, y_.data(), g.output_table, N, V,
                        C, V, overwrite, l);
  });
  add("norm, backward", 1, [=, this] {
    norm_backward(correction_.data(), x_.data(), w.norm2_gain, residual_.data(), statistics,
                  y_.data(), dw.norm2_gain, dw.norm2_bias, N, C, overwrite, l);
  });
  add("contract, backward, with GELU's", 2, [=, this] {
    linear_backward_through_gelu(x_.data(), activated_.data(), expanded_.data(), w.contract_weight,
                                 dwide_.data(), dw.contract_weight, dw.contract_bias, N, F, C,
                                 overwrite, l);
  });
  add("expand, backward", 2, [=, this] {
    linear(dwide_.data(), x_.data(), w.expand_weight, y_.data(), dw.expand_weight, dw.expand_bias,
           C, F);
  });
  add("attention's output, backward", 2, [=, this] {
    linear(correction_.data(), x_.data(), w.out_weight, y_.data(), dw.out_weight, dw.out_bias, C,
           C);
  });
  add("attention, backward", 1, [=, this] {
    attention_backward(correction_.data(), qkv_.data(), x_.data(), log_sum_exp_.data(),
                       dqkv_.data(), shape, l);
  });
  add("qkv, backward", 2, [=, this] {
    linear(dqkv_.data(), x_.data(), w.qkv_weight, y_.data(), dw.qkv_weight, dw.qkv_bias, C, 3 * C);
  });
  add("embedding, backward", 1, [=, this] {
    embed_backward(x_.data(), tokens_.data(), g.token_table, g.position_table, B, T, C, V,
                   overwrite, l);
  });
}

std::vector<KernelCall> StepKernels::products() {
  const auto p = layout_.view<const __nv_bfloat16>(weights_.data());
  const auto g = layout_.view<float>(gradients_.data());
  const BlockTensors<const __nv_bfloat16> w = p.blocks.front();
  const BlockTensors<float> dw = g.blocks.front();
  const Launch l = launch();
  const auto overwrite = Accumulate::overwrite;
  const auto layer = [=, this](const char* name, const __nv_bfloat16* x,
                               const __nv_bfloat16* weight, __nv_bfloat16* y, __nv_bfloat16* dx,
                               float* dweight, int in, int out) {
    return KernelCall{name, static_cast<double>(config_.layers), [=, this] {
                        linear_forward(x, weight, nullptr, y, N, in, out, l);
                        linear_backward(y, x, weight, dx, dweight, nullptr, N, in, out, overwrite,
                                        l);
                      }};
  };
  __nv_bfloat16* const dx = residual_.data();
  return {layer("qkv", x_.data(), w.qkv_weight, dqkv_.data(), dx, dw.qkv_weight, C, 3 * C),
          layer("attention's output", x_.data(), w.out_weight, y_.data(), dx, dw.out_weight, C, C),
          layer("expand", x_.data(), w.expand_weight, dwide_.data(), dx, dw.expand_weight, C, F),
          layer("contract", activated_.data(), w.contract_weight, y_.data(), dwide_.data(),
                dw.contract_weight, F, C),
          {"logits", 1, [=, this] {
             similarity_forward(x_.data(), p.output_table, logits_.data(), N, V, C, V, l);
             similarity_backward(logits_.data(), x_.data(), p.output_table, y_.data(),
                                 g.output_table, N, V, C, V, overwrite, l);
           }}};
}

void StepKernels::step() {
  const Launch l = launch();
  training_pass(layout_, parameters_.data(), tokens_.data(), tokens_.data(), losses_.data(),
                gradients_.data(), scalars_.data(), 1 / static_cast<float>(N), B, T,
                Accumulate::overwrite, l);
  global_norm(gradients_.data(), layout_.size(), 1, scalars_.data(), l);
  adamw(parameters_.data(), gradients_.data(), first_moments_.data(), second_moments_.data(),
        layout_.size(), layout_.decayed(), AdamWOptions(), scalars_.data(), l);
}

}  // namespace andrea::cuda
