#include "kernels/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// A model, the logits that its reference gives to one stream without any cache, and a cache.
class Stream {
 public:
  Stream(const ModelConfig& config, int length, RandomInputs& random)
      : layout_(config),
        parameters_("parameters", {layout_.size()}, random_parameters(layout_, random)),
        tokens_("tokens", {length}, random.integers(length, config.vocabulary)),
        cache_("cache", {static_cast<std::int64_t>(decode_cache_bytes(config))}),
        workspace_(decode_scratch_bytes(config)),
        exact_(uncached(0.0)),
        rounded_(uncached(0.0f)) {}

  // Feeds `count` tokens and compares what follows the last of them.
  void feed(int position, int count) {
    SCOPED_TRACE(title_of("position, count", {position, count}));
    const int V = layout_.config().vocabulary;
    GuardedTensor<float> logits("logits", {layout_.config().padded_vocabulary()});
    decode_forward(layout_, parameters_.data(), tokens_.data() + position, count, position,
                   cache_.data(), logits.data(), workspace_.launch());
    std::vector<float> row = logits.contents();
    row.resize(static_cast<std::size_t>(V));
    // The tolerance is that of all rows: one row's gap may be small by luck.
    const double tolerance =
        tolerance_of({exact_.data(), static_cast<std::size_t>(exact_.size())},
                     {rounded_.data(), static_cast<std::size_t>(rounded_.size())},
                     kRoundings * exact_.cwiseAbs().maxCoeff());
    const double* expected = exact_.data() + std::int64_t{position + count - 1} * V;
    EXPECT_TRUE(
        close_within(tolerance, "logits", {V}, row, {expected, static_cast<std::size_t>(V)}));
  }

 private:
  template <typename Scalar>
  reference::Matrix<Scalar> uncached(Scalar) const {
    return reference::transformer_forward(layout_, as_vector<Scalar>(parameters_.before()),
                                          tokens_.before(), 1,
                                          static_cast<int>(tokens_.before().size()));
  }

  const ParameterLayout layout_;
  GuardedTensor<const float> parameters_;
  GuardedTensor<const int> tokens_;
  GuardedTensor<std::byte> cache_;
  const Workspace workspace_;
  const reference::Matrix<double> exact_;
  const reference::Matrix<float> rounded_;
};

TEST(DecodeTest, SupportsAndreaItself) { EXPECT_EQ(decode_supports(ModelConfig()), ""); }

TEST(DecodeTest, TokenByTokenEqualsTheWholeModel) {
  RandomInputs random;
  for (const auto& [name, config] : model_cases()) {
    if (!decode_supports(config).empty()) continue;
    SCOPED_TRACE(name);
    Stream stream(config, 12, random);
    for (int position = 0; position < 12; ++position) stream.feed(position, 1);
  }
}

TEST(DecodeTest, APromptMayComeInPieces) {
  RandomInputs random;
  for (const auto& [name, config] : model_cases()) {
    if (!decode_supports(config).empty()) continue;
    SCOPED_TRACE(name);
    Stream stream(config, 20, random);
    stream.feed(0, 2);
    stream.feed(2, 3);
    stream.feed(5, 1);
    stream.feed(6, 9);
    stream.feed(15, 5);
  }
}

TEST(DecodeTest, PositionZeroBeginsAnew) {
  RandomInputs random;
  Stream stream(small_model(), 9, random);
  stream.feed(0, 9);
  stream.feed(0, 4);
  stream.feed(4, 1);
  stream.feed(0, 1);
}

TEST(DecodeTest, FillsTheContextToItsLastPosition) {
  RandomInputs random;
  const int context = small_model().context;
  Stream stream(small_model(), context, random);
  stream.feed(0, context);
  stream.feed(0, context - 2);
  stream.feed(context - 2, 1);
  stream.feed(context - 1, 1);
}

}  // namespace
}  // namespace andrea
