#include "trainer/corpus/sample_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "trainer/base/error.h"

namespace andrea {
namespace {

TEST(SampleOrder, EachEpochReadsEachWindowOnce) {
  for (const std::int64_t T : {1, 2, 3, 8, 31}) {
    for (std::int64_t tokens = T + 1; tokens < 40 * T; tokens += 1 + tokens / 7) {
      const std::int64_t windows = windows_per_epoch(tokens, T);
      for (std::int64_t epoch = 0; epoch < 4; ++epoch) {
        std::vector<std::int64_t> starts;
        for (std::int64_t i = 0; i < windows; ++i) {
          starts.push_back(sample_start(epoch * windows + i, tokens, T, 5));
        }
        std::sort(starts.begin(), starts.end());
        EXPECT_GE(starts.front(), 0);
        EXPECT_LT(starts.front(), T);
        EXPECT_LE(starts.back() + T + 1, tokens);
        for (std::int64_t i = 1; i < windows; ++i) EXPECT_EQ(starts[i], starts[i - 1] + T);
        EXPECT_LT(tokens - starts.back(), 3 * T + 1) << "more than a window is left at the end";
      }
    }
  }
}

TEST(SampleOrder, EpochsAndSeedsDiffer) {
  const std::int64_t tokens = 10'000;
  const std::int64_t T = 10;
  const std::int64_t windows = windows_per_epoch(tokens, T);
  std::set<std::int64_t> offsets;
  for (std::int64_t epoch = 0; epoch < 100; ++epoch) {
    offsets.insert(sample_start(epoch * windows, tokens, T, 1) % T);
  }
  EXPECT_EQ(offsets.size(), 10u);
  int same_as_next_epoch = 0;
  int same_as_other_seed = 0;
  int in_order = 0;
  for (std::int64_t i = 0; i + 1 < windows; ++i) {
    const std::int64_t here = sample_start(i, tokens, T, 1) / T;
    same_as_next_epoch += here == sample_start(i + windows, tokens, T, 1) / T;
    same_as_other_seed += here == sample_start(i, tokens, T, 2) / T;
    in_order += here + 1 == sample_start(i + 1, tokens, T, 1) / T;
  }
  EXPECT_LT(same_as_next_epoch, 10);
  EXPECT_LT(same_as_other_seed, 10);
  EXPECT_LT(in_order, 10);
}

// A run must read the same data tomorrow, on any machine: these numbers never change.
TEST(SampleOrder, IsTheSameForEver) {
  std::vector<std::int64_t> starts;
  for (const std::int64_t sample : {0, 1, 2, 3, 1000, 123456789}) {
    starts.push_back(sample_start(sample, 1'000'000, 64, 42));
  }
  EXPECT_EQ(starts, (std::vector<std::int64_t>{88381, 33533, 370365, 192381, 183997, 387926}));
  EXPECT_EQ(windows_per_epoch(1'000'000, 64), 15'624);
}

TEST(SampleOrder, AStepReadsTheSameSamplesHoweverItIsDivided) {
  const auto samples = [](const BatchShape& batch, std::int64_t step) {
    std::multiset<std::int64_t> all;
    for (int rank = 0; rank < batch.world; ++rank) {
      for (int accumulation = 0; accumulation < batch.accumulations; ++accumulation) {
        for (int row = 0; row < batch.rows; ++row) {
          all.insert(sample_index(batch, step, accumulation, row, rank));
        }
      }
    }
    return all;
  };
  for (const std::int64_t step : {0, 1, 17}) {
    std::multiset<std::int64_t> expected;
    for (int i = 0; i < 16; ++i) expected.insert(step * 16 + i);
    EXPECT_EQ(samples({.rows = 4, .accumulations = 4, .world = 1}, step), expected);
    EXPECT_EQ(samples({.rows = 4, .accumulations = 2, .world = 2}, step), expected);
    EXPECT_EQ(samples({.rows = 4, .accumulations = 1, .world = 4}, step), expected);
    EXPECT_EQ(samples({.rows = 16, .accumulations = 1, .world = 1}, step), expected);
  }
}

TEST(SampleOrder, ReadsEachPlaceOnceAnEpochInAnOrderOfItsOwn) {
  for (const std::int64_t places : {1, 2, 3, 100, 1025}) {
    std::set<std::int64_t> read;
    for (std::int64_t sample = 0; sample < places; ++sample) {
      read.insert(sample_place(sample, places, 7));
    }
    EXPECT_EQ(static_cast<std::int64_t>(read.size()), places);
    EXPECT_EQ(*read.begin(), 0);
    EXPECT_EQ(*read.rbegin(), places - 1);
  }
  int equal = 0;
  for (std::int64_t sample = 0; sample < 1000; ++sample) {
    equal += sample_place(sample, 1000, 7) == sample_place(1000 + sample, 1000, 7);
  }
  EXPECT_LT(equal, 20);  // two random orders agree in about one place
}

TEST(SampleOrder, RefusesAShortText) {
  EXPECT_EQ(windows_per_epoch(65, 64), 1);
  EXPECT_EQ(sample_start(3, 65, 64, 9), 0);
  for (const std::int64_t tokens : {64, 1, 0}) {
    EXPECT_THROW(sample_start(0, tokens, 64, 9), Error);
  }
  try {
    windows_per_epoch(64, 64);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "the training text has 64 tokens, but a context of 64 needs at least 65; give more "
              "text or a shorter --context");
  }
  EXPECT_THROW(windows_per_epoch(64, 0), Error);
}

}  // namespace
}  // namespace andrea
