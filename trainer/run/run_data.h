// File: run_data.h
//
// A run's tokenizer and token shards: made in its folder the first time, found there afterwards.

#ifndef ANDREA_TRAINER_RUN_RUN_DATA_H_
#define ANDREA_TRAINER_RUN_RUN_DATA_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "trainer/corpus/corpus.h"
#include "trainer/corpus/document_source.h"
#include "trainer/run/run_folder.h"
#include "trainer/run/train_options.h"
#include "trainer/tokenizer/tokenizer.h"

namespace andrea {

struct RunData {
  Tokenizer tokenizer;  // trained on the text, or given
  Corpus corpus;        // its tokens, divided
};

// Receives a line for people about what is being done.
using Notice = std::function<void(std::string_view)>;

// The stories or the text that the options name. Error: see open_text().
std::unique_ptr<DocumentSource> open_documents(const DataOptions& options);

// `vocabulary` is what the tokenizer should have; a text that cannot fill it gives fewer, which is
// said. An interrupted call is completed by the next. Error: the corpus is shorter than
// context + 1 tokens.
RunData prepare_run_data(const RunFolder& folder, const DataOptions& options, int vocabulary,
                         int context, const Notice& notice);

// What is known about a corpus without a model, in bits a byte of its validation text.
struct CorpusLimits {
  double unigram;  // every token guessed by its frequency in training alone

  // For the embedded stories, whose grammar tells exactly how likely each of them is.
  std::optional<double> source_entropy;    // of the grammar
  std::optional<double> validation_exact;  // of these very validation stories
};

// `stories` says that the corpus is the embedded one.
CorpusLimits measure_limits(const RunData& data, bool stories);

// "Token frequencies alone give 4.1234 bits a byte.", after the stories' entropy where it is known.
std::string limits_line(const CorpusLimits& limits);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_RUN_DATA_H_
