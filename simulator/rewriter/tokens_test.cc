#include "simulator/rewriter/tokens.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace simulator {
namespace {

std::string joined(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) text += token.text;
  return text;
}

// The significant tokens, and a check that no byte is lost.
std::vector<std::string> significant(std::string_view source) {
  const std::vector<Token> tokens = tokenize(source);
  EXPECT_EQ(joined(tokens), source);
  std::vector<std::string> texts;
  for (const Token& token : tokens) {
    if (token.is_significant()) texts.emplace_back(token.text);
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(TokensTest, AnglesOfLaunchesAndTemplates) {
  EXPECT_EQ(significant("k<<<1,1>>>()"), (Texts{"k", "<<<", "1", ",", "1", ">>>", "(", ")"}));
  EXPECT_EQ(significant("k<A<int>><<<b"), (Texts{"k", "<", "A", "<", "int", ">>", "<<<", "b"}));
  EXPECT_EQ(significant("k<<<1, v<int>>>>()"),
            (Texts{"k", "<<<", "1", ",", "v", "<", "int", ">>>", ">", "(", ")"}));
  EXPECT_EQ(significant("a<<=b>>=c<=d>=e<=>f"),
            (Texts{"a", "<<=", "b", ">>=", "c", "<=", "d", ">=", "e", "<=>", "f"}));
  EXPECT_EQ(significant("k<< <1>> >"), (Texts{"k", "<<", "<", "1", ">>", ">"}));
  EXPECT_EQ(significant("p->q a-- >b"), (Texts{"p", "->", "q", "a", "--", ">", "b"}));
}

TEST(TokensTest, Numbers) {
  EXPECT_EQ(significant("1'000 0x1p-3f 1e+5 .5f 1..2 0b1'0"),
            (Texts{"1'000", "0x1p-3f", "1e+5", ".5f", "1..2", "0b1'0"}));
  EXPECT_EQ(significant("1'000,'<'"), (Texts{"1'000", ",", "'<'"}));
}

TEST(TokensTest, Strings) {
  EXPECT_EQ(significant(R"x("a\"b" u8"c" L'\'' "12"_km)x"),
            (Texts{R"x("a\"b")x", "u8\"c\"", R"x(L'\'')x", "\"12\"_km"}));
  EXPECT_EQ(significant("R\"(a\"b\n<<<)\" x"), (Texts{"R\"(a\"b\n<<<)\"", "x"}));
  EXPECT_EQ(significant("u8R\"--(a)\" )--\";"), (Texts{"u8R\"--(a)\" )--\"", ";"}));
  EXPECT_EQ(significant("\"a\\\nb\" c"), (Texts{"\"a\\\nb\"", "c"}));
  EXPECT_EQ(significant("FOR\"a\""), (Texts{"FOR", "\"a\""}));
}

TEST(TokensTest, Kinds) {
  const std::vector<Token> tokens = tokenize("a1\"s\"'c'\n#include <h>\n// x\n+ 2 \x01");
  std::vector<TokenKind> kinds;
  for (const Token& token : tokens) kinds.push_back(token.kind);
  using enum TokenKind;
  EXPECT_EQ(kinds,
            (std::vector<TokenKind>{identifier, string, character, newline, punctuation, identifier,
                                    whitespace, header_name, newline, comment, newline, punctuation,
                                    whitespace, number, whitespace, other}));
}

TEST(TokensTest, WhatIsNotClosed) {
  const std::vector<Token> string = tokenize("\"abc\nd");
  EXPECT_FALSE(string[0].terminated);
  EXPECT_EQ(string[0].text, "\"abc");
  const std::vector<Token> comment = tokenize("a /* b\nc");
  EXPECT_FALSE(comment.back().terminated);
  EXPECT_EQ(comment.back().text, "/* b\nc");
  const std::vector<Token> raw = tokenize("R\"x(abc)\"\n)y\"");
  EXPECT_EQ(raw.size(), 1u);
  EXPECT_FALSE(raw[0].terminated);
  EXPECT_EQ(significant("#error don't\nx"), (Texts{"#", "error", "don", "'t", "x"}));
}

TEST(TokensTest, Comments) {
  EXPECT_EQ(significant("a // b\\\nc\nd /* e // */ f"), (Texts{"a", "d", "f"}));
  // gcc and clang let blanks stand behind the backslash.
  EXPECT_EQ(significant("a // b \\ \t\nc\n#define d \\ \r\n e\n\"f\\ \n\" g"),
            (Texts{"a", "#", "define", "d", "e", "\"f\\ \n\"", "g"}));
}

TEST(TokensTest, Directives) {
  const std::vector<Token> tokens =
      tokenize("a # b\n  #define X \\\n 1 /* \n */ 2\n/* c */ #if 1\nd");
  int last = -1;
  std::vector<int> directives;
  for (const Token& token : tokens) {
    if (!token.is_significant()) continue;
    if (token.directive != last) directives.push_back(token.directive);
    last = token.directive;
  }
  EXPECT_EQ(directives, (std::vector<int>{0, 1, 2, 0}));
  EXPECT_EQ(significant("#include <a<b.h>\n#include \"c\\d.h\"\nx<y>"),
            (Texts{"#", "include", "<a<b.h>", "#", "include", "\"c\\d.h\"", "x", "<", "y", ">"}));
}

TEST(TokensTest, PositionsCountEveryKindOfLine) {
  const std::vector<Token> tokens = tokenize("a\r\nb\rc\nd \\\r\n  e /*\n*/ f");
  std::vector<std::pair<int, int>> positions;
  for (const Token& token : tokens) {
    if (token.is_significant()) positions.emplace_back(token.line, token.column);
  }
  EXPECT_EQ(positions,
            (std::vector<std::pair<int, int>>{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 3}, {6, 4}}));
}

TEST(TokensTest, BytesOfAllKinds) {
  EXPECT_EQ(significant("\xEF\xBB\xBFint größe;"), (Texts{"int", "größe", ";"}));
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_EQ(joined(tokenize(all)), all);
  EXPECT_TRUE(tokenize("").empty());
}

}  // namespace
}  // namespace simulator
