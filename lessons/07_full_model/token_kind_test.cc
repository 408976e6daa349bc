#include "lessons/07_full_model/token_kind.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace andrea {
namespace {

// The kind of each token of a text behind the one that begins it: f, o, r or s.
std::string kinds(const std::vector<std::pair<int, int>>& merges, const std::string& text) {
  const Tokenizer tokenizer(merges);
  std::vector<int> tokens = {Tokenizer::kBos};
  tokenizer.encode(text, &tokens);
  tokens.push_back(Tokenizer::kBos);
  std::string all;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    all += "fors"[static_cast<int>(token_kind(tokenizer, tokens, i))];
  }
  return all;
}

TEST(TokenKindTest, BytesAreLettersOfWordsOrSigns) {
  EXPECT_EQ(kinds({}, "The cat"), "frrsorrs");
  EXPECT_EQ(kinds({}, "a, b."), "fssoss");
  EXPECT_EQ(kinds({}, "3 m"), "ssos");
}

TEST(TokenKindTest, ATokenMayBeginWithASpace) {
  // " t", " th", " the"
  const std::vector<std::pair<int, int>> merges = {{' ', 't'}, {257, 'h'}, {258, 'e'}};
  EXPECT_EQ(kinds(merges, "in the"), "frfs");
  EXPECT_EQ(kinds(merges, "in then"), "frfrs");  // "then" is one of them too
  EXPECT_EQ(kinds(merges, "in thee"), "frors");
  EXPECT_EQ(kinds(merges, "in to,"), "frfrss");
}

TEST(TokenKindTest, OtherAlphabetsHaveWordsToo) { EXPECT_EQ(kinds({}, "\xc3\xa9 x"), "orsos"); }

}  // namespace
}  // namespace andrea
