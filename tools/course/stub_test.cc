#include "tools/course/stub.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace andrea::course {
namespace {

constexpr char kSolution[] = R"(// A file.
float dot(const float* a, const float* b, int C) {
  // SOLUTION(02.1): the sum of the products.
  float sum = 0;

  // In order, so that the result is always the same.
  for (int c = 0; c < C; ++c) sum += a[c] * b[c];
  return sum;
  // STUB
  // return 0;
  // END(02.1)
}
)";

std::string refusal(const std::string& solution) {
  try {
    stub_of(solution, "kernel.cu");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(StubTest, ARegionBecomesATaskWithItsNumberOfLines) {
  EXPECT_EQ(stub_of(kSolution, "kernel.cu"), R"(// A file.
float dot(const float* a, const float* b, int C) {
  // TODO(02.1): the sum of the products, about 3 lines.
  return 0;
}
)");
}

TEST(StubTest, RegionsAreListed) {
  const std::vector<Region> regions = regions_of(kSolution, "kernel.cu");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].exercise, "02.1");
  EXPECT_EQ(regions[0].task, "the sum of the products");
  EXPECT_EQ(regions[0].code,
            "  float sum = 0;\n\n  // In order, so that the result is always the same.\n"
            "  for (int c = 0; c < C; ++c) sum += a[c] * b[c];\n  return sum;\n");
  EXPECT_EQ(regions[0].first_line, 3);
  EXPECT_EQ(regions[0].last_line, 11);
  EXPECT_EQ(regions[0].code_lines, 3);
}

TEST(StubTest, CodeToMendKeepsItsIndentationAndTellsNoNumber) {
  EXPECT_EQ(stub_of("  // SOLUTION(00.7): mend it.\n  a();\n  // STUB\n  // b();\n  //\n"
                    "  //   c();\n  // END(00.7)\n",
                    "kernel.cu"),
            "  // TODO(00.7): mend it.\n  b();\n\n    c();\n");
}

TEST(StubTest, ATaskMayHaveTwoLines) {
  EXPECT_EQ(stub_of("// SOLUTION(00.4): add up;\n// then halve.\n// Halving.\na();\n// END(00.4)\n",
                    "kernel.cu"),
            "// TODO(00.4): add up;\n// then halve, about 1 line.\n");
}

TEST(StubTest, TextWithoutRegionsIsUnchanged) {
  EXPECT_EQ(stub_of("int a;\n\n  // STUB\n", "kernel.cu"), "int a;\n\n  // STUB\n");
}

TEST(StubTest, BrokenRegionsAreRefusedWithTheirLine) {
  EXPECT_EQ(refusal("\n// SOLUTION(00.1): do it.\n"), "kernel.cu:2: SOLUTION(00.1) has no END.");
  EXPECT_EQ(refusal("// END(00.1)\n"), "kernel.cu:1: END(00.1) without its SOLUTION.");
  EXPECT_EQ(refusal("// SOLUTION(00.1): do it.\n// END(00.2)\n"),
            "kernel.cu:2: END(00.2) where SOLUTION(00.1) is open.");
  EXPECT_EQ(refusal("// SOLUTION(00.1): do it.\n// SOLUTION(00.2): do it.\n"),
            "kernel.cu:2: SOLUTION(00.2) within that of 00.1.");
  EXPECT_EQ(refusal("// SOLUTION(00.1) do it\n"),
            "kernel.cu:1: a task begins with ': ', that of 00.1.");
  EXPECT_EQ(refusal("// SOLUTION(00.1): do it\na();\n"),
            "kernel.cu:2: the task of 00.1 has no full stop.");
  EXPECT_EQ(refusal("// SOLUTION(00.1): do it.\n// STUB\nreturn 0;\n// END(00.1)\n"),
            "kernel.cu:3: a line of a STUB must be a comment.");
}

}  // namespace
}  // namespace andrea::course
