// The whole model, and a training pass of it, in float or with activations and weights in bf16.
// What runs, and in what order, is in model.h; this file divides the buffers.

#include <string>

#include "kernels/cuda/loss.h"
#include "kernels/cuda/model.h"
#include "kernels/cuda/rounding.h"
#include "kernels/training_pass.h"
#include "kernels/transformer.h"

namespace andrea {
namespace {

using bf16 = __nv_bfloat16;
using cuda::Activations;
using cuda::Keep;
using cuda::Sizes;

Launch with_precision(const ModelConfig& config, Launch launch) {
  launch.tf32 = config.precision == Precision::tf32;
  return launch;
}

Keep kept(const ModelConfig& config) {
  return config.recompute ? Keep::necessary : Keep::everything;
}

// Calls work(Number{}) with the type of the activations.
template <typename Work>
auto with_number(const ModelConfig& config, const Work& work) {
  return config.precision == Precision::bf16 ? work(bf16()) : work(float());
}

template <typename Number>
std::size_t activation_bytes(const Sizes& s, Keep keep) {
  BufferPlan plan;
  Activations<Number>(plan, s, keep);
  return plan.total();
}

// Bytes of a copy of the parameters in Number; floats need none.
template <typename Number>
std::size_t copy_bytes(const ParameterLayout& layout) {
  if constexpr (std::is_same_v<Number, float>) return 0;
  return align_up(static_cast<std::size_t>(layout.size()) * sizeof(Number));
}

// The weights that a plan's next part holds or, in float, the parameters themselves.
template <typename Number>
Number* copy_of(const ParameterLayout& layout, const float* parameters, BufferPlan& plan) {
  if constexpr (std::is_same_v<Number, float>) return const_cast<float*>(parameters);
  return cuda::numbers<Number>(plan, layout.size());
}

// What a transformer_forward keeps: the weights that it ran with and the activations.
template <typename Number>
std::size_t saved_bytes(const ParameterLayout& layout, const Sizes& s, Keep keep) {
  return copy_bytes<Number>(layout) + activation_bytes<Number>(s, keep);
}

template <typename Number>
void run_forward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                 float* logits, void* saved, int B, int T, const Launch& launch) {
  const ModelConfig& config = layout.config();
  const Sizes s(config, B, T);
  BufferPlan plan(saved != nullptr ? saved : launch.scratch);
  Number* weights = copy_of<Number>(layout, parameters, plan);
  const Activations<Number> activations(plan, s, saved != nullptr ? kept(config) : Keep::nothing);
  const Launch inner = saved != nullptr ? launch : plan.remaining(launch);
  if constexpr (!std::is_same_v<Number, float>) {
    cuda::round_to_nearest(parameters, weights, layout.size(), inner);
  }
  const auto p = layout.view<const Number>(weights);
  cuda::forward(s, p, tokens, activations, inner);
  cuda::similarity_forward(activations.normed, p.output_table, logits, s.N, s.V, s.C, s.V, inner);
}

template <typename Number>
void run_backward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                  const float* dlogits, const void* saved, float* gradients, int B, int T,
                  Accumulate accumulate, const Launch& launch) {
  const ModelConfig& config = layout.config();
  const Sizes s(config, B, T);
  BufferPlan saved_plan(const_cast<void*>(saved));
  const Number* weights = copy_of<Number>(layout, parameters, saved_plan);
  const Activations<Number> activations(saved_plan, s, kept(config));
  BufferPlan plan(launch.scratch);
  const Number* rounded = nullptr;
  if constexpr (std::is_same_v<Number, float>) {
    rounded = dlogits;
  } else {
    auto* copy = cuda::numbers<Number>(plan, s.rows_of(s.V));
    cuda::round_to_nearest(dlogits, copy, s.rows_of(s.V), launch);
    rounded = copy;
  }
  cuda::backward(config, s, layout.view<const Number>(weights), tokens, rounded, activations,
                 kept(config), layout.view<float>(gradients), accumulate, plan.remaining(launch));
}

