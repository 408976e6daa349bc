// A run's bits depend on its seed alone: every operation writes the same bits at 1, 2, 3 and 7
// OpenMP threads. (Two threads would hide much: sums split in halves often round alike.)

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "kernels/activation.h"
#include "kernels/adamw.h"
#include "kernels/attention.h"
#include "kernels/block.h"
#include "kernels/cross_entropy.h"
#include "kernels/decode.h"
#include "kernels/dot_similarity.h"
#include "kernels/embedding.h"
#include "kernels/global_norm.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "kernels/residual.h"
#include "kernels/transformer.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/model_inputs.h"
#include "tests/harness/random_inputs.h"

namespace andrea {
namespace {

// Shapes that are split among threads, none a multiple of the others.
constexpr int B = 2, T = 300, C = 96, H = 3, V = 1000, F = 250;
constexpr int N = B * T;

using Floats = std::vector<float>;

GuardedTensor<float> output(const Shape& shape) { return {"output", shape}; }

GuardedTensor<std::byte> bytes(std::size_t count) {
  return {"bytes", {static_cast<std::int64_t>(count)}};
}

// Appends what a computation wrote to what is to be compared.
void append(Floats& all, const GuardedTensor<float>& tensor) {
  const Floats contents = tensor.contents();
  all.insert(all.end(), contents.begin(), contents.end());
}

// Runs the computation, which draws its inputs from what it is given, at each number of threads.
void expect_same_bits(const std::function<Floats(RandomInputs&)>& compute) {
  const int usual = omp_get_max_threads();
  Floats alone;
  for (const int threads : {1, 2, 3, 7}) {
    SCOPED_TRACE(testing::Message() << threads << " threads");
    omp_set_num_threads(threads);
    RandomInputs random;
    const Floats result = compute(random);
    if (threads == 1) {
      alone = result;
    } else {
      EXPECT_TRUE(bits_equal(result, alone));
    }
  }
  omp_set_num_threads(usual);
}

TEST(ThreadCountTest, Embedding) {
  expect_same_bits([](RandomInputs& random) {
    GuardedTensor<const int> tokens("tokens", {B, T}, random.integers(N, 20));
    GuardedTensor<const float> table("table", {V, C}, random.numbers(V * C));
    GuardedTensor<const float> positions("positions", {T, C}, random.numbers(T * C));
    auto out = output({N, C}), dtable = output({V, C}), dpositions = output({T, C});
    const Workspace workspace(embedding_scratch_bytes(B, T, C, V));
    embedding_forward(tokens.data(), table.data(), positions.data(), out.data(), B, T, C,
                      workspace.launch());
    embedding_backward(out.data(), tokens.data(), dtable.data(), dpositions.data(), B, T, C, V,
                       Accumulate::overwrite, workspace.launch());
    Floats all;
    for (const auto* tensor : {&out, &dtable, &dpositions}) append(all, *tensor);
    return all;
  });
}

TEST(ThreadCountTest, DotSimilarity) {
  expect_same_bits([](RandomInputs& random) {
    GuardedTensor<const float> x("x", {N, C}, random.numbers(N * C));
    GuardedTensor<const float> table("table", {V, C}, random.numbers(V * C));
    auto out = output({N, V}), dx = output({N, C}), dtable = output({V, C});
    const Workspace workspace(dot_similarity_scratch_bytes(N, V, C));
    dot_similarity_forward(x.data(), table.data(), out.data(), N, V, C, V, workspace.launch());
    dot_similarity_backward(out.data(), x.data(), table.data(), dx.data(), dtable.data(), N, V, C,
                            V, Accumulate::overwrite, workspace.launch());
    Floats all;
    for (const auto* tensor : {&out, &dx, &dtable}) append(all, *tensor);
    return all;
  });
}

TEST(ThreadCountTest, Attention) {
  expect_same_bits([](RandomInputs& random) {
    const AttentionShape shape{B, T, C, H};
    GuardedTensor<const float> qkv("qkv", {N, 3 * C}, random.numbers(N * 3 * C, 2));
    GuardedTensor<const float> dout("dout", {N, C}, random.numbers(N * C));
    auto out = output({N, C}), dqkv = output({N, 3 * C});
    auto saved = bytes(attention_saved_bytes(shape));
    const Workspace workspace(attention_scratch_bytes(shape));
    attention_forward(qkv.data(), out.data(), saved.data(), shape, workspace.launch());
    attention_backward(dout.data(), qkv.data(), out.data(), saved.data(), dqkv.data(), shape,
                       workspace.launch());
    Floats all;
    for (const auto* tensor : {&out, &dqkv}) append(all, *tensor);
    return all;
  });
}

TEST(ThreadCountTest, LayerNorm) {
  expect_same_bits([](RandomInputs& random) {
    GuardedTensor<const float> x("x", {N, C}, random.numbers(N * C));
    GuardedTensor<const float> gain("gain", {C}, random.numbers(C));
    GuardedTensor<const float> bias("bias", {C}, random.numbers(C));
    auto y = output({N, C}), dx = output({N, C}), dgain = output({C}), dbias = output({C});
    auto saved = bytes(layer_norm_saved_bytes(N, C));
    const Workspace workspace(layer_norm_scratch_bytes(N, C));
    layer_norm_forward(x.data(), gain.data(), bias.data(), y.data(), saved.data(), N, C,
                       workspace.launch());
    layer_norm_backward(y.data(), x.data(), gain.data(), saved.data(), dx.data(), dgain.data(),
                        dbias.data(), N, C, Accumulate::overwrite, workspace.launch());
    Floats all;
    for (const auto* tensor : {&y, &dx, &dgain, &dbias}) append(all, *tensor);
    return all;
  });
}

TEST(ThreadCountTest, Linear) {
  expect_same_bits([](RandomInputs& random) {
    GuardedTensor<const float> x("x", {N, C}, random.numbers(N * C));
    GuardedTensor<const float> weight("weight", {C, F}, random.numbers(C * F));
    GuardedTensor<const float> bias("bias", {F}, random.numbers(F));
    auto y = output({N, F}), dx = output({N, C}), dweight = output({C, F}), dbias = output({F});
    const Workspace workspace(linear_scratch_bytes(N, C, F));
    linear_forward(x.data(), weight.data(), bias.data(), y.data(), N, C, F, workspace.launch());
    linear_backward(y.data(), x.data(), weight.data(), dx.data(), dweight.data(), dbias.data(), N,
                    C, F, Accumulate::overwrite, workspace.launch());
    Floats all;
    for (const auto* tensor : {&y, &dx, &dweight, &dbias}) append(all, *tensor);
    return all;
  });
}

TEST(ThreadCountTest, ActivationAndResidual) {
  expect_same_bits([](RandomInputs& random) {
    GuardedTensor<const float> x("x", {N, F}, random.numbers(N * F, 3));
    auto y = output({N, F}), dx = output({N, F}), sum = output({N, F}), dsum = output({N, F});
    const Workspace workspace(0);
    activation_forward(Activation::gelu, x.data(), y.data(), N, F, workspace.launch());
    activation_backward(Activation::gelu, y.data(), x.data(), dx.data(), N, F, workspace.launch());
    residual_forward(x.data(), y.data(), sum.data(), N * F, workspace.launch());
    residual_backward(sum.data(), dx.data(), dsum.data(), N * F, workspace.launch());
    Floats all;
    for (const auto* tensor : {&y, &dx, &sum, &dsum}) append(all, *tensor);
    return all;
  });
}

TEST(ThreadCountTest, CrossEntropy) {
  expect_same_bits([](RandomInputs& random) {
    GuardedTensor<float> logits("logits", {N, V}, random.numbers(N * V, 5));
    GuardedTensor<const int> targets("targets", {N}, random.integers(N, V));
    auto losses = output({N}), losses_too = output({N});
    const Workspace workspace(0);
    cross_entropy_forward(logits.data(), targets.data(), losses.data(), N, V, V,
                          workspace.launch());
    cross_entropy_forward_backward(logits.data(), targets.data(), losses_too.data(), 1.0f / N, N, V,
                                   V, workspace.launch());
    Floats all;
    for (const auto* tensor : {&losses, &losses_too, &logits}) append(all, *tensor);
    return all;
  });
}

TEST(ThreadCountTest, GlobalNormAndAdamW) {
  expect_same_bits([](RandomInputs& random) {
    constexpr std::int64_t kCount = 500'003;
    GuardedTensor<const float> gradients("gradients", {kCount}, random.numbers(kCount));
    GuardedTensor<float> parameters("parameters", {kCount}, random.numbers(kCount));
    GuardedTensor<float> first("first moments", {kCount}, random.numbers(kCount));
    GuardedTensor<float> second("second moments", {kCount}, Floats(kCount, 0.5f));
    StepScalars values;
    values.learning_rate = 0.01f;
    GuardedTensor<StepScalars> scalars("scalars", {1}, {values});
    const Workspace workspace(global_norm_scratch_bytes(kCount));
    global_norm(gradients.data(), kCount, 1, scalars.data(), workspace.launch());
    adamw(parameters.data(), gradients.data(), first.data(), second.data(), kCount, kCount / 2,
          AdamWOptions(), scalars.data(), workspace.launch());
    Floats all = {scalars.contents()[0].gradient_norm, scalars.contents()[0].clip_scale};
    for (const auto* tensor : {&parameters, &first, &second}) append(all, *tensor);
    return all;
  });
}

ModelConfig training_model() {
  ModelConfig config;
  config.layers = 2;
  config.heads = H;
  config.width = C;
  config.mlp_width = F;
  config.vocabulary = V;
  config.context = T;
  return config;
}

TEST(ThreadCountTest, ThreeStepsOfTraining) {
  expect_same_bits([](RandomInputs& random) {
    const ModelConfig config = training_model();
    const ParameterLayout layout(config);
    const int stride = config.padded_vocabulary();
    GuardedTensor<float> parameters("parameters", {layout.size()},
                                    random_parameters(layout, random, 0.05f));
    const Floats zeros(static_cast<std::size_t>(layout.size()));
    GuardedTensor<float> gradients("gradients", {layout.size()}, zeros);
    GuardedTensor<float> first("first moments", {layout.size()}, zeros);
    GuardedTensor<float> second("second moments", {layout.size()}, zeros);
    auto logits = output({N, stride}), losses = output({N});
    auto saved = bytes(transformer_saved_bytes(config, B, T));
    const Workspace workspace(std::max(transformer_scratch_bytes(config, B, T),
                                       global_norm_scratch_bytes(layout.size())));
    Floats all;
    for (int step = 1; step <= 3; ++step) {
      GuardedTensor<const int> tokens("tokens", {B, T}, random.integers(N, V));
      GuardedTensor<const int> targets("targets", {B, T}, random.integers(N, V));
      StepScalars values;
      values.step = step;
      values.learning_rate = 1e-3f;
      GuardedTensor<StepScalars> scalars("scalars", {1}, {values});
      transformer_forward(layout, parameters.data(), tokens.data(), logits.data(), saved.data(), B,
                          T, workspace.launch());
      cross_entropy_forward_backward(logits.data(), targets.data(), losses.data(), 1.0f / N, N, V,
                                     stride, workspace.launch());
      transformer_backward(layout, parameters.data(), tokens.data(), logits.data(), saved.data(),
                           gradients.data(), B, T, Accumulate::overwrite, workspace.launch());
      global_norm(gradients.data(), layout.size(), 1, scalars.data(), workspace.launch());
      adamw(parameters.data(), gradients.data(), first.data(), second.data(), layout.size(),
            layout.decayed(), AdamWOptions(), scalars.data(), workspace.launch());
      all.push_back(scalars.contents()[0].gradient_norm);
      append(all, losses);
    }
    for (const auto* tensor : {&parameters, &first, &second}) append(all, *tensor);
    return all;
  });
}

TEST(ThreadCountTest, Decoding) {
  expect_same_bits([](RandomInputs& random) {
    const ModelConfig config = training_model();
    const ParameterLayout layout(config);
    GuardedTensor<const float> parameters("parameters", {layout.size()},
                                          random_parameters(layout, random, 0.05f));
    GuardedTensor<const int> tokens("tokens", {T}, random.integers(T, V));
    auto cache = bytes(decode_cache_bytes(config));
    const Workspace workspace(decode_scratch_bytes(config));
    Floats all;
    for (const auto& [position, count] : {std::pair{0, T - 2}, {T - 2, 1}, {T - 1, 1}}) {
      auto logits = output({config.padded_vocabulary()});
      decode_forward(layout, parameters.data(), tokens.data() + position, count, position,
                     cache.data(), logits.data(), workspace.launch());
      append(all, logits);
    }
    return all;
  });
}

}  // namespace
}  // namespace andrea
