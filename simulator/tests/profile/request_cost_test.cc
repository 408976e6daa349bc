// What single requests cost, and how lanes are put together.

#include "simulator/profile/request_cost.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include "simulator/profile/lane_log.h"
#include "simulator/profile/sector_set.h"

namespace {

using simulator::Request;

constexpr std::uintptr_t kBase = 0x10000;

struct Warp {
  std::array<std::uintptr_t, 32> addresses{};
  explicit Warp(const std::function<std::uintptr_t(unsigned)>& offset) {
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = kBase + offset(lane);
  }
  Request request(unsigned bytes, std::uint32_t lanes = ~0u) const {
    return {addresses.data(), lanes, bytes};
  }
};

unsigned sectors(const Warp& warp, unsigned bytes, std::uint32_t lanes = ~0u) {
  return simulator::global_cost(warp.request(bytes, lanes)).sectors.count();
}
unsigned least_sectors(const Warp& warp, unsigned bytes, std::uint32_t lanes = ~0u) {
  return simulator::global_cost(warp.request(bytes, lanes)).least_sectors;
}
unsigned wavefronts(const Warp& warp, unsigned bytes, std::uint32_t lanes = ~0u) {
  return simulator::shared_cost(warp.request(bytes, lanes), false).wavefronts;
}

TEST(GlobalCost, CountsSectors) {
  const Warp row([](unsigned lane) { return 4 * lane; });
  EXPECT_EQ(sectors(row, 4), 4u);
  EXPECT_EQ(least_sectors(row, 4), 4u);
  EXPECT_EQ(sectors(row, 4, 0xff), 1u);
  const Warp shifted([](unsigned lane) { return 4 * lane + 4; });
  EXPECT_EQ(sectors(shifted, 4), 5u);
  const Warp column([](unsigned lane) { return 4096 * lane; });
  EXPECT_EQ(sectors(column, 4), 32u);
  EXPECT_EQ(least_sectors(column, 4), 4u);
  const Warp one([](unsigned) { return 0; });
  EXPECT_EQ(sectors(one, 4), 1u);
  EXPECT_EQ(least_sectors(one, 4), 1u);
  const Warp bytes([](unsigned lane) { return lane; });
  EXPECT_EQ(sectors(bytes, 1), 1u);
  const Warp halves([](unsigned lane) { return 2 * lane; });
  EXPECT_EQ(sectors(halves, 2), 2u);
  const Warp vectors([](unsigned lane) { return 16 * lane; });
  EXPECT_EQ(sectors(vectors, 16), 16u);
  const Warp backwards([](unsigned lane) { return 4 * (31 - lane); });
  EXPECT_EQ(sectors(backwards, 4), 4u);
  // Across the border of two sectors.
  const Warp unaligned([](unsigned lane) { return 64 * lane + 30; });
  EXPECT_EQ(sectors(unaligned, 4), 64u);
}

// Against the plain definition.
TEST(GlobalCost, AgreesWithASetOnScatteredAddresses) {
  std::uint32_t state = 1;
  for (int round = 0; round < 200; ++round) {
    const Warp warp([&](unsigned) {
      state = state * 1664525 + 1013904223;
      return state / 1024 % 1024 * 4;
    });
    std::set<std::uintptr_t> expected;
    const std::uint32_t lanes = state | 1;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (lanes >> lane & 1) expected.insert(warp.addresses[lane] / 32);
    }
    EXPECT_EQ(sectors(warp, 4, lanes), expected.size());
  }
}

TEST(SharedCost, CountsWavefronts) {
  EXPECT_EQ(wavefronts(Warp([](unsigned lane) { return 4 * lane; }), 4), 1u);
  EXPECT_EQ(wavefronts(Warp([](unsigned) { return 0; }), 4), 1u);
  for (const unsigned stride : {1u, 2u, 3u, 4u, 8u, 16u, 31u, 32u, 33u}) {
    const unsigned ways = std::gcd(stride, 32u);
    EXPECT_EQ(wavefronts(Warp([&](unsigned lane) { return 4 * stride * lane; }), 4), ways)
        << stride;
  }
  // Bytes and halves of one word go together.
  EXPECT_EQ(wavefronts(Warp([](unsigned lane) { return lane; }), 1), 1u);
  EXPECT_EQ(wavefronts(Warp([](unsigned lane) { return 2 * lane; }), 2), 1u);
  EXPECT_EQ(wavefronts(Warp([](unsigned lane) { return 8 * lane; }), 8), 2u);
  EXPECT_EQ(wavefronts(Warp([](unsigned lane) { return 8 * lane; }), 8, 0xffff), 1u);
  EXPECT_EQ(wavefronts(Warp([](unsigned lane) { return 16 * lane; }), 16), 4u);
  EXPECT_EQ(wavefronts(Warp([](unsigned lane) { return 128 * lane; }), 16), 32u);
}

