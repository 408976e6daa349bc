// Each file of testdata/right is a correct program, which nvcc compiles too. Each line of
// testdata/wrong that ends in `// finding: words` or `// unsupported: words` must have a finding of
// that kind with these words; several are separated by |. A note in parentheses says what nvcc does
// where it does not refuse that very line.

#include "simulator/rewriter/lint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "simulator/rewriter/source_file.h"

namespace simulator {
namespace {

const char* const kFolder = "simulator/rewriter/testdata/";

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder + folder)) {
    paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string contents(const std::string& path) {
  std::string problem;
  const auto source = read_source(path, problem);
  EXPECT_TRUE(source) << problem;
  return source.value_or("");
}

TEST(LintTest, CorrectProgramsHaveNoFinding) {
  const std::vector<std::string> paths = files_in("right");
  EXPECT_GE(paths.size(), 30u);
  for (const std::string& path : paths) {
    const std::string source = contents(path);
    EXPECT_EQ(describe(lint(source), source, path), "");
  }
}

struct Mark {
  Finding::Kind kind;
  std::string words;
};

// The marks of a file, by line.
std::multimap<int, Mark> marks_of(const std::string& source) {
  const std::regex mark(R"(// (finding|unsupported)(?: \([a-z ]*\))?: (.*))");
  std::multimap<int, Mark> marks;
  std::istringstream lines(source);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    if (!std::regex_search(line, match, mark)) continue;
    const Finding::Kind kind =
        match[1] == "finding" ? Finding::Kind::error : Finding::Kind::unsupported;
    std::string rest = match[2];
    for (std::size_t bar; (bar = rest.find(" | ")) != std::string::npos; rest.erase(0, bar + 3)) {
      marks.insert({number, {kind, rest.substr(0, bar)}});
    }
    marks.insert({number, {kind, rest}});
  }
  return marks;
}

TEST(LintTest, WrongProgramsHaveTheFindingsMarked) {
  for (const std::string& path : files_in("wrong")) {
    SCOPED_TRACE(path);
    const std::string source = contents(path);
    std::multimap<int, Mark> marks = marks_of(source);
    EXPECT_FALSE(marks.empty());
    for (const Finding& finding : lint(source)) {
      auto [mark, end] = marks.equal_range(finding.line);
      while (mark != end && (mark->second.kind != finding.kind ||
                             finding.sentence.find(mark->second.words) == std::string::npos)) {
        ++mark;
      }
      if (mark == end) {
        ADD_FAILURE() << "line " << finding.line << ": " << finding.sentence;
      } else {
        marks.erase(mark);
      }
    }
    for (const auto& [line, mark] : marks) {
      ADD_FAILURE() << "line " << line << " has no finding that says: " << mark.words;
    }
  }
}

TEST(LintTest, OptionsOfNvccAllowWhatTheyAllowThere) {
  const std::string folder = std::string(kFolder) + "wrong/";
  const LintOptions relaxed{.relaxed_constexpr = true}, extended{.extended_lambda = true};
  EXPECT_TRUE(lint(contents(folder + "constexpr_function_from_device.cu"), relaxed).empty());
  EXPECT_FALSE(lint(contents(folder + "constexpr_function_from_device.cu"), extended).empty());
  EXPECT_TRUE(lint(contents(folder + "device_lambda.cu"), extended).empty());
  EXPECT_FALSE(lint(contents(folder + "device_lambda.cu"), relaxed).empty());
}

// What might be right for all that the file shows.
TEST(LintTest, DoubtsAreLeftAlone) {
  const std::vector<std::string> sources = {
      // A macro of another file may say __device__.
      "DEVICE_CODE int f(int a) { return a; } __global__ void k(int* p) { *p = f(1); }",
      "INLINE(2) int f(int a) { return a; } __global__ void k(int* p) { *p = f(1); }",
      "QUALIFIED float scale; __global__ void k(float* p) { *p = scale; }",
      // One of two definitions is for the device.
      "#if X\nint f() { return 1; }\n#endif\n__device__ int f(int);"
      "__global__ void k(int* p) { *p = f(); }",
      // The name is something else here.
      "int f(int); __global__ void k(int* p, int (*f)(int)) { *p = f(1); }",
      "int f(int); __global__ void k(int* p) { auto f = [](int a) { return a; }; *p = f(1); }",
      "#define f(a) (a)\nint g(int); __global__ void k(int* p) { *p = f(1); }",
      "int n; __global__ void k(int* p) { for (int i = 0, n = 3; i < n; ++i) *p = n; }",
      "int n; struct A { int n; __device__ int get() { return n; } };",
      // Text that is no program at all.
      "__global__",
      "__global__ void",
      "__global__ void k(",
      "__shared__ int x = 1",
      "template <",
      "struct {",
      "class A : {",
      "extern \"C\" {",
      "namespace {",
      "asm(",
      "int operator",
      "}{)(",
  };
  for (const std::string& source : sources) {
    EXPECT_EQ(describe(lint(source), source, "a.cu"), "");
  }
}

}  // namespace
}  // namespace simulator
