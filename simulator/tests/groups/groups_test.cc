// Cooperative groups against plain loops over the threads.

#include "simulator/tests/groups/groups.h"

#include <gtest/gtest.h>

#include <functional>

namespace simulator_test {
namespace {

constexpr int kThreads = 96;
constexpr int kBlocks = 3;

// Values of at most 9, in no simple order.
Numbers input() {
  Numbers in(kThreads * kBlocks);
  unsigned state = 12345;
  for (int& value : in) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 24) % 10;
  }
  return in;
}

// What each thread gets, where `of` computes it from the thread, and the first of its group of
// `size`.
Numbers expected(int size, const std::function<int(int thread, int first)>& of) {
  Numbers all(kThreads * kBlocks);
  for (int i = 0; i < kThreads * kBlocks; ++i) all[i] = of(i, i / size * size);
  return all;
}

const Numbers kIn = input();

int sum(int first, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += kIn[first + i];
  return total;
}

TEST(Tiles, ShufflesReachEveryRank) {
  const Numbers sums = expected(8, [](int, int first) { return sum(first, 8); });
  EXPECT_EQ(sums_by_shuffle_down(kIn, kThreads), sums);
  EXPECT_EQ(sums_by_shuffle_xor(kIn, kThreads), sums);
}

TEST(Tiles, ShufflesKeepTheOwnValueAtTheEnds) {
  EXPECT_EQ(neighbours(kIn, kThreads), expected(16, [](int i, int first) {
              const int next = i == first + 15 ? i : i + 1;
              const int before = i == first ? i : i - 1;
              return kIn[first + 15] + 100 * kIn[next] + 10000 * kIn[before];
            }));
}

TEST(Tiles, AreNumberedInTheirParent) {
  EXPECT_EQ(tile_numbers(kIn, kThreads),
            expected(1, [](int i, int) { return i % kThreads / 8 * 100 + kThreads / 8; }));
  EXPECT_EQ(inner_tile_numbers(kIn, kThreads),
            expected(1, [](int i, int) { return i % 16 / 4 * 100 + 4; }));
}

TEST(Tiles, VotesAndMatchesCountRanks) {
  EXPECT_EQ(odd_ranks(kIn, kThreads), expected(16, [](int, int first) {
              int ranks = 0;
              for (int r = 0; r < 16; ++r) ranks |= kIn[first + r] % 2 << r;
              return ranks;
            }));
  EXPECT_EQ(equal_ranks(kIn, kThreads), expected(16, [](int i, int first) {
              int ranks = 0;
              for (int r = 0; r < 16; ++r) ranks |= (kIn[first + r] == kIn[i]) << r;
              return ranks;
            }));
}

TEST(Tiles, OfASizeKnownAtRunTime) {
  EXPECT_EQ(dynamic_tiles(kIn, kThreads), expected(1, [](int i, int) { return i % 8 + 80; }));
  // The last tile of 8 has 4 threads.
  const Numbers few(20);
  Numbers ranks(20);
  for (int i = 0; i < 20; ++i) ranks[i] = i % 8 + 10 * (i < 16 ? 8 : 4);
  EXPECT_EQ(dynamic_tiles(few, 20), ranks);
}

TEST(Tiles, ExchangeValuesOfAnySize) {
  EXPECT_EQ(large_values(kIn, kThreads),
            expected(4, [](int i, int first) { return 15 * kIn[first + 3 - (i - first)]; }));
}

TEST(Tiles, SyncOrdersSharedMemory) {
  EXPECT_EQ(reversed_in_tiles(kIn, kThreads),
            expected(4, [](int i, int first) { return kIn[first + 3 - (i - first)]; }));
}

TEST(Tiles, OneThreadIsInvoked) {
  EXPECT_EQ(invoked_once(kIn, kThreads),
            expected(8, [](int, int first) { return 1000 + kIn[first]; }));
}

TEST(CoalescedGroups, ReduceOverTheLanesThatAreThere) {
  EXPECT_EQ(coalesced_sums(kIn, kThreads), expected(32, [](int i, int first) {
              if (kIn[i] % 2 == 0) return -1;
              int total = 0;
              for (int r = 0; r < 32; ++r) total += kIn[first + r] % 2 * kIn[first + r];
              return total;
            }));
}

TEST(CoalescedGroups, FromLabelsAndPredicates) {
  EXPECT_EQ(labeled_scans(kIn, kThreads), expected(32, [](int i, int first) {
              int total = 0;
              for (int j = first; j <= i; ++j) total += kIn[j] % 3 == kIn[i] % 3 ? kIn[j] : 0;
              return total;
            }));
  EXPECT_EQ(binary_parts(kIn, kThreads), expected(32, [](int i, int first) {
              int size = 0;
              for (int r = 0; r < 32; ++r) size += (kIn[first + r] < 5) == (kIn[i] < 5);
              return size + (kIn[i] < 5 ? 100 : 0);
            }));
}

TEST(Reduce, TakesEveryOperation) {
  EXPECT_EQ(extremes(kIn, kThreads), expected(32, [](int, int first) {
              int least = 9;
              int most = 0;
              int all = 0;
              for (int r = 0; r < 32; ++r) {
                least = std::min(least, kIn[first + r]);
                most = std::max(most, kIn[first + r]);
                all ^= kIn[first + r];
              }
              return least + 100 * most + 10000 * all;
            }));
}

TEST(Scan, IsExclusiveOfTheOwnValue) {
  EXPECT_EQ(exclusive_products(kIn, kThreads), expected(8, [](int i, int first) {
              int product = i == first ? 0 : 1;
              for (int j = first; j < i; ++j) product *= kIn[j] % 3 + 1;
              return product;
            }));
}

TEST(Grid, SyncJoinsAllBlocks) {
  EXPECT_EQ(reversed_in_grid(kIn, kThreads),
            expected(1, [](int i, int) { return kIn[kThreads * kBlocks - 1 - i]; }));
}

}  // namespace
}  // namespace simulator_test
