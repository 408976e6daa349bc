#include "trainer/tokenizer/tokenizer_trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/random.h"
#include "trainer/tokenizer/pre_tokenizer.h"

namespace andrea {
namespace {

using Merges = std::vector<std::pair<int, int>>;

Merges trained(std::string_view text, int merges) {
  TokenizerTrainer trainer;
  trainer.add(text);
  return trainer.train(Tokenizer::kFirstMerge + merges).merges();
}

// The definition, with no regard to cost: count all pairs anew for every merge.
Merges train_by_definition(const std::vector<std::string>& documents, std::size_t merges) {
  std::vector<std::vector<int>> words;
  for (const std::string& document : documents) {
    PreTokenizer pieces(document);
    for (std::string_view piece; pieces.next(&piece);) {
      words.emplace_back();
      for (const char c : piece) words.back().push_back(static_cast<unsigned char>(c));
    }
  }
  std::vector<std::string> pieces;
  for (int byte = 0; byte < 256; ++byte) pieces.emplace_back(1, static_cast<char>(byte));
  pieces.emplace_back(Tokenizer::kBosText);

  Merges result;
  while (result.size() < merges) {
    std::map<std::pair<int, int>, std::int64_t> counts;
    for (const auto& word : words) {
      for (std::size_t i = 0; i + 1 < word.size(); ++i) ++counts[{word[i], word[i + 1]}];
    }
    std::pair<int, int> best{-1, -1};
    std::int64_t best_count = 1;
    for (const auto& [pair, count] : counts) {
      const std::string joined = pieces[pair.first] + pieces[pair.second];
      if (std::find(pieces.begin(), pieces.end(), joined) != pieces.end()) continue;
      const bool smaller =
          best.first >= 0 && std::pair(pieces[pair.first], pieces[pair.second]) <
                                 std::pair(pieces[best.first], pieces[best.second]);
      if (count > best_count || (count == best_count && smaller)) {
        best = pair;
        best_count = count;
      }
    }
    if (best.first < 0) break;
    result.push_back(best);
    const int id = static_cast<int>(pieces.size());
    pieces.push_back(pieces[best.first] + pieces[best.second]);
    for (auto& word : words) {
      for (std::size_t i = 0; i + 1 < word.size(); ++i) {
        if (word[i] != best.first || word[i + 1] != best.second) continue;
        word[i] = id;
        word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
  }
  return result;
}

TEST(TokenizerTrainer, MergesTheMostFrequentPairsFirst) {
  TokenizerTrainer trainer;
  trainer.add("the cat the hat");
  trainer.add("the mat");
  const Tokenizer tokenizer = trainer.train(259);
  // "at", "he" and "th" occur three times each, and "at" has the smallest bytes.
  EXPECT_EQ(tokenizer.merges(), (Merges{{'a', 't'}, {'h', 'e'}}));
  EXPECT_EQ(tokenizer.piece(257), "at");
  EXPECT_EQ(tokenizer.piece(258), "he");
}

TEST(TokenizerTrainer, TrainsAgainAfterMoreDocuments) {
  TokenizerTrainer trainer;
  trainer.add("ab ab");
  EXPECT_EQ(trainer.train(258).merges(), (Merges{{'a', 'b'}}));
  trainer.add("cd.cd.cd");
  EXPECT_EQ(trainer.train(258).merges(), (Merges{{'c', 'd'}}));
}

TEST(TokenizerTrainer, BreaksTiesByBytesNotByRemappedCharacters) {
  // In GPT-2's alphabet byte 0xa0 is U+0142 and byte 0xb0 is U+00B0: the order is reversed.
  EXPECT_EQ(trained("а.Р.а.Р", 2), (Merges{{0xd0, 0xa0}, {0xd0, 0xb0}}));
  EXPECT_EQ(trained("\xc3\xc3.\xa0\xa0.\xc3\xc3.\xa0\xa0", 1), (Merges{{0xa0, 0xa0}}));
  // So it is for a line feed, U+010A.
  EXPECT_EQ(trained("zz\n\n\nzz\n\n\n", 1), (Merges{{'\n', '\n'}}));
  EXPECT_EQ(trained("é.zz.é.zz", 2), (Merges{{'z', 'z'}, {0xc3, 0xa9}}));
}

TEST(TokenizerTrainer, BreaksTiesByTheRightPartWhenTheLeftPartsAreEqual) {
  EXPECT_EQ(trained("ac.ab.ac.ab", 2), (Merges{{'a', 'b'}, {'a', 'c'}}));
  EXPECT_EQ(trained("a\xc3\xa9.ab.a\xc3\xa9.ab", 1), (Merges{{'a', 'b'}}));
}

TEST(TokenizerTrainer, BreaksTiesByBytesNotByIds) {
  // After "zz" (257), "zzb" and "mn" tie; bytes decide which is next, not which id is older.
  EXPECT_EQ(trained("zz.zz.zz.zzb.zzb.mn.mn", 3), (Merges{{'z', 'z'}, {'m', 'n'}, {257, 'b'}}));
  EXPECT_EQ(trained("bb.bb.bb.bbz.bbz.mn.mn", 3), (Merges{{'b', 'b'}, {257, 'z'}, {'m', 'n'}}));
}

TEST(TokenizerTrainer, DoesNotDependOnTheOrderOfDocuments) {
  TokenizerTrainer forwards, backwards;
  const std::vector<std::string> documents = {"one two three", "two three", "four\n\nfive", "é é"};
  for (std::size_t i = 0; i < documents.size(); ++i) {
    forwards.add(documents[i]);
    backwards.add(documents[documents.size() - 1 - i]);
  }
  EXPECT_EQ(forwards.train(400).merges(), backwards.train(400).merges());
}

TEST(TokenizerTrainer, TrainsByTheDefinition) {
  Random random(21);
  const std::vector<std::string> alphabets = {"a", "ab", "abc ", "a\xff", "é😀 .", "ab\n \xc3\xa9"};
  for (int round = 0; round < 300; ++round) {
    const std::string& alphabet = alphabets[random.below(alphabets.size())];
    std::vector<std::string> documents(1 + random.below(4));
    TokenizerTrainer trainer;
    for (std::string& document : documents) {
      for (std::uint64_t i = random.below(120); i > 0; --i) {
        document += alphabet[random.below(alphabet.size())];
      }
      trainer.add(document);
    }
    ASSERT_EQ(trainer.train(257 + 40).merges(), train_by_definition(documents, 40))
        << documents.front();
  }
}

TEST(TokenizerTrainer, MakesNoBytesTwice) {
  // Both (ab, c) and (a, bc) come up, and whichever is second must be skipped.
  Random random(22);
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "abcc .\n"[random.below(7)];
  TokenizerTrainer trainer;
  trainer.add(text);
  const Tokenizer tokenizer = trainer.train(2000);
  std::set<std::string_view> pieces;
  for (int id = 0; id < tokenizer.vocabulary(); ++id) pieces.insert(tokenizer.piece(id));
  EXPECT_EQ(static_cast<int>(pieces.size()), tokenizer.vocabulary());
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
}

TEST(TokenizerTrainer, TrainsWhatThereIs) {
  EXPECT_EQ(trained("", 100), Merges{});
  EXPECT_EQ(trained("a", 100), Merges{});
  EXPECT_EQ(trained("aa", 100), Merges{}) << "a pair that occurs once";
  EXPECT_EQ(trained("aa aa", 100), (Merges{{'a', 'a'}}));
  EXPECT_EQ(trained("a b c d", 0), Merges{});
  EXPECT_EQ(trained("aaa", 100), (Merges{{'a', 'a'}}));
  EXPECT_EQ(TokenizerTrainer().train(8449).vocabulary(), 257);
}

TEST(TokenizerTrainer, StopsAtTheLongestPiece) {
  TokenizerTrainer trainer;
  trainer.add(std::string(100000, '-'));
  const Tokenizer tokenizer = trainer.train(8449);
  EXPECT_GE(tokenizer.vocabulary(), 257 + 10);
  std::size_t longest = 0;
  for (int id = 0; id < tokenizer.vocabulary(); ++id) {
    longest = std::max(longest, tokenizer.piece(id).size());
  }
  EXPECT_EQ(longest, Tokenizer::kMaximumPieceBytes);
}

TEST(TokenizerTrainer, RefusesImpossibleVocabularies) {
  const TokenizerTrainer trainer;
  EXPECT_EQ(trainer.train(257).vocabulary(), 257);
  EXPECT_EQ(trainer.train(65536).vocabulary(), 257);
  for (const int vocabulary : {-1, 0, 256, 65537}) {
    try {
      trainer.train(vocabulary);
      FAIL() << vocabulary;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(text("vocabulary of ", vocabulary)),
                std::string::npos);
    }
  }
}

}  // namespace
}  // namespace andrea
