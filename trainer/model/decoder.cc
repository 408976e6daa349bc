#include "trainer/model/decoder.h"

#include "kernels/decode.h"
#include "trainer/base/error.h"

namespace andrea {

Decoder::Decoder(const ParameterLayout& layout, const DeviceBuffer<float>& parameters)
    : layout_(layout),
      parameters_(parameters),
      cache_(static_cast<std::int64_t>(decode_cache_bytes(layout.config()))),
      scratch_(static_cast<std::int64_t>(decode_scratch_bytes(layout.config()))),
      logits_(layout.config().padded_vocabulary()),
      host_logits_(static_cast<std::size_t>(layout.config().padded_vocabulary())) {}

std::span<const float> Decoder::feed(std::span<const int> tokens) {
  const int V = layout_.config().vocabulary;
  for (const int token : tokens) {
    require(token >= 0 && token < V, "token ", token, " is outside the model's vocabulary of ", V);
  }
  require(!tokens.empty() && static_cast<int>(tokens.size()) <= room(), tokens.size(),
          " tokens do not fit: the context has room for ", room());
  const DeviceBuffer<int> device_tokens(tokens);
  decode_forward(layout_, parameters_.data(), device_tokens.data(), static_cast<int>(tokens.size()),
                 position_, cache_.data(), logits_.data(),
                 {.scratch = scratch_.data(), .scratch_bytes = scratch_.bytes()});
  position_ += static_cast<int>(tokens.size());
  logits_.download(host_logits_);
  return {host_logits_.data(), static_cast<std::size_t>(V)};
}

}  // namespace andrea
