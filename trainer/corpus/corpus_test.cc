#include "trainer/corpus/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"
#include "trainer/corpus/document_packing.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

class ListSource : public DocumentSource {
 public:
  explicit ListSource(std::vector<std::string> documents) : documents_(std::move(documents)) {}

  bool next(std::string* document) override {
    if (next_ == documents_.size()) return false;
    *document = documents_[next_++];
    return true;
  }
  void rewind() override { next_ = 0; }
  std::string description() const override { return "a list"; }

 private:
  std::vector<std::string> documents_;
  std::size_t next_ = 0;
};

// A token a byte.
void encode_bytes(std::string_view text, std::vector<int>* ids) {
  for (const unsigned char byte : text) ids->push_back(byte);
}

std::vector<std::string> decode(const TokenShards& shards) {
  std::vector<int> tokens(shards.size());
  shards.read(0, shards.size(), tokens.data());
  std::vector<std::string> documents;
  for (const int token : tokens) {
    if (token == kDocumentStart) {
      documents.emplace_back();
    } else {
      documents.back() += static_cast<char>(token);
    }
  }
  return documents;
}

std::vector<std::string> numbered_documents(int count) {
  std::vector<std::string> documents;
  for (int i = 0; i < count; ++i) documents.push_back("document " + std::to_string(i));
  return documents;
}

TEST(Corpus, WritesAndReads) {
  const TestFolder folder;
  ListSource source(numbered_documents(200));
  const CorpusSummary summary = write_corpus(source, encode_bytes, 257, folder.path() / "new/c");

  const Corpus corpus(folder.path() / "new/c");
  corpus.verify();
  EXPECT_EQ(corpus.summary(), summary);
  EXPECT_EQ(summary.description, "a list");
  EXPECT_EQ(summary.vocabulary, 257);
  EXPECT_EQ(summary.training.documents + summary.validation.documents, 200);
  EXPECT_EQ(summary.validation.tokens, summary.validation.bytes + summary.validation.documents);
  EXPECT_EQ(corpus.validation().size(), summary.validation.tokens);

  // Training keeps the order of the source; both parts together have every document once.
  std::vector<std::string> expected = numbered_documents(200);
  std::vector<std::string> training = decode(corpus.training());
  std::vector<std::string> validation = decode(corpus.validation());
  std::vector<std::string> kept;
  for (const std::string& document : expected) {
    if (std::count(validation.begin(), validation.end(), document) == 0) kept.push_back(document);
  }
  EXPECT_EQ(training, kept);
  EXPECT_EQ(training.size() + validation.size(), 200u);
  EXPECT_GE(summary.validation.bytes, (summary.training.bytes + summary.validation.bytes) / 20);
  EXPECT_LE(validation.size(), 12u);
}

TEST(Corpus, NoValidationDocumentOccursInTraining) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TestFolder folder;
    std::vector<std::string> documents;
    for (int i = 0; i < 300; ++i) documents.push_back("document " + std::to_string(i * i % 59));
    ListSource source(documents);
    CorpusOptions options;
    options.seed = seed;
    options.validation_fraction = 0.3;
    write_corpus(source, encode_bytes, 257, folder.path(), options);
    const Corpus corpus(folder.path());
    const auto training = decode(corpus.training());
    const auto validation = decode(corpus.validation());
    const std::set<std::string> trained(training.begin(), training.end());
    for (const std::string& document : validation) EXPECT_FALSE(trained.contains(document));
    EXPECT_EQ(training.size() + validation.size(), 300u);
    EXPECT_GT(validation.size(), 60u);
    EXPECT_LT(validation.size(), 190u);
  }
}

TEST(Corpus, DependsOnTheSeedAndNotOnTheShards) {
  const TestFolder folder;
  ListSource source(numbered_documents(100));
  CorpusOptions options;
  options.tokens_per_shard = 13;
  const CorpusSummary small = write_corpus(source, encode_bytes, 300, folder.path() / "a", options);
  const CorpusSummary large = write_corpus(source, encode_bytes, 300, folder.path() / "b");
  options.seed = 1;
  const CorpusSummary other = write_corpus(source, encode_bytes, 300, folder.path() / "c", options);
  EXPECT_EQ(small, large);
  EXPECT_NE(small.checksum, other.checksum);
  EXPECT_EQ(decode(Corpus(folder.path() / "a").training()),
            decode(Corpus(folder.path() / "b").training()));
}

TEST(Corpus, EachPartHasADocument) {
  const TestFolder folder;
  for (const double fraction : {0.0001, 0.05, 0.5, 0.9999}) {
    for (const int count : {2, 3, 5}) {
      ListSource source(numbered_documents(count));
      CorpusOptions options;
      options.validation_fraction = fraction;
      const fs::path path = folder.path() / (std::to_string(count) + std::to_string(fraction));
      const CorpusSummary summary = write_corpus(source, encode_bytes, 257, path, options);
      EXPECT_GE(summary.training.documents, 1);
      EXPECT_GE(summary.validation.documents, 1);
    }
  }
}

TEST(Corpus, ALongDocumentDoesNotBecomeTheValidationPart) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TestFolder folder;
    std::vector<std::string> documents = numbered_documents(30);
    documents.push_back(std::string(10'000, 'x'));
    ListSource source(documents);
    CorpusOptions options;
    options.seed = seed;
    EXPECT_LT(write_corpus(source, encode_bytes, 257, folder.path(), options).validation.bytes,
              1100);
  }
}

