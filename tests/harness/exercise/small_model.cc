#include "tests/harness/exercise/small_model.h"

#include <vector>

#include "kernels/attention.h"
#include "kernels/cross_entropy.h"
#include "kernels/cuda_check.h"
#include "kernels/dot_similarity.h"
#include "kernels/embedding.h"
#include "kernels/linear.h"
#include "kernels/residual.h"
#include "lessons/01_embedding_lookup/reference.h"
#include "lessons/02_dot_product_similarity/reference.h"
#include "lessons/03_attention/reference.h"
#include "lessons/05_gelu_mlp/reference.h"
#include "lessons/07_full_model/cross_entropy_reference.h"
#include "tests/harness/as_reference.h"
#include "tests/harness/exercise/together.h"
#include "tests/harness/guarded_tensor.h"

namespace andrea {
namespace {

using reference::Matrix;
using reference::Vector;

struct Inputs {
  std::vector<int> tokens, targets;
  std::vector<float> token_table, position_table, weight, bias, output_table;
};

// Every tensor of the chain, as the references have it.
template <typename Scalar>
struct Expected {
  Matrix<Scalar> embedded, qkv, attended, stream, logits, dlogits;
  Vector<Scalar> losses;
  reference::DotSimilarityGradients<Scalar> projection;
  Matrix<Scalar> dqkv, dembedded;
  reference::LinearGradients<Scalar> linear;
  reference::EmbeddingGradients<Scalar> tables;