TEST(SharedCost, AtomicsOnOneWordTakeTurns) {
  const Warp one([](unsigned) { return 0; });
  EXPECT_EQ(simulator::shared_cost(one.request(4), true).wavefronts, 32u);
  EXPECT_EQ(simulator::shared_cost(one.request(4), false).wavefronts, 1u);
  EXPECT_EQ(simulator::most_on_one_address(one.request(4, 0xf0f)), 8u);
  EXPECT_EQ(simulator::most_on_one_address(Warp([](unsigned l) { return l / 4 * 4; }).request(4)),
            4u);
}

TEST(Stride, IsThatOfMostNeighbours) {
  EXPECT_EQ(simulator::stride(Warp([](unsigned l) { return 256 * l; }).request(4)), 256);
  EXPECT_EQ(simulator::stride(Warp([](unsigned l) { return 4 * (31 - l); }).request(4)), -4);
  EXPECT_EQ(simulator::stride(Warp([](unsigned) { return 8; }).request(4)), 0);
  // Two rows of 16.
  EXPECT_EQ(
      simulator::stride(Warp([](unsigned l) { return l % 16 * 4 + l / 16 * 999; }).request(4)), 4);
  // Every other lane.
  EXPECT_EQ(simulator::stride(Warp([](unsigned l) { return 4 * l; }).request(4, 0x55555555)), 4);
  EXPECT_FALSE(simulator::stride(Warp([](unsigned l) { return l * l * l * 4; }).request(4)));
  EXPECT_FALSE(simulator::stride(Warp([](unsigned l) { return l; }).request(4, 1)));
}

TEST(LaneLog, KeepsLoopsAsRuns) {
  simulator::LaneLog log;
  for (unsigned i = 0; i < 1000; ++i) log.add(kBase + 4 * i);
  EXPECT_EQ(log.runs(), 1u);
  for (unsigned i = 0; i < 1000; ++i) log.add(kBase - 4096 * i);
  EXPECT_EQ(log.runs(), 2u);
  EXPECT_EQ(log.run(1).count, 1000u);
  log.clear();
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(log.runs(), 0u);
}

// What goes in comes out, round by round, in whatever runs it was kept.
TEST(LaneLog, RoundsGiveBackWhatWasAdded) {
  simulator::WarpLog log;
  std::array<std::vector<std::uintptr_t>, 32> added;
  std::uint32_t state = 7;
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::uintptr_t address = kBase + lane * 4;
    for (unsigned i = 0; i < 10 * (lane % 5); ++i) {
      state = state * 1664525 + 1013904223;
      address += state / 65536 % 4 == 0 ? state / 1024 % 4096 : 128;
      added[lane].push_back(address);
      log[lane].add(address);
    }
  }
  std::array<std::size_t, 32> at{};
  for (simulator::Rounds rounds(log); rounds.lanes() != 0; rounds.advance(1)) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      ASSERT_EQ(rounds.lanes() >> lane & 1, at[lane] < added[lane].size() ? 1u : 0u);
      if (at[lane] < added[lane].size()) {
        EXPECT_EQ(rounds.addresses()[lane], added[lane][at[lane]++]);
      }
    }
  }
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(at[lane], added[lane].size());
}

TEST(LaneLog, WholeStretchesAtOnce) {
  simulator::WarpLog log;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 16; ++i) log[lane].add(kBase + lane * 64 + i * 4);
  }
  simulator::Rounds rounds(log);
  EXPECT_EQ(rounds.stretch(), 16u);
  EXPECT_TRUE(rounds.in_step(4));
  EXPECT_FALSE(rounds.in_step(8));
  rounds.advance(16);
  EXPECT_EQ(rounds.lanes(), 0u);
}

TEST(SectorSet, CountsEachOnceAndGivesRanges) {
  simulator::SectorSet set(kBase, 1 << 20);
  const std::uintptr_t first = kBase / 32;
  for (int times = 0; times < 2; ++times) {
    for (std::uintptr_t i = 60; i < 200; ++i) set.add(first + i);
  }
  set.add(first + 300);
  set.add(first);
  EXPECT_EQ(set.count(), 142u);
  const auto ranges = set.ranges();
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].address, kBase);
  EXPECT_EQ(ranges[1].address, kBase + 60 * 32);
  EXPECT_EQ(ranges[1].bytes, 140u * 32);
  EXPECT_EQ(ranges[2].bytes, 32u);
  set.clear();
  EXPECT_EQ(set.count(), 0u);
  EXPECT_TRUE(set.ranges().empty());
}

}  // namespace
