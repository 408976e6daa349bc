#include "trainer/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace andrea {
namespace {

std::vector<std::uint64_t> numbers_of(Random random, int count) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(random.next());
  return numbers;
}

TEST(RandomTest, IsAFunctionOfSeedAndStream) {
  EXPECT_EQ(numbers_of(Random(1, 2), 10), numbers_of(Random(1, 2), 10));
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t stream = 0; stream < 30; ++stream) {
      firsts.insert(Random(seed, stream).next());
    }
  }
  EXPECT_EQ(firsts.size(), 900u);
}

// Weights of models and the order of samples hang on these: they must be the same for ever.
TEST(RandomTest, DoesNotChange) {
  EXPECT_EQ(numbers_of(Random(1), 3),
            (std::vector<std::uint64_t>{9663302212685962681u, 9954865305074216446u,
                                        11217883230835266818u}));
  EXPECT_EQ(Random(1, 5).next(), 1979963015879809492u);
  EXPECT_EQ(Random(0).uniform(), 0x1.342cc6e8c9d48p-3);
}

TEST(RandomTest, UniformNumbersLieInTheUnitInterval) {
  Random random(3);
  double sum = 0, squares = 0;
  constexpr int kCount = 100'000;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kCount, 0.5, 0.005);  // five standard errors
  EXPECT_NEAR(squares / kCount, 1.0 / 3, 0.005);
}

TEST(RandomTest, BelowGivesEachNumberEquallyOften) {
  Random random(4);
  std::vector<int> counts(7);
  for (int i = 0; i < 70'000; ++i) ++counts.at(random.below(7));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(1), 0u);
  EXPECT_LT(random.below(~0ull), ~0ull);
}

TEST(RandomTest, NormalNumbersHaveTheirMoments) {
  Random random(5);
  double sum = 0, squares = 0, fourths = 0;
  constexpr int kCount = 200'000;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.012);
  EXPECT_NEAR(squares / kCount, 1, 0.016);
  EXPECT_NEAR(fourths / kCount, 3, 0.11);
}

}  // namespace
}  // namespace andrea
