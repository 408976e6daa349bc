// Compiles, links and runs testdata/hard_cases.cu as the rewriter leaves it.

#include "simulator/rewriter/testdata/hard_cases.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

// What every array of dynamic shared memory is another name of.
__thread double dynamic_shared_memory[64] __asm__("simulator_dynamic_shared");

namespace {

TEST(HardCasesTest, EveryKernelGetsItsArguments) {
  const std::vector<std::string> expected = {
      "plain",
      "plain",
      "numbered 2 1",
      "numbered 8 2",
      "boxed 3",
      "boxed 3",
      "one 60",
      "pair 1 2 0",
      "scale 1 0",
      "scale 1 2",
      "one 3",
      "one 4",
      "one 5",
      "deeper 6",
      "one 7",
      "deeper 8",
      "deeper 9",
      "one 10",
      "deeper 10",
      "deeper 11",
      "one 16",
      "one 0",
      "one 1",
      "two 4 4",
      "one 12",
      "one 13",
      "one 14",
      "hidden 17",
      "two 1 2",
      "plain",
      "scale 0 3",
      "two 3 4",
      "two 5 7",
      "two 9 10",
      "one 15",
      "two 163 164",
      "dynamic 42 16 1 1",
      "kernel<<<1, 1>>>(a)<<<<14",
  };
  EXPECT_EQ(run_hard_cases(), expected);
}

// Lines of the source, not of the rewritten file.
TEST(HardCasesTest, LinesAreThoseOfTheSource) {
  EXPECT_EQ(lines_of_launches(), std::vector<int>{141});
}

}  // namespace
