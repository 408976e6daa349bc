#include "trainer/run/batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"
#include "trainer/corpus/corpus.h"
#include "trainer/corpus/document_source.h"

namespace andrea {
namespace {

using Tokens = std::vector<int>;
using Rows = std::vector<Tokens>;

constexpr int kTokens = 1000;
constexpr int T = 7;

// Tokens 0 .. 999, each its own position.
class BatchesTest : public testing::Test {
 protected:
  BatchesTest() : shards_(write()) {}

  Batches batches(const BatchShape& shape, std::uint64_t seed = 1) const {
    return Batches(shards_, starts_, shape, T, seed);
  }

  const TokenShards& shards() const { return shards_; }

  // The rows that all accumulations and ranks of a step read, in order of their first token.
  Rows rows_of_step(const BatchShape& shape, std::int64_t step, std::uint64_t seed = 1) const {
    Rows rows;
    for (int rank = 0; rank < shape.world; ++rank) {
      Batches process = batches(shape, seed);
      for (int pass = 0; pass < shape.accumulations; ++pass) {
        const Batch& batch = process.read(step, pass, rank);
        for (int row = 0; row < shape.rows; ++row) {
          const auto first = batch.tokens.begin() + row * T;
          rows.emplace_back(first, first + T);
        }
      }
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  // Where windows may start; empty: anywhere.
  std::vector<std::int64_t> starts_;

 private:
  TokenShards write() const {
    Tokens tokens(kTokens);
    for (int i = 0; i < kTokens; ++i) tokens[static_cast<std::size_t>(i)] = i;
    TokenShardWriter writer(folder_.path(), "training", /*tokens_per_shard=*/300);
    writer.write(tokens);
    writer.close();
    return TokenShards(find_token_shards(folder_.path(), "training"));
  }

  const TestFolder folder_;
  const TokenShards shards_;
};

TEST_F(BatchesTest, TargetsAreTheTokensAfter) {
  Batches batches = this->batches({.rows = 3, .accumulations = 2});
  for (std::int64_t step = 1; step <= 100; ++step) {
    const Batch& batch = batches.read(step, static_cast<int>(step % 2));
    ASSERT_EQ(batch.tokens.size(), 3u * T);
    ASSERT_EQ(batch.targets.size(), 3u * T);
    for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
      EXPECT_EQ(batch.targets[i], batch.tokens[i] + 1);
      if (i % T > 0) {
        EXPECT_EQ(batch.tokens[i], batch.tokens[i - 1] + 1);
      }
    }
  }
}

// Whatever was read before, and by which object.
TEST_F(BatchesTest, AreAPureFunctionOfTheirPlace) {
  const BatchShape shape{.rows = 2, .accumulations = 3, .world = 2};
  Batches forwards = batches(shape);
  std::vector<Tokens> seen;
  for (std::int64_t step = 1; step <= 40; ++step) {
    for (int pass = 0; pass < 3; ++pass) {
      for (int rank = 0; rank < 2; ++rank) seen.push_back(forwards.read(step, pass, rank).tokens);
    }
  }
  Batches backwards = batches(shape);
  for (std::int64_t step = 40; step >= 1; --step) {
    for (int pass = 2; pass >= 0; --pass) {
      for (int rank = 1; rank >= 0; --rank) {
        EXPECT_EQ(backwards.read(step, pass, rank).tokens, seen.back());
        seen.pop_back();
      }
    }
  }
}

TEST_F(BatchesTest, AnotherSeedIsAnotherOrder) {
  const BatchShape shape{.rows = 8};
  EXPECT_EQ(rows_of_step(shape, 1, 5), rows_of_step(shape, 1, 5));
  EXPECT_NE(rows_of_step(shape, 1, 5), rows_of_step(shape, 1, 6));
  EXPECT_NE(rows_of_step(shape, 1), rows_of_step(shape, 2));
}

TEST_F(BatchesTest, AStepReadsTheSameRowsHoweverItIsDivided) {
  for (std::int64_t step : {1, 2, 17, 1000}) {
    const Rows whole = rows_of_step({.rows = 12}, step);
    ASSERT_EQ(whole.size(), 12u);
    EXPECT_EQ(rows_of_step({.rows = 3, .accumulations = 4}, step), whole);
    EXPECT_EQ(rows_of_step({.rows = 3, .accumulations = 1, .world = 4}, step), whole);
    EXPECT_EQ(rows_of_step({.rows = 2, .accumulations = 3, .world = 2}, step), whole);
  }
}

TEST_F(BatchesTest, AnEpochReadsNoWindowTwice) {
  // 142 windows fit, of which one may fall to the epoch's shift.
  Batches batches = this->batches({.rows = 1});
  Tokens starts;
  for (std::int64_t step = 1; step <= 141; ++step) {
    starts.push_back(batches.read(step, 0).tokens.front());
  }
  std::sort(starts.begin(), starts.end());
  EXPECT_EQ(std::adjacent_find(starts.begin(), starts.end()), starts.end());
  EXPECT_GE(starts.front(), 0);
  EXPECT_LE(starts.back(), kTokens - T - 1);
}

TEST_F(BatchesTest, WindowsBeginWhereTheyMay) {
  starts_ = {0, 10, 23, 500, 992};
  Batches batches = this->batches({.rows = 1});
  for (int epoch = 0; epoch < 3; ++epoch) {
    Tokens seen;
    for (std::int64_t step = 1; step <= 5; ++step) {
      const Batch& batch = batches.read(5 * epoch + step, 0);
      seen.push_back(batch.tokens.front());
      EXPECT_EQ(batch.targets.back(), batch.tokens.front() + T);
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, (Tokens{0, 10, 23, 500, 992}));
  }
  EXPECT_EQ(rows_of_step({.rows = 2, .accumulations = 2}, 3), rows_of_step({.rows = 4}, 3));
}

TEST_F(BatchesTest, ATextShorterThanAWindowIsRefused) {
  const auto windows_of = [this](int length) { Batches batches(shards(), {}, {}, length, 1); };
  EXPECT_NO_THROW(windows_of(kTokens - 1));
  EXPECT_NE(message_of<Error>([&] { windows_of(kTokens); }), "");
}

// A source of documents of `length` bytes, all different.
class Documents : public DocumentSource {
 public:
  explicit Documents(std::size_t length) : length_(length) {}

