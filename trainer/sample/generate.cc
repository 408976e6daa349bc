#include "trainer/sample/generate.h"

#include <algorithm>
#include <span>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/tokenizer/utf8_stream.h"

namespace andrea {
namespace {

// Feeds the last tokens of `history`, as many as half a context holds, to a decoder begun anew.
std::span<const float> refill(Decoder& decoder, const std::vector<int>& history) {
  decoder.restart();
  const auto half = static_cast<std::size_t>(std::max(1, decoder.room() / 2));
  const std::size_t count = std::min(half, history.size());
  return decoder.feed(std::span(history).last(count));
}

}  // namespace

int generate(Decoder& decoder, const Tokenizer& tokenizer, std::string_view prompt,
             const GenerationOptions& options, std::uint64_t stream,
             const std::function<void(std::string_view)>& emit) {
  require(options.most_tokens >= 0, "--tokens is ", options.most_tokens, "; it must be 0 or more");
  Sampler sampler(options.sampling, stream);
  Utf8Stream characters;
  std::vector<int> history = {Tokenizer::kBos};
  tokenizer.encode(prompt, &history);

  decoder.restart();
  std::span<const float> logits = static_cast<int>(history.size()) <= decoder.room()
                                      ? decoder.feed(history)
                                      : refill(decoder, history);
  int chosen = 0;
  while (chosen < options.most_tokens) {
    const int token = sampler.choose(logits);
    ++chosen;
    if (token == Tokenizer::kBos && options.stop_at_end) break;
    history.push_back(token);
    emit(token == Tokenizer::kBos ? characters.finish() + "\n\n"
                                  : characters.push(tokenizer.piece(token)));
    if (chosen == options.most_tokens) break;
    logits = decoder.room() > 0 ? decoder.feed({&token, 1}) : refill(decoder, history);
  }
  emit(characters.finish());
  return chosen;
}

std::string generate_text(Decoder& decoder, const Tokenizer& tokenizer, std::string_view prompt,
                          const GenerationOptions& options, std::uint64_t stream) {
  std::string result;
  generate(decoder, tokenizer, prompt, options, stream,
           [&result](std::string_view piece) { result += piece; });
  return result;
}

}  // namespace andrea
