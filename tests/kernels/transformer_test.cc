#include "kernels/transformer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "tests/harness/as_reference.h"
#include "tests/harness/close.h"
#include "tests/harness/guarded_tensor.h"
#include "tests/harness/model_inputs.h"
#include "tests/harness/random_inputs.h"
#include "tests/kernels/model_cases.h"

namespace andrea {
namespace {

struct Size {
  int B, T;
};

constexpr Size kSizes[] = {{1, 1}, {3, 2}, {2, 33}, {1, 150}};

// Rows of V numbers as rows of `stride`, zeros between them.
std::vector<float> strided(const std::vector<float>& numbers, int V, int stride) {
  const std::size_t rows = numbers.size() / static_cast<std::size_t>(V);
  std::vector<float> result(rows * static_cast<std::size_t>(stride));
  for (std::size_t n = 0; n < rows; ++n) {
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(n) * V, V,
                result.begin() + static_cast<std::ptrdiff_t>(n) * stride);
  }
  return result;
}

// The first V columns of rows of `stride` numbers.
std::vector<float> columns_of(const std::vector<float>& rows, int V, int stride) {
  std::vector<float> result;
  for (std::size_t start = 0; start < rows.size(); start += static_cast<std::size_t>(stride)) {
    const auto row = rows.begin() + static_cast<std::ptrdiff_t>(start);
    result.insert(result.end(), row, row + V);
  }
  return result;
}

void expect_reference(const ModelConfig& config, int B, int T, Accumulate accumulate) {
  RandomInputs random;
  const ParameterLayout layout(config);
  const int V = config.vocabulary, stride = config.padded_vocabulary();
  const std::vector<float> dlogits_columns = random.numbers(std::int64_t{B} * T * V);
  GuardedTensor<const float> parameters("parameters", {layout.size()},
                                        random_parameters(layout, random));
  // Few different ones, so that tokens repeat, and the last of the vocabulary.
  std::vector<int> token_values = random.integers(B * T, V, V - 5);
  token_values.back() = V - 1;
  GuardedTensor<const int> tokens("tokens", {B, T}, token_values);
  GuardedTensor<const float> dlogits("dlogits", {B, T, stride},
                                     strided(dlogits_columns, V, stride));
  GuardedTensor<float> logits("logits", {B, T, stride});
  GuardedTensor<float> logits_alone("logits, nothing saved", {B, T, stride});
  auto gradients = model_gradients(layout, accumulate, random);
  GuardedTensor<std::byte> saved(
      "saved", {static_cast<std::int64_t>(transformer_saved_bytes(config, B, T))});
  const Workspace workspace(transformer_scratch_bytes(config, B, T));

  transformer_forward(layout, parameters.data(), tokens.data(), logits_alone.data(), nullptr, B, T,
                      workspace.launch());
  transformer_forward(layout, parameters.data(), tokens.data(), logits.data(), saved.data(), B, T,
                      workspace.launch());
  transformer_backward(layout, parameters.data(), tokens.data(), dlogits.data(), saved.data(),
                       gradients.data(), B, T, accumulate, workspace.launch());

  const auto forward = [&]<typename Scalar>(Scalar) {
    return reference::transformer_forward(layout, as_vector<Scalar>(parameters.before()),
                                          token_values, B, T);
  };
  const auto backward = [&]<typename Scalar>(Scalar) {
    return reference::transformer_backward(layout, as_vector<Scalar>(parameters.before()),
                                           token_values,
                                           as_matrix<Scalar>(dlogits_columns, B * T, V), B, T);
  };
  const auto exact = forward(0.0);
  const auto rounded = forward(0.0f);
  for (const auto* out : {&logits, &logits_alone}) {
    EXPECT_TRUE(close(out->name(), {B, T, V}, columns_of(out->contents(), V, stride), exact,
                      rounded, kRoundings * exact.cwiseAbs().maxCoeff()));
  }
  expect_gradients_close(layout, gradients, accumulate, backward(0.0), backward(0.0f));
}

TEST(TransformerTest, SupportsAndreaItself) { EXPECT_EQ(transformer_supports(ModelConfig()), ""); }

TEST(TransformerTest, FollowsTheReference) {
  for (const auto& [name, config] : model_cases()) {
    if (!transformer_supports(config).empty()) continue;
    for (const auto [B, T] : kSizes) {
      for (const Accumulate accumulate : kBothWays) {
        SCOPED_TRACE(name + title_of(": B, T, add", {B, T, accumulate == Accumulate::add}));
        expect_reference(config, B, T, accumulate);
      }
    }
  }
}

}  // namespace
}  // namespace andrea
