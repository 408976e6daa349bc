#include "trainer/tokenizer/tokenizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/random.h"
#include "trainer/tokenizer/pre_tokenizer.h"

namespace andrea {
namespace {

using Ids = std::vector<int>;
using Merges = std::vector<std::pair<int, int>>;

std::string error_of(const Merges& merges) {
  try {
    Tokenizer tokenizer(merges);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// The definition, with no regard to cost: in each piece, apply each merge in order of rank wherever
// its pair stands, from left to right.
Ids encode_by_definition(const Tokenizer& tokenizer, std::string_view text) {
  Ids all;
  PreTokenizer pieces(text);
  for (std::string_view piece; pieces.next(&piece);) {
    Ids ids;
    for (const char c : piece) ids.push_back(static_cast<unsigned char>(c));
    int merged = Tokenizer::kFirstMerge;
    for (const auto& [left, right] : tokenizer.merges()) {
      for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
        if (ids[i] != left || ids[i + 1] != right) continue;
        ids[i] = merged;
        ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
      ++merged;
    }
    all.insert(all.end(), ids.begin(), ids.end());
  }
  return all;
}

// Merges of random earlier tokens, over letters few enough to meet in random text.
Tokenizer random_tokenizer(Random* random, const std::string& letters, int merges) {
  Merges chosen;
  std::vector<int> ids(letters.begin(), letters.end());
  for (int& id : ids) id &= 0xff;
  while (merges-- > 0) {
    chosen.emplace_back(ids[random->below(ids.size())], ids[random->below(ids.size())]);
    if (error_of(chosen) != "no error") {
      chosen.pop_back();
    } else {
      ids.push_back(Tokenizer::kFirstMerge + static_cast<int>(chosen.size()) - 1);
    }
  }
  return Tokenizer(chosen);
}

TEST(Tokenizer, EncodesAndDecodes) {
  const Tokenizer tokenizer({{'t', 'h'}, {257, 'e'}, {' ', 258}});  // "th", "the", " the"
  EXPECT_EQ(tokenizer.vocabulary(), 260);
  EXPECT_EQ(tokenizer.piece('t'), "t");
  EXPECT_EQ(tokenizer.piece(Tokenizer::kBos), "");
  EXPECT_EQ(tokenizer.piece(259), " the");
  EXPECT_EQ(tokenizer.encode("the thaw, the"), (Ids{258, ' ', 257, 'a', 'w', ',', 259}));
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("the thaw, the")), "the thaw, the");

  Ids ids = {Tokenizer::kBos};
  tokenizer.encode("the", &ids);
  EXPECT_EQ(ids, (Ids{Tokenizer::kBos, 258})) << "encode appends";
}

TEST(Tokenizer, WithoutMergesSpellsBytes) {
  const Tokenizer tokenizer({});
  EXPECT_EQ(tokenizer.vocabulary(), 257);
  EXPECT_EQ(tokenizer.encode(""), Ids{});
  EXPECT_EQ(tokenizer.encode("é"), (Ids{0xc3, 0xa9}));
}

TEST(Tokenizer, MergesEqualNeighboursFromTheLeft) {
  const Tokenizer tokenizer({{'a', 'a'}, {257, 257}});
  EXPECT_EQ(tokenizer.encode("a"), Ids{'a'});
  EXPECT_EQ(tokenizer.encode("aa"), Ids{257});
  EXPECT_EQ(tokenizer.encode("aaa"), (Ids{257, 'a'}));
  EXPECT_EQ(tokenizer.encode("aaaaaaa"), (Ids{258, 257, 'a'}));
}

TEST(Tokenizer, AppliesTheEarlierMergeFirst) {
  // "abc" is a token, but "bc" is merged before "ab" can be.
  const Tokenizer tokenizer({{'b', 'c'}, {'a', 'b'}, {258, 'c'}});
  EXPECT_EQ(tokenizer.piece(259), "abc");
  EXPECT_EQ(tokenizer.encode("abc"), (Ids{'a', 257}));
}

TEST(Tokenizer, DoesNotMergeAcrossPieces) {
  const Tokenizer tokenizer({{'a', ' '}, {'a', '.'}});
  EXPECT_EQ(tokenizer.encode("a a."), (Ids{'a', ' ', 'a', '.'}));
}

TEST(Tokenizer, NeverYieldsBosForTextThatSpellsIt) {
  const Tokenizer tokenizer({{'<', '|'}, {'|', '>'}});
  const std::string text = "a<|endoftext|>b";
  const Ids ids = tokenizer.encode(text);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), Tokenizer::kBos), 0);
  EXPECT_EQ(tokenizer.decode(ids), text);
}

TEST(Tokenizer, DecodesBosToNothing) {
  const Tokenizer tokenizer({});
  EXPECT_EQ(tokenizer.decode(Ids{Tokenizer::kBos, 'a', Tokenizer::kBos}), "a");
}

TEST(Tokenizer, DecodesBytesThatAreNoText) {
  EXPECT_EQ(Tokenizer({}).decode(Ids{0xff, 0xe2}), "\xff\xe2");
}

