// File: generate.h
//
// Text from a model, as it comes.

#ifndef ANDREA_TRAINER_SAMPLE_GENERATE_H_
#define ANDREA_TRAINER_SAMPLE_GENERATE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "trainer/model/decoder.h"
#include "trainer/sample/sampler.h"
#include "trainer/tokenizer/tokenizer.h"

namespace andrea {

// How a text is written.
struct GenerationOptions {
  SamplingOptions sampling = {};  // how each token is chosen
  int most_tokens = 200;          // after the prompt

  // Whether a text ends where the model ends its document, or goes on with another one.
  bool stop_at_end = true;
};

// Continues the prompt as the beginning of a document. `emit` receives the prompt's continuation in
// whole UTF-8 characters; bytes that form none become U+FFFD. When the context is full, the model
// goes on from its second half. Returns the number of tokens chosen.
int generate(Decoder& decoder, const Tokenizer& tokenizer, std::string_view prompt,
             const GenerationOptions& options, std::uint64_t stream,
             const std::function<void(std::string_view)>& emit);

// The same, as one string.
std::string generate_text(Decoder& decoder, const Tokenizer& tokenizer, std::string_view prompt,
                          const GenerationOptions& options, std::uint64_t stream);

}  // namespace andrea

#endif  // ANDREA_TRAINER_SAMPLE_GENERATE_H_
