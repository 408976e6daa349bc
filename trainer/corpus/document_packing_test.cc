#include "trainer/corpus/document_packing.h"

#include <gtest/gtest.h>

#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

// A sequence of documents of these lengths, start token included; token i is i but for the starts.
TokenShards documents(const TestFolder& folder, const std::vector<int>& lengths) {
  TokenShardWriter writer(folder.path(), "x", /*tokens_per_shard=*/11);
  int next = 0;
  for (const int length : lengths) {
    std::vector<int> tokens = {kDocumentStart};
    for (int i = 1; i < length; ++i) tokens.push_back(1000 + next + i);
    next += length;
    writer.write(tokens);
  }
  writer.close();
  return TokenShards(find_token_shards(folder.path(), "x"));
}

using Rows = std::vector<PackedRow>;

TEST(DocumentPacking, RowsHoldWholeDocuments) {
  const TestFolder folder;
  const TokenShards tokens = documents(folder, {3, 4, 2, 8, 1});
  EXPECT_EQ(pack_documents(tokens, 8), (Rows{{0, 7}, {7, 2}, {9, 8}, {17, 1}}));
  EXPECT_EQ(pack_documents(tokens, 100), (Rows{{0, 18}}));
}

TEST(DocumentPacking, LongDocumentsAreCutAndTheirRestIsFilledUp) {
  const TestFolder folder;
  const TokenShards tokens = documents(folder, {2, 11, 1, 1, 8, 3});
  EXPECT_EQ(pack_documents(tokens, 4), (Rows{{0, 2},   // The first document.
                                             {2, 4},   // The second,
                                             {6, 4},   // its middle,
                                             {10, 4},  // its rest 10 11 12 and the third;
                                             {14, 1},  // the fourth: the fifth does not fit.
                                             {15, 4},
                                             {19, 4},
                                             {23, 3}}));
  EXPECT_EQ(pack_documents(tokens, 1).size(), 26u);
}

TEST(DocumentPacking, EveryTokenAndEveryEndIsATargetOnce) {
  const TestFolder folder;
  const std::vector<int> lengths = {5, 1, 1, 17, 2, 2, 9, 40, 3, 1};
  const TokenShards tokens = documents(folder, lengths);
  std::vector<int> all(tokens.size());
  tokens.read(0, tokens.size(), all.data());
  for (int T = 1; T < 90; ++T) {
    std::vector<int> inputs_seen;
    std::vector<int> targets_seen;
    std::vector<int> inputs(T);
    std::vector<int> targets(T);
    for (const PackedRow& row : pack_documents(tokens, T)) {
      inputs.assign(T, -5);
      targets.assign(T, -5);
      read_row(tokens, row, T, inputs.data(), targets.data());
      for (int t = 0; t < T; ++t) {
        if (t >= row.length) {
          EXPECT_EQ(inputs[t], kDocumentStart);
          EXPECT_EQ(targets[t], -1);
          continue;
        }
        inputs_seen.push_back(inputs[t]);
        targets_seen.push_back(targets[t]);
      }
    }
    EXPECT_EQ(inputs_seen, all);
    std::vector<int> expected(all.begin() + 1, all.end());
    expected.push_back(kDocumentStart);
    EXPECT_EQ(targets_seen, expected);
  }
}

TEST(DocumentPacking, RowsBeginWithADocumentUnlessItIsLongerThanARow) {
  const TestFolder folder;
  const TokenShards tokens = documents(folder, {5, 1, 1, 17, 2, 2, 9, 3, 1});
  for (int T = 17; T < 50; ++T) {
    for (const PackedRow& row : pack_documents(tokens, T)) {
      int first = 0;
      tokens.read(row.start, 1, &first);
      EXPECT_EQ(first, kDocumentStart);
    }
  }
}

TEST(DocumentPacking, ChoosesEvenly) {
  Rows rows;
  for (int i = 0; i < 10; ++i) rows.push_back({i, 1});
  EXPECT_EQ(choose_evenly(rows, 3), (Rows{{0, 1}, {3, 1}, {6, 1}}));
  EXPECT_EQ(choose_evenly(rows, 10), rows);
  EXPECT_EQ(choose_evenly(rows, 99), rows);
  EXPECT_EQ(choose_evenly(rows, 0), Rows());
}

TEST(DocumentPacking, ReadsLongSequencesAndRefusesNonsense) {
  const TestFolder folder;
  TokenShardWriter writer(folder.path(), "x");
  for (int i = 0; i < 2000; ++i) {
    std::vector<int> tokens(100, 7);
    tokens[0] = kDocumentStart;
    writer.write(tokens);
  }
  writer.close();
  const TokenShards tokens(find_token_shards(folder.path(), "x"));
  const Rows rows = pack_documents(tokens, 250);
  EXPECT_EQ(rows.size(), 1000u);
  EXPECT_EQ(rows.back(), (PackedRow{199'800, 200}));
  EXPECT_THROW(pack_documents(tokens, 0), Error);
  int out[4];
  EXPECT_THROW(read_row(tokens, {0, 5}, 4, out, out), Error);
}

TEST(DocumentPacking, AnEmptySequenceHasNoRows) {
  const TestFolder folder;
  EXPECT_EQ(pack_documents(documents(folder, {}), 8), Rows());
}

}  // namespace
}  // namespace andrea
