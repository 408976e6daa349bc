// Asynchronous copies, barrier objects and atomic objects against plain loops.

#include "simulator/tests/groups/copies.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace simulator_test {
namespace {

constexpr int kTiles = 7;

Floats input() {
  Floats in(kTiles * kTile);
  for (int i = 0; i < kTiles * kTile; ++i) in[i] = static_cast<float>(i * 37 % 101);
  return in;
}

Floats reversed_and_doubled(const Floats& in) {
  Floats out = in;
  for (auto tile = out.begin(); tile != out.end(); tile += kTile) std::reverse(tile, tile + kTile);
  for (float& value : out) value *= 2;
  return out;
}

TEST(AsyncCopies, ArriveWithTheWait) {
  const Floats in = input();
  const Floats out = reversed_and_doubled(in);
  EXPECT_EQ(by_group(in), out);
  EXPECT_EQ(by_group_of_two(in), out);
  EXPECT_EQ(by_primitives(in), out);
  EXPECT_EQ(by_barrier(in), out);
}

TEST(Pipelines, HandOverEveryStage) {
  const Floats in = input();
  const Floats out = reversed_and_doubled(in);
  EXPECT_EQ(by_own_pipeline(in), out);
  EXPECT_EQ(by_unified_pipeline(in), out);
  EXPECT_EQ(by_partitioned_pipeline(in), out);
  EXPECT_EQ(by_counted_pipeline(in), out);
}

TEST(AsyncCopies, FillWithZero) {
  Floats in(kTile);
  for (int i = 0; i < kTile; ++i) in[i] = static_cast<float>(i + 1);
  Floats out = in;
  for (int i = 0; i < kTile; ++i) out[i] = i % 4 < 2 ? in[i] : 0;
  EXPECT_EQ(zero_filled(in), out);
}

TEST(AsyncCopies, TakeAnySizeByGroups) {
  Floats in(kTile);
  for (int i = 0; i < kTile; ++i) in[i] = static_cast<float>(i + 1);
  Floats out(kTile);
  std::copy_n(in.begin(), 3, out.begin() + 1);
  std::copy_n(in.begin() + 10, 25, out.begin() + 7);
  EXPECT_EQ(of_odd_sizes(in), out);
}

TEST(BarrierObjects, CountThoseWhoAreLeft) {
  const Floats came = dropping_out();
  EXPECT_EQ(came[0], 128);
  EXPECT_EQ(came[1], 96);
  EXPECT_EQ(came[2], 64);
}

TEST(BarrierObjects, AreWaitedForByParity) {
  EXPECT_EQ(by_parity(), (Floats{0, 1, 4, 9, 16, 25, 36, 49}));
}

TEST(Atomics, ReleaseWhatWasDoneBefore) {
  const Floats in = input();
  float sum = 0;
  for (const float value : in) sum += value;
  EXPECT_EQ(sum_by_last_block(in), sum);
  EXPECT_EQ(round_the_ring(6), 21);
  EXPECT_EQ(counted_under_lock(5, 40), 200);
}

TEST(Atomics, DoEveryOperation) {
  EXPECT_EQ(operations(), (std::vector<int>{5, 8, 20, 14, 12, 15, 10, 100, 8, 8, 0, 7, 1, 9, 7}));
}

}  // namespace
}  // namespace simulator_test
