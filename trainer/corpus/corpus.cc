#include "trainer/corpus/corpus.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <utility>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/random.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

constexpr char kSummaryFile[] = "corpus.json";
constexpr char kTraining[] = "training";
constexpr char kValidation[] = "validation";

// Added before each mixing, so that a hash of zero does not stay zero while zeros are read.
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = mix_bits(seed + kStep) ^ text.size();
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), sizeof hash))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), std::min(text.size(), sizeof word));
    hash = mix_bits((hash ^ word) + kStep);
  }
  return hash;
}

class TokenChecksum {
 public:
  void add(std::span<const int> tokens) {
    for (const int token : tokens) {
      hash_ = mix_bits((hash_ ^ static_cast<std::uint64_t>(token)) + kStep);
    }
  }

  void add(const TokenShards& shards) {
    std::vector<int> chunk(1 << 16);
    for (std::int64_t position = 0; position < shards.size();) {
      const auto count = std::min<std::int64_t>(chunk.size(), shards.size() - position);
      shards.read(position, count, chunk.data());
      add(std::span(chunk).first(count));
      position += count;
    }
  }

  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

std::string combined(const TokenChecksum& training, const TokenChecksum& validation) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(mix_bits(training.value()) ^ validation.value()));
  return digits;
}

struct Measured {
  std::uint64_t hash;
  std::int64_t bytes;
};

std::int64_t total_bytes(const std::vector<Measured>& documents) {
  std::int64_t bytes = 0;
  for (const Measured& document : documents) bytes += document.bytes;
  return bytes;
}

std::vector<Measured> measure(DocumentSource& source, std::uint64_t seed) {
  std::vector<Measured> documents;
  source.rewind();
  for (std::string document; source.next(&document);) {
    documents.push_back({hash_of(document, seed), static_cast<std::int64_t>(document.size())});
  }
  return documents;
}

// Equal documents become one entry, of the bytes of all of them; in the order of the hashes.
void sort_and_merge_equal(std::vector<Measured>* documents) {
  std::sort(documents->begin(), documents->end(),
            [](const Measured& a, const Measured& b) { return a.hash < b.hash; });
  std::size_t kept = 0;
  for (const Measured& document : *documents) {
    if (kept > 0 && (*documents)[kept - 1].hash == document.hash) {
      (*documents)[kept - 1].bytes += document.bytes;
    } else {
      (*documents)[kept++] = document;
    }
  }
  documents->resize(kept);
}

// The sorted hashes of the documents that become the validation part.
std::vector<std::uint64_t> choose_validation(std::vector<Measured> documents, double fraction) {
  const auto total = static_cast<double>(total_bytes(documents));
  const bool is_single = documents.size() == 1;
  sort_and_merge_equal(&documents);
  require(!documents.empty(), "the text has no documents; give some text");
  require(documents.size() > 1,
          is_single
              ? "the whole text is one document, so none can be put aside for validation"
              : "all documents of the text are equal, so none can be put aside for validation",
          "; give more text, or divide it by --documents paragraph or --documents line");
  std::vector<std::uint64_t> chosen;
  double taken = 0;
  for (const Measured& document : documents) {
    const auto bytes = static_cast<double>(document.bytes);
    if (taken >= fraction * total || chosen.size() + 1 == documents.size()) break;
    if (taken + bytes > 2 * fraction * total) continue;
    chosen.push_back(document.hash);
    taken += bytes;
  }
  if (chosen.empty()) {
    const auto shortest =
        std::min_element(documents.begin(), documents.end(),
                         [](const Measured& a, const Measured& b) { return a.bytes < b.bytes; });
    chosen.push_back(shortest->hash);
  }
  return chosen;
}

// One part of the corpus while it is written.
class SplitWriter {
 public:
  SplitWriter(const fs::path& folder, const std::string& name, std::int64_t tokens_per_shard)
      : shards_(folder, name, tokens_per_shard) {}

  void add(const std::vector<int>& tokens, std::size_t bytes) {
    shards_.write(tokens);
    checksum_.add(tokens);
    ++summary_.documents;
    summary_.bytes += static_cast<std::int64_t>(bytes);
    summary_.tokens += static_cast<std::int64_t>(tokens.size());
  }

  void close() { shards_.close(); }
  const SplitSummary& summary() const { return summary_; }
  const TokenChecksum& checksum() const { return checksum_; }

 private:
  TokenShardWriter shards_;
  TokenChecksum checksum_;
  SplitSummary summary_;
};

void check_tokens(const std::vector<int>& tokens, int vocabulary) {
  require(tokens.front() == kDocumentStart, "a document does not begin with its start token");
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    require(tokens[i] >= 0 && tokens[i] < vocabulary && tokens[i] != kDocumentStart,
            "the tokenizer yields the token ", tokens[i],
            ", which no text may have; its vocabulary has ", vocabulary, " tokens, and ",
            kDocumentStart, " begins a document");
  }
}