template <typename Number>
void run_pass(const ParameterLayout& layout, const float* parameters, const int* tokens,
              const int* targets, float* losses, float* gradients, const StepScalars* scalars,
              float gradient_scale, int B, int T, Accumulate accumulate, const Launch& launch) {
  const ModelConfig& config = layout.config();
  const Sizes s(config, B, T);
  BufferPlan plan(launch.scratch);
  Number* weights = copy_of<Number>(layout, parameters, plan);
  const Activations<Number> activations(plan, s, kept(config));
  auto* logits = cuda::numbers<Number>(plan, s.rows_of(s.V));  // [N, V], then their gradients
  const Launch inner = plan.remaining(launch);
  if constexpr (!std::is_same_v<Number, float>) {
    cuda::round_at_random(parameters, weights, layout.size(), scalars, inner);
  }
  const auto p = layout.view<const Number>(weights);
  cuda::forward(s, p, tokens, activations, inner);
  cuda::similarity_forward(activations.normed, p.output_table, logits, s.N, s.V, s.C, s.V, inner);
  cuda::losses_and_gradients(logits, targets, losses, gradient_scale, s.N, config.vocabulary, s.V,
                             inner);
  cuda::backward(config, s, p, tokens, logits, activations, kept(config),
                 layout.view<float>(gradients), accumulate, inner);
}

}  // namespace

std::string transformer_supports(const ModelConfig& config) {
  if (config.norm != NormPlacement::pre) return "the cuda set's model is pre-norm only";
  if (config.activation != Activation::gelu) {
    return "the cuda set's model has one activation, GELU in its tanh form";
  }
  if (config.positions != Positions::learned && config.positions != Positions::none) {
    return "the cuda set's model has learned positions, or none";
  }
  if (config.precision == Precision::bf16 && (config.width % 8 != 0 || config.mlp_width % 8 != 0)) {
    return "in bf16 the cuda set's model wants widths that are multiples of 8";
  }
  return cuda::attention_refusal(Sizes(config, 1, 1).attention, config.precision);
}

std::size_t transformer_saved_bytes(const ModelConfig& config, int B, int T) {
  const Sizes s(config, B, T);
  const ParameterLayout layout(config);
  return with_number(config, [&]<typename Number>(Number) {
    return saved_bytes<Number>(layout, s, kept(config));
  });
}

std::size_t transformer_scratch_bytes(const ModelConfig& config, int B, int T) {
  const Sizes s(config, B, T);
  const ParameterLayout layout(config);
  return with_number(config, [&]<typename Number>(Number) {
    const std::size_t forward =
        saved_bytes<Number>(layout, s, Keep::nothing) + cuda::forward_scratch_bytes<Number>(s);
    const std::size_t dlogits =
        std::is_same_v<Number, float>
            ? 0
            : align_up(static_cast<std::size_t>(s.rows_of(s.V)) * sizeof(Number));
    return std::max(forward, dlogits + cuda::backward_scratch_bytes<Number>(s));
  });
}

void transformer_forward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                         float* logits, void* saved, int B, int T, const Launch& launch) {
  const ModelConfig& config = layout.config();
  with_number(config, [&]<typename Number>(Number) {
    run_forward<Number>(layout, parameters, tokens, logits, saved, B, T,
                        with_precision(config, launch));
  });
}

void transformer_backward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                          const float* dlogits, const void* saved, float* gradients, int B, int T,
                          Accumulate accumulate, const Launch& launch) {
  const ModelConfig& config = layout.config();
  with_number(config, [&]<typename Number>(Number) {
    run_backward<Number>(layout, parameters, tokens, dlogits, saved, gradients, B, T, accumulate,
                         with_precision(config, launch));
  });
}

std::string training_pass_supports(const ModelConfig& config) {
  return transformer_supports(config);
}

TrainingPassBytes training_pass_bytes(const ModelConfig& config, int B, int T) {
  const Sizes s(config, B, T);
  const ParameterLayout layout(config);
  return with_number(config, [&]<typename Number>(Number) {
    TrainingPassBytes bytes;
    bytes.weights = copy_bytes<Number>(layout);
    bytes.activations = activation_bytes<Number>(s, kept(config));
    bytes.logits = align_up(static_cast<std::size_t>(s.rows_of(s.V)) * sizeof(Number));
    bytes.scratch =
        std::max(cuda::forward_scratch_bytes<Number>(s), cuda::backward_scratch_bytes<Number>(s));
    return bytes;
  });
}

void training_pass(const ParameterLayout& layout, const float* parameters, const int* tokens,
                   const int* targets, float* losses, float* gradients, const StepScalars* scalars,
                   float gradient_scale, int B, int T, Accumulate accumulate,
                   const Launch& launch) {
  const ModelConfig& config = layout.config();
  with_number(config, [&]<typename Number>(Number) {
    run_pass<Number>(layout, parameters, tokens, targets, losses, gradients, scalars,
                     gradient_scale, B, T, accumulate, with_precision(config, launch));
  });
}

}  // namespace andrea