TEST(Corpus, RefusesTextThatCannotBeDivided) {
  const TestFolder folder;
  const auto message = [&](std::vector<std::string> documents) {
    ListSource source(std::move(documents));
    return message_of<Error>([&] { write_corpus(source, encode_bytes, 257, folder.path()); });
  };
  EXPECT_EQ(message({"all in one"}),
            "the whole text is one document, so none can be put aside for validation; give more "
            "text, or divide it by --documents paragraph or --documents line");
  EXPECT_NE(message({"the same", "the same"}).find("are equal"), std::string::npos);
  EXPECT_NE(message({}).find("no documents"), std::string::npos);
}

TEST(Corpus, RefusesBadOptionsAndTokens) {
  const TestFolder folder;
  ListSource source(numbered_documents(10));
  for (const double fraction : {0.0, 1.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    CorpusOptions options;
    options.validation_fraction = fraction;
    EXPECT_THROW(write_corpus(source, encode_bytes, 257, folder.path(), options), Error);
  }
  EXPECT_THROW(write_corpus(source, encode_bytes, 256, folder.path()), Error);
  EXPECT_THROW(write_corpus(source, encode_bytes, 65537, folder.path()), Error);
  for (const int token : {-1, 256, 300}) {
    const auto encode = [token](std::string_view, std::vector<int>* ids) { ids->push_back(token); };
    EXPECT_THROW(write_corpus(source, encode, 300, folder.path()), Error);
  }
  EXPECT_THROW(write_corpus(source, encode_bytes, 257, folder.write("file", "") + "/below"), Error);
}

TEST(Corpus, AnUnfinishedCorpusIsRefusedAndWrittenAnew) {
  const TestFolder folder;
  ListSource source(numbered_documents(100));
  int calls = 0;
  CorpusOptions options;
  options.tokens_per_shard = 10;
  options.progress = [&](std::int64_t done, std::int64_t total) {
    EXPECT_LE(done, total);
    if (++calls == 50) throw std::runtime_error("interrupted");
  };
  EXPECT_THROW(write_corpus(source, encode_bytes, 257, folder.path(), options), std::runtime_error);
  EXPECT_NE(message_of<Error>([&] { Corpus corpus(folder.path()); }).find("no finished corpus"),
            std::string::npos);

  const CorpusSummary summary = write_corpus(source, encode_bytes, 257, folder.path());
  EXPECT_EQ(Corpus(folder.path()).training().size(), summary.training.tokens);
  EXPECT_FALSE(fs::exists(folder.path() / "training_000001.bin"));
  EXPECT_NE(message_of<Error>([&] {
              write_corpus(source, encode_bytes, 257, folder.path());
            }).find("holds a corpus already"),
            std::string::npos);
}

TEST(Corpus, RefusesDamage) {
  const TestFolder folder;
  ListSource source(numbered_documents(100));
  write_corpus(source, encode_bytes, 257, folder.path());
  const fs::path shard = folder.path() / "training_000000.bin";
  const std::string contents = read_file(shard);
  std::string changed = contents;
  changed[1024 + 20] ^= 1;
  write_file(shard, changed);
  EXPECT_NE(message_of<Error>([&] { Corpus(folder.path()).verify(); }).find("checksum"),
            std::string::npos);
  write_file(shard, contents.substr(0, contents.size() - 2));
  EXPECT_THROW(Corpus(folder.path()).verify(), Error);
  write_file(shard, read_file(folder.path() / "validation_000000.bin"));
  EXPECT_THROW(Corpus(folder.path()).verify(), Error);
  fs::remove(shard);
  EXPECT_THROW(Corpus(folder.path()).verify(), Error);
  write_file(shard, contents);
  EXPECT_NO_THROW(Corpus(folder.path()).verify());
  for (const char* summary : {"", "{}", "[]", "{\"description\": 3}"}) {
    write_file(folder.path() / "corpus.json", summary);
    EXPECT_NE(message_of<Error>([&] { Corpus corpus(folder.path()); }).find("is damaged"),
              std::string::npos);
  }
}

TEST(Corpus, NoticesATextThatChanges) {
  class Growing : public ListSource {
   public:
    using ListSource::ListSource;
    bool next(std::string* document) override {
      if (!ListSource::next(document)) return false;
      *document += std::string(passes_, '!');
      return true;
    }
    void rewind() override {
      ++passes_;
      ListSource::rewind();
    }

   private:
    int passes_ = 0;
  };
  const TestFolder folder;
  Growing source(numbered_documents(10));
  EXPECT_NE(message_of<Error>([&] {
              write_corpus(source, encode_bytes, 257, folder.path());
            }).find("changed while it was read"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder.path() / "corpus.json"));
}

TEST(Corpus, ValidationRowsCountEveryDocumentsEnd) {
  const TestFolder folder;
  ListSource source(numbered_documents(400));
  write_corpus(source, encode_bytes, 257, folder.path());
  const Corpus corpus(folder.path());
  std::int64_t targets = 0;
  for (const PackedRow& row : pack_documents(corpus.validation(), 32)) targets += row.length;
  const SplitSummary& validation = corpus.summary().validation;
  EXPECT_EQ(targets, validation.bytes + validation.documents);
}

}  // namespace
}  // namespace andrea
