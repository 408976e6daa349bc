#include "trainer/tokenizer/pre_tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "trainer/base/random.h"

namespace andrea {
namespace {

using Pieces = std::vector<std::string>;

Pieces pieces_of(std::string_view text) {
  PreTokenizer pre_tokenizer(text);
  Pieces pieces;
  for (std::string_view piece; pre_tokenizer.next(&piece);) pieces.emplace_back(piece);
  return pieces;
}

std::string joined(const Pieces& pieces) {
  std::string whole;
  for (const std::string& piece : pieces) whole += piece;
  return whole;
}

TEST(PreTokenizer, CutsTextAsGpt2Does) {
  EXPECT_EQ(pieces_of("I've  seen 42 cats!"),
            (Pieces{"I", "'ve", " ", " seen", " 42", " cats", "!"}));
}

TEST(PreTokenizer, CutsNothingIntoNothing) {
  EXPECT_EQ(pieces_of(""), Pieces{});
  EXPECT_EQ(pieces_of("a"), Pieces{"a"});
  EXPECT_EQ(pieces_of(" "), Pieces{" "});
}

TEST(PreTokenizer, GivesTheLastSpaceOfARunToTheWordAfterIt) {
  EXPECT_EQ(pieces_of("a  b"), (Pieces{"a", " ", " b"}));
  EXPECT_EQ(pieces_of("a   b"), (Pieces{"a", "  ", " b"}));
  EXPECT_EQ(pieces_of("\n\n x"), (Pieces{"\n\n", " x"}));
  EXPECT_EQ(pieces_of("a\n\nb"), (Pieces{"a", "\n", "\n", "b"}));
  EXPECT_EQ(pieces_of("a\tb"), (Pieces{"a", "\t", "b"}));
  EXPECT_EQ(pieces_of("trailing  "), (Pieces{"trailing", "  "}));
}

TEST(PreTokenizer, KnowsSevenContractionsInLowerCaseOnly) {
  EXPECT_EQ(pieces_of("it's can't we're I've I'm she'll he'd"),
            (Pieces{"it", "'s", " can", "'t", " we", "'re", " I", "'ve", " I", "'m", " she", "'ll",
                    " he", "'d"}));
  EXPECT_EQ(pieces_of("IT'S 'so 'x"), (Pieces{"IT", "'", "S", " '", "so", " '", "x"}));
}

TEST(PreTokenizer, UsesTheClassesOfUnicode) {
  EXPECT_EQ(pieces_of("naïve Größe"), (Pieces{"naïve", " Größe"}));
  EXPECT_EQ(pieces_of("سلام ٤٢"), (Pieces{"سلام", " ٤٢"}));
  EXPECT_EQ(pieces_of("x²½Ⅷ"), (Pieces{"x", "²½Ⅷ"}));
  EXPECT_EQ(pieces_of("hi 😀😀"), (Pieces{"hi", " 😀😀"}));
  EXPECT_EQ(pieces_of("a\u00a0b"), (Pieces{"a", "\u00a0", "b"})) << "a no-break space is space";
  EXPECT_EQ(pieces_of("a\u0085\u3000b"), (Pieces{"a", "\u0085", "\u3000", "b"}));
  EXPECT_EQ(pieces_of("a\u180e!"), (Pieces{"a", "\u180e!"})) << "no space since Unicode 6.3";
}

TEST(PreTokenizer, CutsAWordAtEachVowelSign) {
  // Combining marks are no letters to this expression.
  EXPECT_EQ(pieces_of("بِسْمِ"), (Pieces{"ب", "ِ", "س", "ْ", "م", "ِ"}));
}

TEST(PreTokenizer, MakesAPieceOfEachRunOfInvalidBytes) {
  EXPECT_EQ(pieces_of("\xff\xe2"), Pieces{"\xff\xe2"});
  EXPECT_EQ(pieces_of("ab\xff\xfe c"), (Pieces{"ab", "\xff\xfe", " c"}));
  EXPECT_EQ(pieces_of("a \xc3"), (Pieces{"a", " ", "\xc3"}));
  EXPECT_EQ(pieces_of("\xed\xa0\x80z"), (Pieces{"\xed\xa0\x80", "z"}));
  EXPECT_EQ(pieces_of("a  \xff  b"), (Pieces{"a", "  ", "\xff", " ", " b"}));
}

TEST(PreTokenizer, LosesNoByteOfAnyText) {
  const std::vector<std::string> parts = {"a",  "B",  "'",      "'s",   " ",    "  ",
                                          "\n", "\t", "7",      "-",    "é",    "م",
                                          "ِ",   "😀",  "\u00a0", "\xff", "\xe2", "\x80"};
  Random random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::uint64_t i = random.below(20); i > 0; --i) {
      text += random.below(4) == 0 ? std::string(1, static_cast<char>(random.below(256)))
                                   : parts[random.below(parts.size())];
    }
    const Pieces pieces = pieces_of(text);
    ASSERT_EQ(joined(pieces), text);
    for (const std::string& piece : pieces) ASSERT_FALSE(piece.empty());
  }
}

TEST(PreTokenizer, TakesRunsOfAnyLength) {
  const std::size_t length = 1 << 20;
  EXPECT_EQ(pieces_of(std::string(length, 'a')).size(), 1u);
  EXPECT_EQ(pieces_of(std::string(length, '-')).size(), 1u);
  EXPECT_EQ(pieces_of(std::string(length, ' ') + "x").size(), 2u);
  EXPECT_EQ(pieces_of(std::string(length, '\xff')).size(), 1u);
}

}  // namespace
}  // namespace andrea
