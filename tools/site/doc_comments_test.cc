#include "tools/site/doc_comments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tools/site/cpp_lines.h"
#include "tools/site/doc_text.h"

namespace andrea::site {
namespace {

// What becomes of a source below the head of its file, without the marks that say nothing to a
// reader.
std::string filtered(const std::string& source) {
  std::string text = with_doc_comments("a/b.h", "// File: b.h\n//\n// Head.\n\n" + source);
  const std::string head = "/** @defgroup api_a_b_h b.h\n@ingroup api_a\nHead.\n@{ */\n";
  const std::string foot = "/** @} */\n";
  EXPECT_TRUE(text.starts_with(head) && text.ends_with(foot)) << text;
  text = text.substr(head.size(), text.size() - head.size() - foot.size());
  for (const std::string mark : {" @ingroup api_a_b_h", " @hidecallgraph"}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.erase(at, mark.size());
    }
  }
  return text;
}

TEST(DocComments, HeadOfAFileIsItsTopic) {
  EXPECT_EQ(with_doc_comments("kernels/a.h", "// File: a.h\n//\n// What a is.\n\nint b;  // c\n"),
            "/** @defgroup api_kernels_a_h a.h\n@ingroup api_kernels\nWhat a is.\n@{ */\n"
            "int b;  ///< c @ingroup api_kernels_a_h\n/** @} */\n");
}

TEST(DocComments, CommentAboveADeclarationDocumentsIt) {
  EXPECT_EQ(filtered("// Adds one.\nint a(int x);\n"), "/** Adds one. */\nint a(int x);\n");
}

TEST(DocComments, CommentFollowedByAnEmptyLineStaysAComment) {
  EXPECT_EQ(filtered("// A section.\n\nint a;\n"), "// A section.\n\nint a;\n");
}

TEST(DocComments, CommentBehindParametersAndMembersDocumentsThem) {
  EXPECT_EQ(filtered("void f(const float* x,  // [N, C]\n       int N);\n"),
            "void f(const float* x,  ///< `[N, C]`\n       int N);\n");
  EXPECT_EQ(filtered("struct A {\n  int b = 0;  // bytes\n};\n"),
            "/** @brief Head. */ struct A {\n  int b = 0;  ///< bytes\n};\n");
  EXPECT_EQ(filtered("enum class E {\n  one,  // first\n  two  // last\n};\n"),
            "enum class E {\n  one,  ///< first\n  two  ///< last\n};\n");
}

TEST(DocComments, CommentThatGoesOnBehindCode) {
  EXPECT_EQ(filtered("struct A {\n  int b;  // bytes,\n          // in all\n};\n"),
            "/** @brief Head. */ struct A {\n  int b;  ///< bytes,\n          ///<  in all\n};\n");
}

TEST(DocComments, BodiesAreLeftAlone) {
  const std::string body =
      "inline int f() {\n  // A step.\n  const int a = 1;  // one\n  return a;\n}\n";
  EXPECT_EQ(filtered(body), body);
  EXPECT_EQ(filtered("namespace a {\n}  // namespace a\n"), "namespace a {\n}  // namespace a\n");
}

TEST(DocComments, CommentSpeaksOfAllDeclarationsOfItsParagraph) {
  EXPECT_EQ(filtered("// Sizes.\nint a();\nint b();\n\nint c();\n"),
            "/** Sizes. */\nint a();\n/** @brief Sizes. */ int b();\n\nint c();\n");
}

TEST(DocComments, WhatTheCompilerMakesIsLeftOut) {
  EXPECT_EQ(
      filtered("class A {\n public:\n  A(const A&) = delete;\n  ~A();\n  A(A&& other);\n};\n"),
      "/** @brief Head. */ class A {\n public:\n\n\n  /** @brief Takes over what the other holds. "
      "*/ A(A&& "
      "other);\n};\n");
}

TEST(DocComments, PrivateTypesAreLeftOut) {
  EXPECT_EQ(
      filtered("class A {\n public:\n  int b;\n private:\n  struct C {\n    int d;\n  };\n  int "
               "e;\n};\n"),
      "/** @brief Head. */ class A {\n public:\n  int b;\n private:\n\n\n\n  int e;\n};\n");
}

TEST(DocComments, LaunchesAreCalls) {
  EXPECT_EQ(launches_as_calls("f<<<1,\n  2>>>(x);"), "f\n(x);");
}

TEST(DocComments, LinesKeepTheirNumbers) {
  const std::string source =
      "// File: b.h\n//\n// Text,\n// more:\n//\n//   example\n//   more\n\n// One.\nint "
      "a;\n#define B \\\n  "
      "1\n";
  const std::string text = with_doc_comments("a/b.h", source);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            std::count(source.begin(), source.end(), '\n') + 1);
  EXPECT_NE(text.find("\nint a;\n"), std::string::npos);
}

TEST(DocText, CharactersThatAreCommandsAreText) {
  EXPECT_EQ(prose("50% of <T> at #1, --check, a*b, c_d"),
            "50\\% of \\<T\\> at \\#1, \\--check, a\\*b, `c_d`");
  EXPECT_EQ(prose("`a_b<T>` stays"), "`a_b<T>` stays");
  EXPECT_EQ(prose("0 .. 3 by `./andrea`"), "0 to 3 by \"./andrea\"");
  EXPECT_EQ(prose("\"a/*.txt\""), "&quot;a/\\*.txt&quot;");
  EXPECT_EQ(prose("as \"a_b(float*)\" in c_d, \""), "as \"a_b(float*)\" in `c_d`, \"");
}

TEST(DocText, ExamplesStayAsTheyStand) {
  EXPECT_EQ(
      doc_lines({" Text:", "", "   y = x * W", "", " more"}),
      (std::vector<std::string>{"Text:", "@verbatim", "  y = x * W", "@endverbatim", "more"}));
  EXPECT_EQ(doc_lines({" 02.1  one thing,", "       said in two lines"}),
            (std::vector<std::string>{"**02.1** one thing,", "      said in two lines"}));
}

TEST(CppLines, FollowsStringsAndBrackets) {
  const auto lines =
      lines_of("#include \"e.h\"\nconst char* a = \"// {\";  // b\nint c = '{';\nstruct D {\n};\n");
  EXPECT_EQ(lines[1].comment, " b");
  EXPECT_TRUE(lines[2].before.declares);
  EXPECT_EQ(lines[4].before.depth, 1u);
  EXPECT_TRUE(lines[4].before.declares);
}

}  // namespace
}  // namespace andrea::site
