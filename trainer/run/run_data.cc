#include "trainer/run/run_data.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/corpus/sample_order.h"
#include "trainer/corpus/text_source.h"
#include "trainer/model/estimate.h"
#include "trainer/stories/stories.h"
#include "trainer/tokenizer/tokenizer_file.h"
#include "trainer/tokenizer/tokenizer_trainer.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

Tokenizer train_tokenizer(const DataOptions& options, int vocabulary, const Notice& notice) {
  // More text than this changes a tokenizer little and takes long.
  constexpr std::size_t kEnoughBytes = std::size_t{1} << 30;
  const auto source = open_documents(options);
  TokenizerTrainer trainer;
  std::size_t bytes = 0;
  for (std::string document; bytes < kEnoughBytes && source->next(&document);) {
    trainer.add(document);
    bytes += document.size();
  }
  notice(text("Training a tokenizer of ", with_separators(vocabulary), " tokens on ",
              readable_bytes(static_cast<double>(bytes)), " of text (", source->description(),
              ")."));
  return trainer.train(vocabulary);
}

// Written elsewhere, then renamed: the folder is there whole or not at all.
void keep_tokenizer(const RunFolder& folder, const Tokenizer& tokenizer) {
  fs::path unfinished = folder.tokenizer();
  unfinished += ".tmp";
  fs::remove_all(unfinished);
  fs::create_directories(unfinished);
  save_tokenizer(tokenizer, unfinished);
  sync_folder(unfinished);
  fs::rename(unfinished, folder.tokenizer());
  sync_folder(folder.path);
}

Tokenizer obtain_tokenizer(const RunFolder& folder, const DataOptions& options, int vocabulary,
                           const Notice& notice) {
  if (fs::exists(folder.tokenizer())) return load_tokenizer(folder.tokenizer() / "tokenizer.json");
  Tokenizer tokenizer = options.tokenizer.empty() ? train_tokenizer(options, vocabulary, notice)
                                                  : load_tokenizer(options.tokenizer);
  if (tokenizer.vocabulary() < vocabulary) {
    notice(text("The vocabulary has ", with_separators(tokenizer.vocabulary()), " tokens, not ",
                with_separators(vocabulary),
                options.tokenizer.empty() ? ": the text has no more pairs to merge."
                                          : ": that is what the given tokenizer has."));
  }
  keep_tokenizer(folder, tokenizer);
  return tokenizer;
}

void obtain_corpus(const RunFolder& folder, const DataOptions& options, const Tokenizer& tokenizer,
                   const Notice& notice) {
  if (fs::exists(folder.data() / "corpus.json")) return;
  const auto source = open_documents(options);
  const auto encode = [&tokenizer](std::string_view document, std::vector<int>* ids) {
    tokenizer.encode(document, ids);
  };
  CorpusOptions corpus_options;
  corpus_options.validation_fraction = options.validation_fraction;
  const CorpusSummary summary =
      write_corpus(*source, encode, tokenizer.vocabulary(), folder.data(), corpus_options);
  notice(text("Corpus: ", with_separators(summary.training.tokens), " tokens of ",
              with_separators(summary.training.documents), " documents for training, ",
              with_separators(summary.validation.tokens), " of ",
              with_separators(summary.validation.documents), " for validation."));
}

// The validation tokens' cost when each is guessed by its frequency in training, in bits.
double unigram_bits(const RunData& data) {
  // A sample of the training text is plenty for a table of frequencies.
  constexpr std::int64_t kMostTokens = 20'000'000;
  constexpr std::int64_t kPiece = 1 << 16;
  std::vector<int> tokens(kPiece);
  std::vector<double> counts(static_cast<std::size_t>(data.tokenizer.vocabulary()), 1.0);
  const auto for_each = [&](const TokenShards& shards, auto&& visit) {
    const std::int64_t end = std::min(shards.size(), kMostTokens);
    for (std::int64_t at = 0; at < end; at += kPiece) {
      const std::int64_t count = std::min(kPiece, end - at);
      shards.read(at, count, tokens.data());
      for (std::int64_t i = 0; i < count; ++i) visit(static_cast<std::size_t>(tokens[i]));
    }
  };
  for_each(data.corpus.training(), [&](std::size_t token) { counts[token] += 1; });
  double total = 0;
  for (const double count : counts) total += count;
  double bits = 0;
  double bytes = 0;
  for_each(data.corpus.validation(), [&](std::size_t token) {
    bits -= std::log2(counts[token] / total);
    bytes += static_cast<double>(data.tokenizer.piece(static_cast<int>(token)).size());
  });
  return bits / bytes;
}

// The validation stories' cost under the grammar that made them, in bits a byte; nothing when one
// of them is not of the grammar.
std::optional<double> exact_bits_per_byte(const RunData& data) {
  const TokenShards& shards = data.corpus.validation();
  std::vector<int> tokens(static_cast<std::size_t>(shards.size()));
  shards.read(0, shards.size(), tokens.data());
  double bits = 0;
  double bytes = 0;
  for (auto begin = tokens.begin(); begin != tokens.end();) {
    const auto end = std::find(begin + 1, tokens.end(), Tokenizer::kBos);
    const std::string story = data.tokenizer.decode(std::span(begin + 1, end));
    const std::optional<double> log2_probability = story_log2_probability(story);
    if (!log2_probability.has_value()) return std::nullopt;
    bits -= *log2_probability;
    bytes += static_cast<double>(story.size());
    begin = end;
  }
  return bits / bytes;
}

}  // namespace

std::unique_ptr<DocumentSource> open_documents(const DataOptions& options) {
  if (options.text.empty()) {
    return std::make_unique<StorySource>(options.story_seed, options.stories);
  }
  return open_text({options.text, options.documents, options.json_field});
}

RunData prepare_run_data(const RunFolder& folder, const DataOptions& options, int vocabulary,
                         int context, const Notice& notice) {
  Tokenizer tokenizer = obtain_tokenizer(folder, options, vocabulary, notice);
  obtain_corpus(folder, options, tokenizer, notice);
  RunData data{std::move(tokenizer), Corpus(folder.data())};
  require(data.corpus.summary().vocabulary == data.tokenizer.vocabulary(), folder.data().string(),
          " was written with another tokenizer; remove it, or start a new run");
  windows_per_epoch(data.corpus.training().size(), context);
  return data;
}

CorpusLimits measure_limits(const RunData& data, bool stories) {
  CorpusLimits limits{unigram_bits(data), std::nullopt, std::nullopt};
  if (stories) {
    limits.source_entropy = story_entropy_bits_per_byte();
    limits.validation_exact = exact_bits_per_byte(data);
  }
  return limits;
}

std::string limits_line(const CorpusLimits& limits) {
  char line[200];
  if (limits.source_entropy.has_value()) {
    std::snprintf(line, sizeof line,
                  "The source of these stories has %.4f bits a byte; no model can do better. Token "
                  "frequencies alone give %.4f.",
                  *limits.source_entropy, limits.unigram);
  } else {
    std::snprintf(line, sizeof line, "Token frequencies alone give %.4f bits a byte.",
                  limits.unigram);
  }
  return line;
}

}  // namespace andrea
