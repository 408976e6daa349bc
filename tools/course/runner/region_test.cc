#include "tools/course/runner/region.h"

#include <gtest/gtest.h>

#include "tools/course/stub.h"

namespace andrea::course {
namespace {

constexpr char kSolution[] = R"(#include "a.h"

__global__ void first(float* out, int n) {
  const int i = threadIdx.x;
  // SOLUTION(02.1): out[i], if there is one.
  if (i >= n) return;
  out[i] = 1;
  // END(02.1)
}

__global__ void second(float* out, int n) {
  const int i = threadIdx.x;
  // SOLUTION(02.2): the same, twice.
  if (i >= n) return;
  out[i] = 2;
  // STUB
  // out[i] = 0;
  // out[i] = 0;
  // END(02.2)
}

void launch() {
  // SOLUTION(02.1): the launch.
  first<<<1, 1>>>(nullptr, 0);
  // END(02.1)
  second<<<1, 1>>>(nullptr, 0);
}
)";

std::string stub() { return stub_of(kSolution, "kernel.cu"); }

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The three regions written, and the TODOs gone.
std::string solved() {
  std::string text = stub();
  text = with(text, "  // TODO(02.1): out[i], if there is one, about 2 lines.\n",
              "  if (i < n) {\n    out[i] = 1;\n  }\n");
  text = with(text, "  // TODO(02.2): the same, twice.\n  out[i] = 0;\n  out[i] = 0;\n",
              "  if (i >= n) return;\n  out[i] = 2;\n");
  return with(text, "  // TODO(02.1): the launch, about 1 line.\n",
              "  first<<<1, 1>>>(nullptr, 0);\n");
}

std::string reset(const std::string& work, const std::string& exercise) {
  const auto places = places_of(stub(), work, exercise);
  return places ? put_back(stub(), work, *places) : "none";
}

TEST(RegionTest, WhatNobodyTouchedStaysAsItIs) {
  EXPECT_EQ(reset(stub(), "02.1"), stub());
  EXPECT_EQ(reset(stub(), "02.2"), stub());
}

TEST(RegionTest, OneExerciseIsPutBackAndTheOthersStay) {
  const std::string work = solved();
  EXPECT_EQ(reset(reset(work, "02.1"), "02.2"), stub());
  const std::string first = reset(work, "02.1");
  EXPECT_EQ(reset(first, "02.1"), first);
  EXPECT_NE(first.find("out[i] = 2;"), std::string::npos) << first;
  EXPECT_EQ(first.find("out[i] = 1;"), std::string::npos) << first;
  EXPECT_NE(first.find("TODO(02.1): the launch"), std::string::npos) << first;
}

// Own helpers, includes and other indentation elsewhere do no harm.
TEST(RegionTest, ChangesElsewhereStay) {
  const std::string work = with(with(solved(), "#include \"a.h\"\n", "#include \"b.h\"\n"),
                                "void launch() {\n", "int helper();\n\nvoid launch() {\n");
  const std::string now = reset(work, "02.2");
  EXPECT_NE(now.find("#include \"b.h\""), std::string::npos);
  EXPECT_NE(now.find("int helper();"), std::string::npos);
  EXPECT_NE(now.find("// TODO(02.2): the same, twice.\n  out[i] = 0;\n"), std::string::npos) << now;
  EXPECT_EQ(now.find("out[i] = 2;"), std::string::npos) << now;
}

TEST(RegionTest, WithoutTheLinesRoundItThereIsNoPlace) {
  EXPECT_EQ(reset("nothing\n", "02.1"), "none");
  EXPECT_EQ(reset(stub(), "02.9"), "none");
  // The kernel twice: which of them is the exercise?
  EXPECT_EQ(reset(stub() + stub(), "02.1"), "none");
}

TEST(RegionTest, LinesOfWindowsAreTheSameLines) {
  std::string work;
  for (const char c : solved()) work += c == '\n' ? "\r\n" : std::string(1, c);
  const std::string now = reset(work, "02.2");
  EXPECT_NE(now.find("// TODO(02.2)"), std::string::npos) << now;
  EXPECT_NE(now.find("out[i] = 1;\r\n"), std::string::npos) << now;
}

TEST(RegionTest, WhichExerciseWasWorkedOn) {
  EXPECT_EQ(exercises_in(stub()), (std::vector<std::string>{"02.1", "02.2"}));
  const std::string work = solved();
  EXPECT_EQ(exercise_changed(stub(), work, with(work, "out[i] = 2;", "out[i] = 3;")), "02.2");
  EXPECT_EQ(exercise_changed(stub(), stub(), work), "");  // both
  EXPECT_EQ(exercise_changed(stub(), work, work), "");
  EXPECT_EQ(exercise_changed(stub(), work, "nothing\n"), "");
}

}  // namespace
}  // namespace andrea::course