TEST(Tokenizer, EncodesByTheDefinition) {
  Random random(11);
  for (int round = 0; round < 30; ++round) {
    const std::string letters = round % 2 == 0 ? "ab" : "abc \xff\xc3\xa9";
    const Tokenizer tokenizer = random_tokenizer(&random, letters, 40);
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::string text;
      for (std::uint64_t i = random.below(60); i > 0; --i) {
        text += letters[random.below(letters.size())];
      }
      ASSERT_EQ(tokenizer.encode(text), encode_by_definition(tokenizer, text)) << text;
    }
  }
}

TEST(Tokenizer, GivesEveryByteStringBack) {
  Random random(12);
  const Tokenizer tokenizer = random_tokenizer(&random, "ab \n\xd9\x85\xf0\x9f\xff", 200);
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte) all_bytes += static_cast<char>(byte);
  std::vector<std::string> texts = {"",          "a",       "aa",     "a  b",         "\n\n x",
                                    "trailing ", "it's",    "hi 😀!",  "مَرْحَبًا",        "a\u00a0b",
                                    "\xff\xe2",  all_bytes, "\r\n\t", "<|endoftext|>"};
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    for (std::uint64_t i = random.below(100); i > 0; --i) {
      bytes += static_cast<char>(random.below(256));
    }
    texts.push_back(bytes);
  }
  for (const std::string& text : texts) EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
}

TEST(Tokenizer, EncodesOneLongPieceInLittleTime) {
  // With a step for each pair of bytes this would run for hours.
  const Tokenizer tokenizer({{'a', 'a'}, {257, 257}, {258, 258}, {'b', 'b'}});
  EXPECT_EQ(tokenizer.encode(std::string(1 << 20, 'a')), Ids(1 << 17, 259));
}

TEST(Tokenizer, EncodesInSeveralThreadsAtOnce) {
  Random random(13);
  const Tokenizer tokenizer = random_tokenizer(&random, "abc ", 100);
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "abc "[random.below(4)];
  const Ids expected = tokenizer.encode(text);
  std::vector<Ids> results(4);
  std::vector<std::thread> threads;
  for (Ids& result : results) threads.emplace_back([&] { tokenizer.encode(text, &result); });
  for (std::thread& thread : threads) thread.join();
  for (const Ids& result : results) EXPECT_EQ(result, expected);
}

TEST(Tokenizer, OutlivesTheOneItWasCopiedFrom) {
  auto original = std::make_unique<Tokenizer>(Merges{{'t', 'h'}, {257, 'e'}});
  const Tokenizer copy = *original;
  original.reset();
  EXPECT_EQ(copy.encode("then"), (Ids{258, 'n'}));
}

TEST(Tokenizer, RefusesIdsOutsideTheVocabulary) {
  const Tokenizer tokenizer({{'a', 'b'}});
  for (const int id : {-1, 258, 1 << 30}) {
    try {
      tokenizer.decode(Ids{'a', id});
      FAIL() << id;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(text("token id ", id, " ")), std::string::npos) << message;
      EXPECT_NE(message.find("258 tokens"), std::string::npos) << message;
    }
  }
}

TEST(Tokenizer, RefusesMergesThatAreNone) {
  EXPECT_EQ(error_of({{'a', 'b'}, {257, 'c'}}), "no error");
  EXPECT_NE(error_of({{'a', 257}}).find("merge 0 (97, 257)"), std::string::npos);
  EXPECT_NE(error_of({{-1, 'a'}}).find("earlier"), std::string::npos);
  EXPECT_NE(error_of({{'a', Tokenizer::kBos}}).find("earlier"), std::string::npos);
  EXPECT_NE(error_of({{'a', 'b'}, {'a', 'b'}}).find("already"), std::string::npos);
  EXPECT_NE(error_of({{'a', 'b'}, {'b', 'c'}, {'a', 258}, {257, 'c'}}).find("already"),
            std::string::npos);
}

TEST(Tokenizer, RefusesATokenSpeltAsBos) {
  Merges merges = {{'<', '|'}};
  for (const char c : Tokenizer::kBosText.substr(2)) {
    merges.emplace_back(Tokenizer::kFirstMerge + static_cast<int>(merges.size()) - 1, c);
  }
  EXPECT_NE(error_of(merges).find("already"), std::string::npos);
  merges.pop_back();
  EXPECT_EQ(error_of(merges), "no error");
}

TEST(Tokenizer, RefusesMoreThanItsLimits) {
  Merges doubling = {{'a', 'a'}};
  while (doubling.size() < 10) {
    const int last = Tokenizer::kFirstMerge + static_cast<int>(doubling.size()) - 1;
    doubling.emplace_back(last, last);
  }
  EXPECT_EQ(error_of(doubling), "no error");  // 1,024 bytes
  doubling.emplace_back(266, 'a');
  EXPECT_NE(error_of(doubling).find("1025 bytes"), std::string::npos);

  EXPECT_NE(error_of(Merges(65536 - 257 + 1, {'a', 'b'})).find("65280 merges"), std::string::npos);
}

}  // namespace
}  // namespace andrea