// Creates the folder, or empties it of what an interrupted run has left.
void begin_folder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  require(!failed, "cannot create the folder ", folder.string(), ": ", failed.message());
  require(!fs::exists(folder / kSummaryFile, failed), "the folder ", folder.string(),
          " holds a corpus already; remove it or name another folder");
  for (const char* name : {kTraining, kValidation}) {
    for (const fs::path& shard : find_token_shards(folder, name)) {
      fs::remove(shard, failed);
      require(!failed, "cannot remove ", shard.string(), ": ", failed.message());
    }
  }
}

nlohmann::ordered_json to_json(const SplitSummary& split) {
  return {{"documents", split.documents}, {"bytes", split.bytes}, {"tokens", split.tokens}};
}

SplitSummary split_from_json(const nlohmann::json& json) {
  return {json.at("documents"), json.at("bytes"), json.at("tokens")};
}

void write_summary(const CorpusSummary& summary, const fs::path& folder) {
  const nlohmann::ordered_json json = {{"description", summary.description},
                                       {"vocabulary", summary.vocabulary},
                                       {"validation_fraction", summary.validation_fraction},
                                       {"seed", summary.seed},
                                       {"training", to_json(summary.training)},
                                       {"validation", to_json(summary.validation)},
                                       {"checksum", summary.checksum}};
  // A description may hold the bytes of a file's name, which need not be UTF-8.
  const auto replace = nlohmann::ordered_json::error_handler_t::replace;
  replace_file(folder / kSummaryFile, json.dump(2, ' ', false, replace) + "\n");
}

CorpusSummary read_summary(const fs::path& folder) {
  const fs::path file = folder / kSummaryFile;
  std::error_code ignored;
  require(fs::exists(file, ignored), "there is no finished corpus in ", folder.string(),
          ": it has no ", kSummaryFile, "; write the corpus again");
  try {
    const nlohmann::json json = nlohmann::json::parse(read_file(file));
    CorpusSummary summary;
    summary.description = json.at("description");
    summary.vocabulary = json.at("vocabulary");
    summary.validation_fraction = json.at("validation_fraction");
    summary.seed = json.at("seed");
    summary.training = split_from_json(json.at("training"));
    summary.validation = split_from_json(json.at("validation"));
    summary.checksum = json.at("checksum");
    return summary;
  } catch (const nlohmann::json::exception& error) {
    throw Error(text(file.string(), " is damaged (", error.what(), "); write the corpus again"));
  }
}

}  // namespace

CorpusSummary write_corpus(DocumentSource& source, const TextEncoder& encode, int vocabulary,
                           const fs::path& folder, const CorpusOptions& options) {
  require(vocabulary > kDocumentStart && vocabulary <= kLargestVocabulary,
          "a corpus cannot have a vocabulary of ", vocabulary, " tokens; choose ",
          kDocumentStart + 1, " to ", kLargestVocabulary);
  require(options.validation_fraction > 0 && options.validation_fraction < 1,
          "the validation fraction must be above 0 and below 1, not ", options.validation_fraction);
  begin_folder(folder);

  std::vector<Measured> documents = measure(source, options.seed);
  const std::int64_t bytes = total_bytes(documents);
  const std::vector<std::uint64_t> chosen =
      choose_validation(std::move(documents), options.validation_fraction);

  SplitWriter training(folder, kTraining, options.tokens_per_shard);
  SplitWriter validation(folder, kValidation, options.tokens_per_shard);
  std::vector<int> tokens;
  std::int64_t done = 0;
  source.rewind();
  for (std::string document; source.next(&document);) {
    tokens.assign(1, kDocumentStart);
    encode(document, &tokens);
    check_tokens(tokens, vocabulary);
    const bool is_validation =
        std::binary_search(chosen.begin(), chosen.end(), hash_of(document, options.seed));
    (is_validation ? validation : training).add(tokens, document.size());
    done += static_cast<std::int64_t>(document.size());
    if (options.progress) options.progress(done, bytes);
  }
  require(done == bytes, "the text (", source.description(), ") changed while it was read: ", bytes,
          " bytes, then ", done, "; run it again when nothing writes to it");
  training.close();
  validation.close();

  CorpusSummary summary;
  summary.description = source.description();
  summary.vocabulary = vocabulary;
  summary.validation_fraction = options.validation_fraction;
  summary.seed = options.seed;
  summary.training = training.summary();
  summary.validation = validation.summary();
  summary.checksum = combined(training.checksum(), validation.checksum());
  write_summary(summary, folder);
  return summary;
}

Corpus::Corpus(const fs::path& folder)
    : folder_(folder),
      summary_(read_summary(folder)),
      training_(find_token_shards(folder, kTraining)),
      validation_(find_token_shards(folder, kValidation)) {
  require(training_.size() == summary_.training.tokens &&
              validation_.size() == summary_.validation.tokens,
          "the shards in ", folder.string(), " have ", training_.size(), " + ", validation_.size(),
          " tokens, but its ", kSummaryFile, " tells ", summary_.training.tokens, " + ",
          summary_.validation.tokens, "; write the corpus again");
}

void Corpus::verify() const {
  TokenChecksum training;
  TokenChecksum validation;
  training.add(training_);
  validation.add(validation_);
  require(combined(training, validation) == summary_.checksum, "the tokens in ", folder_.string(),
          " are not those that were written: their checksum is not ", summary_.checksum,
          "; write the corpus again");
}

}  // namespace andrea
