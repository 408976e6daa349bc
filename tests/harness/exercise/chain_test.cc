// What a chain says of the first tensor that departs: where to look, in the words of the runner or
// in those of Bazel.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/harness/exercise/together.h"

namespace andrea {
namespace {

// Of a function that writes nothing.
std::string told_of(const std::string& operation, const std::string& function) {
  const auto result = together({operation}, {"N"}, {{2}}, [&](Chain& chain) {
    chain.trial().output("out", {{"n", 2}});
    chain.step(operation, function, 0, [](const Launch&) {});
    chain.expect("out", []<typename Scalar>(Scalar) { return std::vector<Scalar>{1, 1}; });
  });
  return result.message();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class ChainTest : public ::testing::Test {
 protected:
  void SetUp() override { unsetenv("ANDREA_COURSE_RUNNER"); }
  void TearDown() override { unsetenv("ANDREA_COURSE_RUNNER"); }
};

TEST_F(ChainTest, AnOperationOfItsOwnLessonIsTriedThere) {
  const std::string told = told_of("activation", "activation_backward");
  EXPECT_TRUE(contains(told,
                       "out is written by your activation_backward. Run the kernel_test of "
                       "lesson 05 first"))
      << told;
  setenv("ANDREA_COURSE_RUNNER", "1", 1);
  EXPECT_TRUE(
      contains(told_of("activation", "activation_backward"), "Run ./andrea check 05.kernel first"));
}

TEST_F(ChainTest, WhatCallsEarlierKernelsSendsToTheirTests) {
  setenv("ANDREA_COURSE_RUNNER", "1", 1);
  const std::string block = told_of("block", "block_backward");
  EXPECT_TRUE(contains(block,
                       "by your block_backward, which calls your kernels of earlier lessons. "
                       "Run ./andrea check 03.together, and so on to ./andrea check "
                       "05.together: the first that fails"))
      << block;
  const std::string model = told_of("transformer", "transformer_backward");
  EXPECT_TRUE(contains(model, "01.together, and so on to ./andrea check 06.together")) << model;
  EXPECT_TRUE(contains(model, "run ./andrea check 07.kernel")) << model;
}

}  // namespace
}  // namespace andrea