  Expected(const Inputs& in, const AttentionShape& shape, int V, bool attends,
           float gradient_scale) {
    const int T = shape.T, C = shape.C;
    embedded = reference::embedding_forward(in.tokens, T, as_matrix<Scalar>(in.token_table, V, C),
                                            as_matrix<Scalar>(in.position_table, T, C));
    stream = embedded;
    const auto weight = as_matrix<Scalar>(in.weight, C, 3 * C);
    if (attends) {
      qkv = reference::linear_forward(embedded, weight, as_vector<Scalar>(in.bias));
      attended = reference::attention_forward(qkv, shape);
      stream += attended;
    }
    const auto output_table = as_matrix<Scalar>(in.output_table, V, C);
    logits = reference::dot_similarity_forward(stream, output_table);
    losses = reference::cross_entropy_forward(logits, in.targets);
    dlogits = reference::cross_entropy_backward(logits, in.targets, Scalar{gradient_scale});
    projection = reference::dot_similarity_backward(dlogits, stream, output_table);
    dembedded = projection.dx;
    if (attends) {
      dqkv = reference::attention_backward(projection.dx, qkv, shape);
      linear = reference::linear_backward(dqkv, embedded, weight);
      dembedded += linear.dx;
    }
    tables = reference::embedding_backward(dembedded, in.tokens, T, V);
  }
};

void run(Chain& chain, bool attends) {
  Trial& trial = chain.trial();
  const auto [B, T, C, H, V] = trial.sizes<5>();
  const AttentionShape shape{.B = B, .T = T, .C = C, .H = H};
  const int N = B * T;
  const float gradient_scale = 1.0f / static_cast<float>(N);

  Inputs in;
  RandomInputs& random = trial.random();
  in.tokens = random.integers(N, V);
  in.targets = random.integers(N, V);
  in.token_table = random.numbers(V * C);
  in.position_table = random.numbers(T * C);
  in.weight = random.numbers(3 * C * C, 0.5f);
  in.bias = random.numbers(3 * C);
  in.output_table = random.numbers(V * C);
  const Expected<double> exact(in, shape, V, attends, gradient_scale);
  const Expected<float> rounded(in, shape, V, attends, gradient_scale);
  // A tensor of the chain, out of both references.
  const auto expect = [&](const std::string& name, const auto& member, double accumulated) {
    chain.expect(
        name,
        [&]<typename Scalar>(Scalar) {
          if constexpr (std::is_same_v<Scalar, double>) return member(exact);
          if constexpr (std::is_same_v<Scalar, float>) return member(rounded);
        },
        accumulated);
  };

  const Axes stream_axes = {{"b", B}, {"t", T}, {"c", C}},
             logit_axes = {{"b", B}, {"t", T}, {"v", V}},
             qkv_axes = {{"b", B}, {"t", T}, {"c", 3 * C}}, table_axes = {{"v", V}, {"c", C}};
  const int* tokens = trial.input("tokens", {{"b", B}, {"t", T}}, in.tokens);
  const int* targets = trial.input("targets", {{"b", B}, {"t", T}}, in.targets);
  const float* token_table = trial.input("token_table", table_axes, in.token_table);
  const float* position_table =
      trial.input("position_table", {{"t", T}, {"c", C}}, in.position_table);
  const float* weight = trial.input("weight", {{"in", C}, {"out", 3 * C}}, in.weight);
  const float* bias = trial.input("bias", {{"out", 3 * C}}, in.bias);
  const float* output_table = trial.input("output_table", table_axes, in.output_table);

  float* embedded = trial.output("embedded", stream_axes);
  chain.step("embedding", "embedding_forward", embedding_scratch_bytes(B, T, C, V),
             [&](const Launch& launch) {
               embedding_forward(tokens, token_table, position_table, embedded, B, T, C, launch);
             });
  expect(
      "embedded", [](const auto& all) { return all.embedded; }, 2);

  float* qkv = trial.output("qkv", qkv_axes);
  float* attended = trial.output("attended", stream_axes);
  float* stream = embedded;
  GuardedTensor<std::byte> saved(
      "saved", {static_cast<std::int64_t>(attends ? attention_saved_bytes(shape) : 0)});
  if (attends) {
    chain.step("linear", "linear_forward", linear_scratch_bytes(N, C, 3 * C),
               [&](const Launch& launch) {
                 linear_forward(embedded, weight, bias, qkv, N, C, 3 * C, launch);
               });
    expect(
        "qkv", [](const auto& all) { return all.qkv; }, C);
    chain.step("attention", "attention_forward", attention_scratch_bytes(shape),
               [&](const Launch& launch) {
                 attention_forward(qkv, attended, saved.data(), shape, launch);
               });
    expect(
        "attended", [](const auto& all) { return all.attended; }, C);
    stream = trial.output("stream", stream_axes);
    chain.step("residual", "residual_forward", 0, [&](const Launch& launch) {
      residual_forward(embedded, attended, stream, N * C, launch);
    });
    expect(
        "stream", [](const auto& all) { return all.stream; }, C);
  }

  float* logits = trial.output("logits", logit_axes);
  chain.step("dot_similarity", "dot_similarity_forward", dot_similarity_scratch_bytes(N, V, C),
             [&](const Launch& launch) {
               dot_similarity_forward(stream, output_table, logits, N, V, C, V, launch);
             });
  expect(
      "logits", [](const auto& all) { return all.logits; }, 2 * C);

  // The gradient takes the place of the logits, so it is computed in a copy.
  float* losses = trial.output("losses", {{"b", B}, {"t", T}});
  float* dlogits = trial.output("dlogits", logit_axes);
  chain.step("cross_entropy", "cross_entropy_forward_backward", 0, [&](const Launch& launch) {
    CUDA_CHECK(cudaMemcpyAsync(dlogits, logits, sizeof(float) * static_cast<std::size_t>(N * V),
                               cudaMemcpyDeviceToDevice, launch.stream));
    cross_entropy_forward_backward(dlogits, targets, losses, gradient_scale, N, V, V, launch);
  });
  expect(
      "losses", [](const auto& all) { return all.losses; }, 2 * C);
  expect(
      "dlogits", [](const auto& all) { return all.dlogits; }, 1);

  float* dstream = trial.output("dstream", stream_axes);
  float* doutput_table = trial.gradient("doutput_table", table_axes, Accumulate::overwrite);
  chain.step("dot_similarity", "dot_similarity_backward", dot_similarity_scratch_bytes(N, V, C),
             [&](const Launch& launch) {
               dot_similarity_backward(dlogits, stream, output_table, dstream, doutput_table, N, V,
                                       C, V, Accumulate::overwrite, launch);
             });
  expect(
      "dstream", [](const auto& all) { return all.projection.dx; }, 1);
  expect(
      "doutput_table", [](const auto& all) { return all.projection.dtable; }, 1);

  float* dembedded = dstream;
  if (attends) {
    float* dqkv = trial.output("dqkv", qkv_axes);
    chain.step("attention", "attention_backward", attention_scratch_bytes(shape),
               [&](const Launch& launch) {
                 attention_backward(dstream, qkv, attended, saved.data(), dqkv, shape, launch);
               });
    expect(
        "dqkv", [](const auto& all) { return all.dqkv; }, 1);
    float* dbranch = trial.output("dbranch", stream_axes);
    float* dweight = trial.gradient("dweight", {{"in", C}, {"out", 3 * C}}, Accumulate::overwrite);
    float* dbias = trial.gradient("dbias", {{"out", 3 * C}}, Accumulate::overwrite);
    chain.step("linear", "linear_backward", linear_scratch_bytes(N, C, 3 * C),
               [&](const Launch& launch) {
                 linear_backward(dqkv, embedded, weight, dbranch, dweight, dbias, N, C, 3 * C,
                                 Accumulate::overwrite, launch);
               });
    expect(
        "dbranch", [](const auto& all) { return all.linear.dx; }, 1);
    expect(
        "dweight", [](const auto& all) { return all.linear.dweight; }, 1);
    expect(
        "dbias", [](const auto& all) { return all.linear.dbias; }, 1);
    dembedded = trial.output("dembedded", stream_axes);
    chain.step("residual", "residual_backward", 0, [&](const Launch& launch) {
      residual_backward(dstream, dbranch, dembedded, N * C, launch);
    });
    expect(
        "dembedded", [](const auto& all) { return all.dembedded; }, 1);
  }

  float* dtoken_table = trial.gradient("dtoken_table", table_axes, Accumulate::overwrite);
  float* dposition_table =
      trial.gradient("dposition_table", {{"t", T}, {"c", C}}, Accumulate::overwrite);
  chain.step("embedding", "embedding_backward", embedding_scratch_bytes(B, T, C, V),
             [&](const Launch& launch) {
               embedding_backward(dembedded, tokens, dtoken_table, dposition_table, B, T, C, V,
                                  Accumulate::overwrite, launch);
             });
  expect(
      "dtoken_table", [](const auto& all) { return all.tables.dtoken_table; }, 1);
  expect(
      "dposition_table", [](const auto& all) { return all.tables.dposition_table; }, 1);
}

}  // namespace

::testing::AssertionResult small_model(const std::set<std::string>& own) {
  const bool attends = own.count("attention") > 0;
  return together(own, {"B", "T", "C", "H", "V"},
                  {{1, 1, 2, 1, 3}, {1, 3, 2, 1, 5}, {2, 5, 6, 3, 4}, {2, 33, 16, 2, 97}},
                  [&](Chain& chain) { run(chain, attends); });
}

}  // namespace andrea
