// Exact counts of kernels whose every access is known. The test is compiled plainly.

#include <gtest/gtest.h>
#include <simulator/counters.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "simulator/tests/profile/kernels.h"

namespace {

using profile_test::Transpose;
using simulator::AccessCounters;
using simulator::AccessKind;
using simulator::Counters;
using simulator::KernelCounters;

constexpr AccessKind kLoad = AccessKind::global_load;
constexpr AccessKind kStore = AccessKind::global_store;
constexpr AccessKind kAtomic = AccessKind::global_atomic;
constexpr AccessKind kSharedLoad = AccessKind::shared_load;
constexpr AccessKind kSharedStore = AccessKind::shared_store;

Counters counters_of(const std::function<void()>& launch) {
  simulator::start_counting();
  launch();
  return simulator::stop_counting();
}

void expect_global(const AccessCounters& counters, std::uint64_t requests, std::uint64_t lanes,
                   std::uint64_t sectors, std::uint64_t least) {
  EXPECT_EQ(counters.requests, requests);
  EXPECT_EQ(counters.lanes, lanes);
  EXPECT_EQ(counters.sectors, sectors);
  EXPECT_EQ(counters.least_sectors, least);
}

void expect_shared(const AccessCounters& counters, std::uint64_t requests, std::uint64_t wavefronts,
                   std::uint64_t least) {
  EXPECT_EQ(counters.requests, requests);
  EXPECT_EQ(counters.wavefronts, wavefronts);
  EXPECT_EQ(counters.least_wavefronts, least);
}

TEST(Counters, VectorAddWithAPartialLastWarp) {
  const Counters counters = counters_of([] { profile_test::vector_add(1000, 128); });
  ASSERT_TRUE(counters.counted());
  const KernelCounters& add = counters.kernel("profile_test::add");
  EXPECT_EQ(add.launches, 1u);
  EXPECT_EQ(add.blocks, 8u);
  EXPECT_EQ(add.threads, 1024u);
  // 31 warps and 8 lanes of another; the other 24 lanes of that one have left.
  expect_global(add.of(kLoad), 2 * 32, 2 * 1000, 2 * 125, 2 * 125);
  expect_global(add.of(kStore), 32, 1000, 125, 125);
  EXPECT_EQ(add.of(kStore).warp_lanes, 1024u);
  EXPECT_EQ(add.bytes_moved(), 3u * 125 * 32);
  EXPECT_EQ(add.least_bytes_moved(), add.bytes_moved());
}

TEST(Counters, StridedReads) {
  for (const int stride : {1, 2, 3, 8, 32}) {
    const Counters counters = counters_of([&] { profile_test::strided_read(stride); });
    const std::uint64_t bytes = 4u * static_cast<unsigned>(stride) * 32;
    const std::uint64_t sectors = std::min<std::uint64_t>(32, bytes / 32);
    expect_global(counters.kernels()[0].of(kLoad), 1, 32, sectors, 4);
    expect_global(counters.kernels()[0].of(kStore), 1, 32, 4, 4);
  }
  const Counters counters = counters_of([] { profile_test::misaligned_read(); });
  expect_global(counters.kernels()[0].of(kLoad), 1, 32, 5, 4);
}

TEST(Counters, VectorLoads) {
  const Counters counters = counters_of([] { profile_test::float4_copy(256); });
  expect_global(counters.kernels()[0].of(kLoad), 8, 256, 8 * 16, 8 * 16);
  expect_global(counters.kernels()[0].of(kStore), 8, 256, 8 * 16, 8 * 16);
}

TEST(Counters, Transpose) {
  constexpr int kSize = 64;
  constexpr std::uint64_t kRequests = kSize * kSize / 32;
  const auto kernel = [](Transpose how) {
    return counters_of([&] { profile_test::transpose(how, kSize); }).kernels()[0];
  };
  const KernelCounters naive = kernel(Transpose::naive);
  expect_global(naive.of(kLoad), kRequests, kSize * kSize, 4 * kRequests, 4 * kRequests);
  expect_global(naive.of(kStore), kRequests, kSize * kSize, 32 * kRequests, 4 * kRequests);
  EXPECT_EQ(naive.bytes_moved(), 36 * kRequests * 32);
  EXPECT_EQ(naive.least_bytes_moved(), 2u * kSize * kSize * 4);

  const KernelCounters tiled = kernel(Transpose::tiled);
  expect_global(tiled.of(kStore), kRequests, kSize * kSize, 4 * kRequests, 4 * kRequests);
  expect_shared(tiled.of(kSharedStore), kRequests, kRequests, kRequests);
  expect_shared(tiled.of(kSharedLoad), kRequests, 32 * kRequests, kRequests);
  EXPECT_EQ(tiled.barriers, 4u);
  EXPECT_EQ(tiled.barriers_of_fewer, 0u);
  EXPECT_EQ(tiled.shared_bytes, 4096u);

  const KernelCounters padded = kernel(Transpose::padded);
  expect_shared(padded.of(kSharedStore), kRequests, kRequests, kRequests);
  expect_shared(padded.of(kSharedLoad), kRequests, kRequests, kRequests);
  EXPECT_EQ(padded.bytes_moved(), padded.least_bytes_moved());
}

TEST(Counters, BarriersThatTheRestOfABlockPasses) {
  for (const int staying : {48, 47, 32, 1, 0}) {
    const Counters counters = counters_of([&] { profile_test::leave_before_barrier(staying); });
    const KernelCounters& kernel = counters.kernels()[0];
    EXPECT_EQ(kernel.barriers, staying > 0 ? 1u : 0u) << staying;
    EXPECT_EQ(kernel.barriers_of_fewer, staying > 0 && staying < 48 ? 1u : 0u) << staying;
  }
}

// A warp has two rows of 16 threads: for each k it reads one float of each of two rows of A, and 64
// bytes of B, twice.
TEST(Counters, NaiveMatmulMovesItsMatricesOverAndOver) {
  constexpr std::uint64_t kSize = 64;
  const Counters counters = counters_of([] { profile_test::matmul_naive(kSize); });
  const KernelCounters& kernel = counters.kernels()[0];
  constexpr std::uint64_t kWarps = kSize * kSize / 32;
  expect_global(kernel.of(kLoad), 2 * kWarps * kSize, 2 * kSize * kSize * kSize,
                (2 + 2) * kWarps * kSize, (1 + 2) * kWarps * kSize);
  expect_global(kernel.of(kStore), kWarps, kSize * kSize, 4 * kWarps, 4 * kWarps);
  EXPECT_EQ(kernel.least_bytes_moved(), 3 * kSize * kSize * 4);
  EXPECT_EQ(kernel.bytes_moved(), 4 * kSize * kSize * kSize + kSize * kSize * 4);
}

TEST(Counters, TiledMatmulMovesASixteenthOfIt) {
  constexpr std::uint64_t kSize = 64;
  const Counters counters = counters_of([] { profile_test::matmul_tiled(kSize); });
  const KernelCounters& kernel = counters.kernels()[0];
  constexpr std::uint64_t kWarps = kSize * kSize / 32;
  constexpr std::uint64_t kTiles = kSize / 16;
  // Each tile's row of 16 floats is two sectors; a warp has two rows of each tile.
  expect_global(kernel.of(kLoad), 2 * kWarps * kTiles, 2 * kSize * kSize * kTiles,
                2 * 4 * kWarps * kTiles, 2 * 4 * kWarps * kTiles);
  EXPECT_EQ(kernel.bytes_moved(), 2 * kSize * kSize * kSize / 16 * 4 + kSize * kSize * 4);
  // tile_a: two words, 16 apart; tile_b: 16 words. Neither is in its own way.
  expect_shared(kernel.of(kSharedLoad), 2 * kWarps * kSize, 2 * kWarps * kSize, 2 * kWarps * kSize);
  expect_shared(kernel.of(kSharedStore), 2 * kWarps * kTiles, 2 * kWarps * kTiles,
                2 * kWarps * kTiles);
  EXPECT_EQ(kernel.barriers, 2 * kTiles * kSize * kSize / 256);
}

TEST(Counters, WideSharedAccessesGoByPartsOfTheWarp) {
  expect_shared(counters_of([] { profile_test::shared_float2(); }).kernels()[0].of(kSharedLoad), 1,
                2, 2);
  expect_shared(counters_of([] { profile_test::shared_float4(); }).kernels()[0].of(kSharedLoad), 1,
                4, 4);
  // 16 lanes, 8 words apart: 4 starts of a bank, so 4 lanes in each of 8 banks.
  expect_shared(
      counters_of([] { profile_test::shared_float2_strided(); }).kernels()[0].of(kSharedLoad), 1, 8,
      2);
}

TEST(Counters, LanesShareAWordButNotABank) {
  expect_shared(
      counters_of([] { profile_test::half_warp_broadcast(); }).kernels()[0].of(kSharedLoad), 1, 2,
      1);
}

TEST(Counters, AtomicsOnOneAddressTakeTurns) {
  const KernelCounters kernel =
      counters_of([] { profile_test::atomics_on_one_address(); }).kernels()[0];
  expect_global(kernel.of(kAtomic), 3, 65, 3, 3);
  EXPECT_EQ(kernel.of(kAtomic).turns, 65u);
  expect_shared(kernel.of(AccessKind::shared_atomic), 2, 64, 2);
  EXPECT_EQ(kernel.of(kLoad).requests, 0u);
  EXPECT_EQ(kernel.bytes_moved(), 3u * 32);
  EXPECT_EQ(kernel.least_bytes_moved(), 32u);
}

// Written as a load and a compare-and-swap: one access all the same.
TEST(Counters, AtomicOnFloat) {
  const KernelCounters kernel = counters_of([] { profile_test::atomic_float(); }).kernels()[0];
  expect_global(kernel.of(kAtomic), 1, 32, 4, 4);
  EXPECT_EQ(kernel.of(kAtomic).turns, 1u);
  EXPECT_EQ(kernel.of(kLoad).requests, 0u);
}

TEST(Counters, CodeIsExecutedByAWarpOrPartsOfIt) {
  const KernelCounters kernel = counters_of([] { profile_test::odd_lanes_count(); }).kernels()[0];
  // All lanes before and after; the 16 odd ones go round their loop 10 times.
  std::uint64_t whole = 0;
  std::uint64_t half = 0;
  for (const simulator::LineCounters& line : kernel.lines) {
    if (line.kind != AccessKind::execution) continue;
    EXPECT_EQ(line.counters.warp_lanes, line.counters.requests * 32);
    if (line.counters.lanes == line.counters.requests * 32) whole += line.counters.requests;
    if (line.counters.lanes == line.counters.requests * 16) half += line.counters.requests;
  }
  const AccessCounters& all = kernel.of(AccessKind::execution);
  EXPECT_EQ(whole + half, all.requests);
  EXPECT_EQ(whole, 2u);
  EXPECT_GE(half, 10u);
  EXPECT_LE(half, 12u);
  EXPECT_EQ(all.lanes, whole * 32 + half * 16);
}

TEST(Counters, DivergentBranchTakesHalfTheLanes) {
  const KernelCounters kernel = counters_of([] { profile_test::divergent(); }).kernels()[0];
  const AccessCounters& stores = kernel.of(kStore);
  EXPECT_EQ(stores.lanes, stores.requests * 16);
  EXPECT_EQ(stores.warp_lanes, stores.requests * 32);
  EXPECT_GE(stores.requests, 2u);
}

TEST(Counters, BlocksOfTwoDimensions) {
  // A warp is two rows of 16, in a matrix whose rows are 256 bytes.
  const KernelCounters square = counters_of([] { profile_test::rows_of(16, 16); }).kernels()[0];
  expect_global(square.of(kLoad), 8, 256, 8 * 4, 8 * 4);
  // 99 threads: a warp in row 0; one with its last float and 31 of row 1; one with the last two of
  // that, which lie in two sectors, and 30 of row 2; three lanes with the rest, in two sectors.
  const KernelCounters odd = counters_of([] { profile_test::rows_of(33, 3); }).kernels()[0];
  expect_global(odd.of(kLoad), 4, 99, 4 + (1 + 4) + (2 + 4) + 2, 4 + 4 + 4 + 1);
  EXPECT_EQ(odd.of(kLoad).warp_lanes, 99u);
}

TEST(Counters, LanesAreMatchedAnewAfterABarrier) {
  const KernelCounters kernel =
      counters_of([] { profile_test::matched_after_barrier(); }).kernels()[0];
  // The k-th round has the lanes above k; after the barrier four rounds have all of them.
  expect_global(kernel.of(kLoad), 31 + 4, 31 * 32 / 2 + 4 * 32, 31 + 4, 31 + 4);
}

TEST(Counters, LocalArraysOfWhichTheAddressIsTaken) {
  const KernelCounters kernel = counters_of([] { profile_test::local_array(); }).kernels()[0];
  EXPECT_GE(kernel.of(AccessKind::local).requests, 16u);
  std::size_t bytes = 0;
  for (const simulator::LineCounters& line : kernel.lines) {
    bytes = std::max(bytes, line.local_bytes);
  }
  EXPECT_EQ(bytes, 64u);
}

TEST(Counters, StructsGoInWords) {
  const KernelCounters kernel = counters_of([] { profile_test::copies_struct(); }).kernels()[0];
  EXPECT_EQ(kernel.of(kLoad).lanes, 6u * 32);
  EXPECT_EQ(kernel.of(kLoad).requests, 6u);
  EXPECT_EQ(kernel.least_bytes_moved(), 2u * 32 * 24);
}

TEST(Counters, VariablesAreApart) {
  const KernelCounters reads = counters_of([] { profile_test::reads_constant(); }).kernels()[0];
  EXPECT_EQ(reads.of(AccessKind::variable_load).requests, 1u);
  EXPECT_EQ(reads.of(kLoad).requests, 0u);
  const KernelCounters writes =
      counters_of([] { profile_test::counts_in_device_variable(); }).kernels()[0];
  expect_global(writes.of(kAtomic), 1, 32, 1, 1);
  EXPECT_EQ(writes.least_bytes_moved(), 32u);
}

TEST(Counters, LongLoopsTakeNoMemory) {
  constexpr int kRounds = 100000;
  const KernelCounters kernel = counters_of([] { profile_test::long_loop(kRounds); }).kernels()[0];
  expect_global(kernel.of(kLoad), kRounds, 32u * kRounds, 4u * kRounds, 4u * kRounds);
  EXPECT_EQ(kernel.ungrouped, 0u);
}

TEST(Counters, NamesAndTotals) {
  const Counters counters = counters_of([] {
    profile_test::templated();
    profile_test::vector_add(64, 32);
    profile_test::vector_add(64, 32);
  });
  EXPECT_EQ(counters.kernels().size(), 3u);
  EXPECT_EQ(counters.kernel("profile_test::scale<2>").blocks, 1u);
  EXPECT_EQ(counters.kernel("profile_test::scale< 3 >").blocks, 2u);
  EXPECT_EQ(counters.kernel("profile_test::add").launches, 2u);
  EXPECT_EQ(counters.total().launches, 4u);
  EXPECT_EQ(counters.total().of(kStore).requests, 1u + 2 + 2 * 2);
  try {
    (void)counters.kernel("missing");
    FAIL() << "there is no such kernel";
  } catch (const std::out_of_range& error) {
    EXPECT_NE(std::string(error.what()).find("scale<2>, "), std::string::npos) << error.what();
  }
}

TEST(Counters, LinesTellWhereAndHow) {
  const KernelCounters kernel =
      counters_of([] { profile_test::transpose(Transpose::naive, 64); }).kernels()[0];
  ASSERT_GE(kernel.lines.size(), 2u);
  const simulator::LineCounters& worst = kernel.lines[0];
  EXPECT_EQ(worst.kind, kStore);
  EXPECT_EQ(worst.stride.value_or(0), 64 * 4);
  EXPECT_EQ(worst.bytes, 4u);
  EXPECT_GT(worst.line, 0);
  EXPECT_NE(worst.file.find("kernels.cu"), std::string::npos) << worst.file;
  EXPECT_EQ(worst.line, kernel.lines[1].line);
}

TEST(Counters, OnlyWhatLiesBetweenStartAndStop) {
  profile_test::vector_add(64, 32);
  const Counters none = counters_of([] {});
  EXPECT_TRUE(none.counted());
  EXPECT_TRUE(none.kernels().empty());
  EXPECT_THROW((void)none.kernel("profile_test::add"), std::out_of_range);
  EXPECT_THROW((void)simulator::stop_counting(), std::logic_error);
  simulator::start_counting();
  profile_test::vector_add(64, 32);
  EXPECT_TRUE(counters_of([] {}).kernels().empty());  // started again
}

// What a counted kernel has written is not "never written" for the checker afterwards.
TEST(Counters, TheCheckerGoesOnAfterwards) {
  (void)counters_of([] { profile_test::initialise(50); });
  EXPECT_EQ(profile_test::use_initialised(50), 50);
}

}  // namespace
