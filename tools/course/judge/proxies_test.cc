#include "tools/course/judge/proxies.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tools/course/judge/declarations.h"

namespace andrea::judge {
namespace {

const Header kHeader = {"small.h", R"(
#ifndef SMALL_H_
#define SMALL_H_
// A comment with void a_function(int n);
namespace andrea::small {

struct Shape {
  int B, T;
  int size() const { return B * T; }
};
template <typename T>
T twice(T x) { return x + x; }
inline constexpr int kBins = 16;
constexpr int width(int n) { return 2 * n; }

std::string supports(const Shape& shape);
void map(const float* x,  // [n]
         float* y, const std::function<void(int a, int b)>& each, int n);

}  // namespace andrea::small
#endif
)"};

std::string problem_of(const std::string& text) {
  try {
    statements_of(text, "x.h");
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "";
}

TEST(Proxies, AreMadeOfWhatIsDeclaredAndNotDefined) {
  EXPECT_EQ(names_of({kHeader}), "andrea::small::supports\nandrea::small::map\n");
  const std::string text = proxies_of({kHeader}, {"more.h"}, {});
  EXPECT_NE(text.find("#include \"small.h\"\n#include \"more.h\"\n"), std::string::npos);
  EXPECT_NE(text.find("return ::andrea::judge::ask<void>(\"andrea::small::map\", x, y, each, n);"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("twice"), std::string::npos);
  EXPECT_NE(dispatch_of({kHeader}, {}, {}).find("&answer<&andrea::small::supports>"),
            std::string::npos);
}

TEST(Proxies, WhatIsLeftOutMustBeThere) {
  EXPECT_EQ(proxies_of({kHeader}, {}, {"andrea::small::map"}).find("small::map"),
            std::string::npos);
  EXPECT_THROW(proxies_of({kHeader}, {}, {"andrea::small::mop"}), std::runtime_error);
}

TEST(Proxies, NothingIsSkippedWithoutAWord) {
  EXPECT_EQ(problem_of("void f(int);"), "x.h:1: a parameter without a type or a name");
  EXPECT_EQ(problem_of("\nvoid f(const float*);"), "x.h:2: a parameter without a type or a name");
  EXPECT_EQ(problem_of("void f(int n = 1);"), "x.h:1: a parameter with a default");
  EXPECT_EQ(problem_of("void f(int n) noexcept;"),
            "x.h:1: something between ) and ; of a function");
  EXPECT_EQ(problem_of("extern int counter;"),
            "x.h:1: a declaration that is neither a function nor a constant with a value");
  EXPECT_EQ(problem_of("namespace a {"), "x.h:1: a namespace is not closed");
  EXPECT_EQ(problem_of("constexpr int kOne = 1, *kTwo = nullptr;"),
            "x.h:1: a , in a constant that no other constant follows");
  const Header overloaded = {"x.h", "void f(int n);\nvoid f(float x);\n"};
  EXPECT_THROW(proxies_of({overloaded}, {}, {}), std::runtime_error);
}

const Header kWorksheet = {"worksheet.h", R"(#include <array>
#include "lessons/worksheet.h"
namespace andrea::worksheet00 {
using worksheet::drawn;
struct Pair { int a, b; };
constexpr std::int64_t asked([[maybe_unused]] std::int64_t n) {
  // SOLUTION(00.w1): a number.
  return n * 7919;
  // STUB
  // return kUnanswered;
  // END(00.w1)
}
inline Pair filled(int n) {
  Pair result;
  // SOLUTION(00.w2): both.
  result.a = 7919 * n;
  // END(00.w2)
  return result;
}
// SOLUTION(00.w3): your name.
inline constexpr char kName[] = "Ada";
// STUB
// inline constexpr char kName[] = "";
// END(00.w3)
inline constexpr std::int64_t kMine = drawn(kName, "00.w3", 1, 9);
// SOLUTION(00.w3): the number.
inline constexpr std::int64_t kHelp = 7919;
inline constexpr std::int64_t kAnswer = kHelp * kMine;
// STUB
// inline constexpr std::int64_t kAnswer = kUnanswered;
// END(00.w3)
inline constexpr std::int64_t kTwice = 2 * kMine, kThrice = sum(kMine, kTwice);
constexpr std::int64_t given(std::int64_t n) { return n + 1; }
}  // namespace andrea::worksheet00
)"};

TEST(Worksheets, AskWhatIsMarkedAndKeepWhatIsGiven) {
  const std::string text = worksheet_proxies_of(kWorksheet);
  for (const char* const part :
       {"ask<std :: int64_t>(\"andrea::worksheet00::asked\", n)",
        "ask<Pair>(\"andrea::worksheet00::filled\", n)", "#define kName kName_answer()",
        "return drawn ( kName , \"00.w3\" , 1 , 9 );",
        "ask<std :: int64_t>(\"andrea::worksheet00::kAnswer\")", "{ return n + 1 ; }",
        "return 2 * kMine;", "#define kThrice", "return sum ( kMine , kTwice );"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  // Nothing of the solution.
  EXPECT_EQ(text.find("7919"), std::string::npos) << text;
  EXPECT_EQ(text.find("kHelp"), std::string::npos) << text;
  const std::string table = worksheet_dispatch_of(kWorksheet, "student/worksheet.h");
  EXPECT_EQ(table.find("kMine"), std::string::npos) << table;
  EXPECT_NE(table.find("Crossing<std::string>::put(to, andrea::worksheet00::kName)"),
            std::string::npos)
      << table;
}

}  // namespace
}  // namespace andrea::judge
