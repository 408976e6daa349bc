// File: decoder.h
//
// One stream of text fed to a model token by token.
//
//   Decoder decoder(layout, parameters);
//   std::span<const float> logits = decoder.feed(prompt);   // what may follow the prompt
//   logits = decoder.feed({&next, 1});

#ifndef ANDREA_TRAINER_MODEL_DECODER_H_
#define ANDREA_TRAINER_MODEL_DECODER_H_

#include <span>
#include <vector>

#include "kernels/device_buffer.h"
#include "kernels/parameter_layout.h"

namespace andrea {

class Decoder {
 public:
  // Both references must outlive the decoder.
  Decoder(const ParameterLayout& layout, const DeviceBuffer<float>& parameters);

  // Tokens that still fit into the context.
  int room() const { return layout_.config().context - position_; }

  // Appends at least one token, at most room(), and returns the V logits of the token that follows;
  // they are valid until the next call. Error: a token that is not in the vocabulary.
  std::span<const float> feed(std::span<const int> tokens);

  // Forgets all that was fed.
  void restart() { position_ = 0; }

 private:
  const ParameterLayout& layout_;
  const DeviceBuffer<float>& parameters_;
  int position_ = 0;
  DeviceBuffer<char> cache_;
  DeviceBuffer<char> scratch_;
  DeviceBuffer<float> logits_;  // [padded V]
  std::vector<float> host_logits_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_DECODER_H_
