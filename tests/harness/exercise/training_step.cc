#include "tests/harness/exercise/training_step.h"

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/adamw.h"
#include "kernels/cross_entropy.h"
#include "kernels/cuda_check.h"
#include "kernels/global_norm.h"
#include "kernels/transformer.h"
#include "lessons/07_full_model/cross_entropy_reference.h"
#include "lessons/07_full_model/model_case.h"
#include "lessons/07_full_model/optimiser_reference.h"
#include "lessons/07_full_model/reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/marked_nan.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

constexpr float kMaxNorm = 0.5f;
constexpr float kLearningRate = 0.01f;
constexpr int kLayers = 2;
// The largest sum that a number of the step is made of: so many terms of about 1.
constexpr double kTerms = 200;
// An epsilon far above the gradients' rounding, which would decide the sign of the tiniest steps.
constexpr AdamWOptions kAdamW{.epsilon = 1e-3f};

// Every result of the step, as the references have it.
template <typename Scalar>
struct Expected {
  Expected(const ParameterLayout& layout, const std::vector<float>& numbers,
           const std::vector<int>& tokens, const std::vector<int>& targets, float gradient_scale,
           int B, int T) {
    const Vector<Scalar> parameters = as_vector<Scalar>(numbers);
    logits = reference::transformer_forward(layout, parameters, tokens, B, T);
    losses = reference::cross_entropy_forward(logits, targets);
    dlogits =
        reference::cross_entropy_backward(logits, targets, static_cast<Scalar>(gradient_scale));
    gradients = reference::transformer_backward(layout, parameters, tokens, dlogits, B, T);
    norm = reference::global_norm(gradients, static_cast<Scalar>(kMaxNorm));
    const Vector<Scalar> zero = Vector<Scalar>::Zero(layout.size());
    state = {parameters, zero, zero};
    reference::adamw(state, gradients, layout.decayed(), kAdamW, /*step=*/1,
                     static_cast<Scalar>(kLearningRate), norm.clip_scale);
  }

  Matrix<Scalar> logits, dlogits;
  Vector<Scalar> losses, gradients;
  reference::GlobalNorm<Scalar> norm;
  reference::AdamWState<Scalar> state;
};

// The tensors in the order in which backward comes to them, with the course's names for them:
// "blocks[1].expand_weight".
std::vector<ParameterTensor> backward_order(const ParameterLayout& layout) {
  const std::vector<ParameterTensor>& all = layout.tensors();
  std::vector<ParameterTensor> tensors;
  for (const TensorPart& part : parts_of(layout)) {
    const auto offset = static_cast<std::int64_t>(part.offset);
    tensors.push_back(*std::find_if(
        all.begin(), all.end(), [&](const ParameterTensor& one) { return one.offset == offset; }));
    tensors.back().name = part.name;
  }
  return tensors;
}

// A gradient buffer in which no tensor has been written; the gaps are 0.
std::vector<float> never_written(const ParameterLayout& layout) {
  std::vector<float> buffer(static_cast<std::size_t>(layout.size()), 0.0f);
  for (const ParameterTensor& tensor : layout.tensors()) {
    std::fill_n(buffer.begin() + tensor.offset, tensor.count(),
                std::bit_cast<float>(kNeverWritten));
  }
  return buffer;
}

void copy(float* to, const float* from, std::int64_t count, const Launch& launch) {
  CUDA_CHECK(cudaMemcpyAsync(to, from, sizeof(float) * static_cast<std::size_t>(count),
                             cudaMemcpyDeviceToDevice, launch.stream));
}

}  // namespace

