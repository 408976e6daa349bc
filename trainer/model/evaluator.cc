#include "trainer/model/evaluator.h"

#include "kernels/cross_entropy.h"
#include "kernels/transformer.h"

namespace andrea {

Evaluator::Evaluator(const ParameterLayout& layout, const DeviceBuffer<float>& parameters, int B,
                     int T)
    : layout_(layout),
      parameters_(parameters),
      B_(B),
      T_(T),
      scratch_(static_cast<std::int64_t>(transformer_scratch_bytes(layout.config(), B, T))),
      logits_(std::int64_t{B} * T * layout.config().padded_vocabulary()),
      tokens_(std::int64_t{B} * T),
      targets_(std::int64_t{B} * T),
      losses_(std::int64_t{B} * T) {}

double Evaluator::loss(std::span<const int> tokens, std::span<const int> targets) {
  const ModelConfig& config = layout_.config();
  const Launch launch{.scratch = scratch_.data(), .scratch_bytes = scratch_.bytes()};
  tokens_.upload(tokens);
  targets_.upload(targets);
  transformer_forward(layout_, parameters_.data(), tokens_.data(), logits_.data(), nullptr, B_, T_,
                      launch);
  cross_entropy_forward(logits_.data(), targets_.data(), losses_.data(), B_ * T_, config.vocabulary,
                        config.padded_vocabulary(), launch);
  double sum = 0;
  for (const float loss : losses_.to_host()) sum += loss;
  return sum;
}

}  // namespace andrea
