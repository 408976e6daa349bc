// File: corpus.h
//
// A corpus on disk: documents as tokens, divided into training and validation. Its folder holds
//   training_000000.bin, ...     the shards of either part (token_shards.h): each document is
//   validation_000000.bin, ...   kDocumentStart and then its tokens
//   corpus.json                  the summary, written last: without it the corpus is unfinished
//
//     write_corpus(*open_text(options), encode, tokenizer.vocabulary(), "corpus");
//     Corpus corpus("corpus");
//     corpus.training().read(position, T + 1, window);
//     corpus.summary().validation.bytes;
//
// How it is divided. A document is never cut, and no validation document occurs in training:
// documents are put in the order of a seeded hash of their text, and the first of them become the
// validation part until it has the wanted fraction of the bytes. Equal documents have equal hashes
// and stay together. A document that would make the part more than twice as large as wanted is
// passed over, and either part has at least one document. That takes one pass for hashes and
// lengths (16 bytes of memory a document) and one to write.

#ifndef ANDREA_TRAINER_CORPUS_CORPUS_H_
#define ANDREA_TRAINER_CORPUS_CORPUS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "trainer/corpus/document_source.h"
#include "trainer/corpus/token_shards.h"

namespace andrea {

// The size of one part of a corpus.
struct SplitSummary {
  std::int64_t documents = 0;  // how many
  std::int64_t bytes = 0;      // Of the text: what bits a byte are counted by.
  std::int64_t tokens = 0;     // With one kDocumentStart a document.

  bool operator==(const SplitSummary&) const = default;
};

// What summary.json holds.
struct CorpusSummary {
  std::string description;         // The source's.
  int vocabulary = 0;              // of the tokenizer
  double validation_fraction = 0;  // As asked for; the parts tell what it became.
  std::uint64_t seed = 0;          // of the division
  SplitSummary training;           // the part to learn from
  SplitSummary validation;         // the part to be measured on
  std::string
      checksum;  // Of all tokens, 16 hexadecimal digits; shards of another size have the same.

  bool operator==(const CorpusSummary&) const = default;
};

// How a text is divided.
struct CorpusOptions {
  double validation_fraction = 0.05;  // Of the text's bytes; above 0, below 1.
  std::uint64_t seed = 0;             // Another seed chooses other validation documents.
  std::int64_t tokens_per_shard = TokenShardWriter::kTokensPerShard;  // of one file
  // Called now and then while tokens are written, with the bytes of text done and their total.
  std::function<void(std::int64_t done, std::int64_t total)> progress;
};

// Appends the tokens of a text to *ids, none of them kDocumentStart.
using TextEncoder = std::function<void(std::string_view text, std::vector<int>* ids)>;

// Writes the corpus and returns its summary. Creates the folder; writes anew what an interrupted
// run left in it. Error: the folder has a finished corpus; all the text is one document, or the
// same document again and again; the source's documents change from one pass to the next; a token
// is not below the vocabulary; a full disk.
CorpusSummary write_corpus(DocumentSource& source, const TextEncoder& encode, int vocabulary,
                           const std::filesystem::path& folder, const CorpusOptions& options = {});

// A finished corpus, opened.
class Corpus {
 public:
  // Error: no finished corpus there, or shards that are damaged or do not match the summary.
  explicit Corpus(const std::filesystem::path& folder);

  const TokenShards& training() const { return training_; }      // to learn from
  const TokenShards& validation() const { return validation_; }  // to be measured on
  const CorpusSummary& summary() const { return summary_; }      // as summary.json has it

  // Error if the tokens are not those that were written. Reads every shard.
  void verify() const;

 private:
  std::filesystem::path folder_;
  CorpusSummary summary_;
  TokenShards training_;
  TokenShards validation_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_CORPUS_H_