void training_step(Chain& chain) {
  Trial& trial = chain.trial();
  const auto [B, T, C, H, V] = trial.sizes<5>();
  const int N = B * T;
  const ParameterLayout layout({.layers = kLayers,
                                .heads = H,
                                .width = C,
                                .mlp_width = 4 * C,
                                .vocabulary = V,
                                .context = T});
  const int stride = layout.config().padded_vocabulary();
  const std::int64_t size = layout.size();
  const float gradient_scale = 1.0f / static_cast<float>(N);

  const std::vector<int> tokens = trial.random().integers(N, V);
  const std::vector<int> targets = trial.random().integers(N, V);
  std::vector<float> numbers(static_cast<std::size_t>(size), 0.0f);  // the gaps stay 0
  for (const ParameterTensor& tensor : layout.tensors()) {
    const std::vector<float> own = trial.random().numbers(tensor.count(), 0.5f);
    std::copy(own.begin(), own.end(), numbers.begin() + tensor.offset);
  }
  const Expected<double> exact(layout, numbers, tokens, targets, gradient_scale, B, T);
  const Expected<float> rounded(layout, numbers, tokens, targets, gradient_scale, B, T);
  // A result out of both references.
  const auto expect_within = [&](double accumulated, const std::string& name, const auto& of) {
    chain.expect(
        name,
        [&]<typename Scalar>(Scalar) {
          if constexpr (std::is_same_v<Scalar, double>) {
            return of(exact);
          } else {
            return of(rounded);
          }
        },
        accumulated);
  };
  const auto expect = [&](const std::string& name, const auto& of) {
    expect_within(kTerms, name, of);
  };
  // The tensors of a flat buffer, one after another, each as an output of its own.
  const std::vector<ParameterTensor> tensors = backward_order(layout);
  std::vector<float*> gradient_copies, parameter_copies;
  for (const ParameterTensor& tensor : tensors) {
    Axes axes;
    if (tensor.is_matrix()) axes.push_back({"r", static_cast<int>(tensor.shape[0])});
    axes.push_back({"c", static_cast<int>(tensor.shape.back())});
    gradient_copies.push_back(trial.output("the gradient of " + tensor.name, axes));
    parameter_copies.push_back(trial.output(tensor.name, axes));
  }
  const auto copy_tensors = [&](const std::vector<float*>& to, const float* from,
                                const Launch& launch) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      copy(to[i], from + tensors[i].offset, tensors[i].count(), launch);
    }
  };
  const auto expect_tensors = [&](double accumulated, const std::string& prefix, const auto& flat) {
    for (const ParameterTensor& tensor : tensors) {
      expect_within(accumulated, prefix + tensor.name, [&](const auto& all) {
        return flat(all).segment(tensor.offset, tensor.count()).eval();
      });
    }
  };

  const int* tokens_at = trial.input("tokens", {{"b", B}, {"t", T}}, tokens);
  const int* targets_at = trial.input("targets", {{"b", B}, {"t", T}}, targets);
  GuardedTensor<float> parameters("parameters", {size}, numbers);
  GuardedTensor<float> gradients("gradients", {size}, never_written(layout));
  const std::vector<float> zeros(static_cast<std::size_t>(size), 0.0f);
  GuardedTensor<float> first_moments("first_moments", {size}, zeros);
  GuardedTensor<float> second_moments("second_moments", {size}, zeros);
  GuardedTensor<float> padded_logits("logits", {N, stride});
  GuardedTensor<std::byte> saved(
      "saved", {static_cast<std::int64_t>(transformer_saved_bytes(layout.config(), B, T))});
  GuardedTensor<StepScalars> scalars("scalars", {1}, {{.step = 1, .learning_rate = kLearningRate}});
  const std::size_t scratch = transformer_scratch_bytes(layout.config(), B, T);
  const Axes logit_axes = {{"b", B}, {"t", T}, {"v", V}};
  const auto copy_logits = [&, V = V](float* to, const Launch& launch) {
    CUDA_CHECK(
        cudaMemcpy2DAsync(to, sizeof(float) * static_cast<std::size_t>(V), padded_logits.data(),
                          sizeof(float) * static_cast<std::size_t>(stride),
                          sizeof(float) * static_cast<std::size_t>(V), static_cast<std::size_t>(N),
                          cudaMemcpyDeviceToDevice, launch.stream));
  };

  float* const logits = trial.output("logits", logit_axes);
  chain.step("transformer", "transformer_forward", scratch,
             [&, B = B, T = T](const Launch& launch) {
               transformer_forward(layout, parameters.data(), tokens_at, padded_logits.data(),
                                   saved.data(), B, T, launch);
               copy_logits(logits, launch);
             });
  expect("logits", [](const auto& all) { return all.logits; });

  float* const losses = trial.output("losses", {{"b", B}, {"t", T}});
  float* const dlogits = trial.output("dlogits", logit_axes);
  chain.step("cross_entropy", "cross_entropy_forward_backward", 0,
             [&, V = V](const Launch& launch) {
               cross_entropy_forward_backward(padded_logits.data(), targets_at, losses,
                                              gradient_scale, N, V, stride, launch);
               copy_logits(dlogits, launch);
             });
  expect("losses", [](const auto& all) { return all.losses; });
  expect("dlogits", [](const auto& all) { return all.dlogits; });

  chain.step(
      "transformer", "transformer_backward", scratch, [&, B = B, T = T](const Launch& launch) {
        transformer_backward(layout, parameters.data(), tokens_at, padded_logits.data(),
                             saved.data(), gradients.data(), B, T, Accumulate::overwrite, launch);
        copy_tensors(gradient_copies, gradients.data(), launch);
      });
  // Gradients are small beside the numbers of the model, and AdamW divides by their size: what is
  // let pass is measured by the largest of them, so that a wrong gradient is seen before its
  // update.
  expect_tensors(kRoundings * exact.gradients.cwiseAbs().maxCoeff(), "the gradient of ",
                 [](const auto& all) { return all.gradients; });

  float* const gradient_norm = trial.output("gradient_norm", {{"one", 1}});
  float* const clip_scale = trial.output("clip_scale", {{"one", 1}});
  chain.step("global_norm", "global_norm", global_norm_scratch_bytes(size),
             [&](const Launch& launch) {
               global_norm(gradients.data(), size, kMaxNorm, scalars.data(), launch);
               copy(gradient_norm, &scalars.data()->gradient_norm, 1, launch);
               copy(clip_scale, &scalars.data()->clip_scale, 1, launch);
             });
  expect("gradient_norm", [](const auto& all) { return std::vector{all.norm.gradient_norm}; });
  expect("clip_scale", [](const auto& all) { return std::vector{all.norm.clip_scale}; });

  chain.step("adamw", "adamw", 0, [&](const Launch& launch) {
    adamw(parameters.data(), gradients.data(), first_moments.data(), second_moments.data(), size,
          layout.decayed(), kAdamW, scalars.data(), launch);
    copy_tensors(parameter_copies, parameters.data(), launch);
  });
  expect_tensors(kTerms, "", [](const auto& all) { return all.state.parameters; });
}

}  // namespace andrea
