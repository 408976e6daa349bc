#include WORKSHEET

#include <gtest/gtest.h>

#include <string>

#include "tests/harness/exercise/question.h"

namespace andrea {
namespace {

std::string given(std::int64_t n, std::int64_t block) {
  return "n=" + std::to_string(n) + ", block=" + std::to_string(block);
}

TEST(Lesson00, Question1) {
  EXPECT_TRUE(question("00.w1", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const std::int64_t block = 32 * it.random(1, 32);
      // Half of them fill their last block exactly.
      const std::int64_t n = i % 2 == 0 ? block * it.random(1, 1000) : it.random(1, 100000);
      it.number(given(n, block), worksheet00::blocks_needed(n, block), (n + block - 1) / block,
                {{"rounded_down", n / block}, {"one_more", n / block + 1}});
    }
  }));
}

TEST(Lesson00, Question2) {
  EXPECT_TRUE(question("00.w2", [](Question& it) {
    for (int i = 0; i < 20; ++i) {
      const std::int64_t block = 32 * it.random(1, 32);
      const std::int64_t n = i % 2 == 0 ? block * it.random(1, 1000) : it.random(1, 100000);
      it.number(given(n, block), worksheet00::idle_threads(n, block), (block - n % block) % block,
                {{"busy_ones", n % block}, {"whole_block", block - n % block}});
    }
  }));
}

TEST(Lesson00, Question3) {
  EXPECT_TRUE(question("00.w3", [](Question& it) {
    for (std::int64_t threads = 1, right = 0; threads <= 1024; threads *= 2, ++right) {
      it.number("threads=" + std::to_string(threads), worksheet00::rounds(threads), right,
                {{"one_more", right + 1}, {"additions", threads - 1}});
    }
  }));
}

TEST(Lesson00, Question4) {
  EXPECT_TRUE(
      question("00.w4", [](Question& it) { it.choice(worksheet00::kEarlyReturn, 'b', "acd"); }));
}

TEST(Lesson00, Question5) {
  EXPECT_TRUE(
      question("00.w5", [](Question& it) { it.choice(worksheet00::kLostUpdates, 'b', "acd"); }));
}

}  // namespace
}  // namespace andrea