  bool next(std::string* document) override {
    if (done_ == 50) return false;
    *document = std::string(length_, 'a');
    (*document)[0] = static_cast<char>(done_++);
    return true;
  }
  void rewind() override { done_ = 0; }
  std::string description() const override { return "test"; }

 private:
  std::size_t length_;
  int done_ = 0;
};

void encode_bytes(std::string_view text, std::vector<int>* ids) {
  for (const char c : text) ids->push_back(static_cast<unsigned char>(c));
}

TEST(WindowStarts, AreDocumentStartsWhereDocumentsAreShort) {
  const TestFolder folder;
  Documents source(4);  // 5 tokens with the document's start: one fits in 7, two do not
  write_corpus(source, encode_bytes, 257, folder.path());
  const Corpus corpus(folder.path());
  const std::vector<std::int64_t> starts = window_starts(corpus, T);
  EXPECT_GT(starts.size(), 40u);

  Batches batches(corpus.training(), starts, {.rows = 1}, T, 1);
  for (std::int64_t step = 1; step <= 100; ++step) {
    const Batch& batch = batches.read(step, 0);
    EXPECT_EQ(batch.tokens[0], kDocumentStart);
    EXPECT_EQ(batch.targets[4], kDocumentStart);  // and on into the next document
    EXPECT_EQ(batch.tokens[5], kDocumentStart);
  }
}

TEST(WindowStarts, AreAnywhereWhereDocumentsAreLong) {
  const TestFolder folder;
  Documents source(20);
  write_corpus(source, encode_bytes, 257, folder.path());
  EXPECT_TRUE(window_starts(Corpus(folder.path()), T).empty());
}

}  // namespace
}  // namespace andrea
