// Collectives of a warp, whole and in parts.

#include <cooperative_groups.h>

#include "simulator/tests/correct/correct.h"

using simulator_test::counted;
using simulator_test::DeviceArray;
using simulator_test::equal;

namespace groups = cooperative_groups;

constexpr unsigned kWholeWarp = 0xffffffffu;

// All lanes of the block take part, those without an element with a zero; a last warp of few lanes
// asks only such lanes as exist.
__global__ void sum_of_any_size(const int* in, int n, int* out) {
  const int i = threadIdx.x;
  const int lane = i % 32;
  const int lanes = min(32, static_cast<int>(blockDim.x) - i / 32 * 32);
  int value = i < n ? in[i] : 0;
  for (int distance = 16; distance > 0; distance /= 2) {
    const int source = lane + distance;
    const int other = __shfl_sync(kWholeWarp, value, source < lanes ? source : lane);
    if (source < lanes) value += other;
  }
  if (lane == 0) atomicAdd(out, value);
}

CORRECT(shuffles_in_a_partial_warp) {
  bool right = true;
  for (const int size : {1, 31, 33, 97, 1000}) {
    const DeviceArray<int> in(std::vector<int>(size, 1));
    const DeviceArray<int> out(1);
    sum_of_any_size<<<1, size>>>(in, size, out);
    right = equal(out.values(), {size}) && right;
  }
  return right;
}

// The mask names the lanes that take the branch.
__global__ void sum_of_odd_values(const int* in, int* out) {
  const int value = in[threadIdx.x];
  const unsigned mask = __ballot_sync(kWholeWarp, value % 2 != 0);
  if (value % 2 != 0) {
    const int sum = __reduce_add_sync(mask, value);
    if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(mask)) - 1) atomicAdd(out, sum);
  }
}

CORRECT(mask_built_before_the_branch) {
  const DeviceArray<int> in(counted<int>(64));
  const DeviceArray<int> out(1);
  sum_of_odd_values<<<1, 64>>>(in, out);
  return equal(out.values(), {32 * 32});
}

// The order of what is kept is that of the lanes.
__global__ void keep_multiples_of_three(const int* in, int* out, int* count) {
  const int value = in[threadIdx.x];
  const bool keep = value % 3 == 0;
  const unsigned kept = __ballot_sync(kWholeWarp, keep);
  const unsigned before = kept & ((1u << threadIdx.x) - 1);
  if (keep) out[__popc(before)] = value;
  if (threadIdx.x == 0) *count = __popc(kept);
}

CORRECT(compaction_by_ballot) {
  const DeviceArray<int> in(counted<int>(32));
  const DeviceArray<int> out(11);
  const DeviceArray<int> count(1);
  keep_multiples_of_three<<<1, 32>>>(in, out, count);
  return equal(count.values(), {11}) && equal(out.values(), counted<int>(11, 3));
}

// One lane adds for all that are here together.
__device__ int add_together(int* counter) {
  const unsigned active = __activemask();
  const int leader = __ffs(active) - 1;
  const int lane = threadIdx.x % 32;
  int start = 0;
  if (lane == leader) start = atomicAdd(counter, __popc(active));
  start = __shfl_sync(active, start, leader);
  return start + __popc(active & ((1u << lane) - 1));
}

__global__ void number_even(int* counter, int* numbers) {
  if (threadIdx.x % 2 == 0) numbers[threadIdx.x / 2] = add_together(counter);
}

CORRECT(atomics_together_by_activemask) {
  const DeviceArray<int> counter(1);
  const DeviceArray<int> numbers(32);
  number_even<<<1, 64>>>(counter, numbers);
  std::vector<int> found = numbers.values();
  std::vector<int> seen(32, 0);
  for (const int number : found) seen.at(number) += 1;
  return equal(counter.values(), {32}) && equal(seen, std::vector<int>(32, 1));
}

// Lanes with the same key find each other.
__global__ void count_equals(const int* keys, int* out) {
  const unsigned peers = __match_any_sync(kWholeWarp, keys[threadIdx.x]);
  out[threadIdx.x] = __popc(peers);
}

CORRECT(match_of_equal_keys) {
  std::vector<int> keys;
  for (int i = 0; i < 32; ++i) keys.push_back(i % 5);
  const DeviceArray<int> in(keys);
  const DeviceArray<int> out(32);
  count_equals<<<1, 32>>>(in, out);
  std::vector<int> expected;
  for (int i = 0; i < 32; ++i) expected.push_back(i % 5 < 2 ? 7 : 6);
  return equal(out.values(), expected);
}

// Both halves of a warp call the same collective, from two branches and with two masks.
__global__ void halves_apart(int* out) {
  const int i = threadIdx.x;
  if (i < 16) {
    out[i] = __shfl_xor_sync(0x0000ffffu, i, 1);
  } else {
    out[i] = __shfl_xor_sync(0xffff0000u, i, 2);
  }
}

CORRECT(two_masks_in_one_warp) {
  const DeviceArray<int> out(32);
  halves_apart<<<1, 32>>>(out);
  std::vector<int> expected;
  for (int i = 0; i < 32; ++i) expected.push_back(i ^ (i < 16 ? 1 : 2));
  return equal(out.values(), expected);
}

// A shuffle within parts of 8 lanes, and one of a struct.
struct Best {
  float value;
  int index;
};

__global__ void best_of_eight(const float* in, Best* out) {
  Best best = {in[threadIdx.x], static_cast<int>(threadIdx.x)};
  for (int distance = 4; distance > 0; distance /= 2) {
    Best other;
    other.value = __shfl_down_sync(kWholeWarp, best.value, distance, 8);
    other.index = __shfl_down_sync(kWholeWarp, best.index, distance, 8);
    if (other.value > best.value) best = other;
  }
  if (threadIdx.x % 8 == 0) out[threadIdx.x / 8] = best;
}

CORRECT(shuffles_in_parts_of_a_warp) {
  std::vector<float> values;
  for (int i = 0; i < 32; ++i) values.push_back(static_cast<float>(i * 11 % 32));
  const DeviceArray<float> in(values);
  const DeviceArray<Best> out(4);
  best_of_eight<<<1, 32>>>(in, out);
  bool right = true;
  for (int part = 0; part < 4; ++part) {
    int expected = part * 8;
    for (int i = part * 8; i < part * 8 + 8; ++i) {
      if (values[i] > values[expected]) expected = i;
    }
    right = equal(out.values()[part].index, expected) && right;
  }
  return right;
}

// Lanes leave one by one; those that remain name only themselves.
__global__ void leave_one_by_one(int* out) {
  const int lane = threadIdx.x;
  unsigned mask = kWholeWarp;
  for (int round = 0; round < 32; ++round) {
    if (lane == round) return;
    mask &= ~(1u << round);
    out[lane] += __popc(__ballot_sync(mask, 1));
  }
}

CORRECT(lanes_that_leave) {
  const DeviceArray<int> out(32);
  leave_one_by_one<<<1, 32>>>(out);
  std::vector<int> expected;
  for (int lane = 0; lane < 32; ++lane) expected.push_back(lane * 31 - lane * (lane - 1) / 2);
  return equal(out.values(), expected);
}

__global__ void sum_by_tiles(const int* in, int* out) {
  __shared__ int staged[64];
  const groups::thread_block block = groups::this_thread_block();
  const auto tile = groups::tiled_partition<8>(block);
  const int i = block.thread_rank();
  staged[i] = in[i];
  tile.sync();
  int value = staged[tile.meta_group_rank() * 8 + 7 - tile.thread_rank()];
  for (unsigned distance = tile.size() / 2; distance > 0; distance /= 2) {
    value += tile.shfl_xor(value, distance);
  }
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = value;
}

CORRECT(tiles_of_eight) {
  const DeviceArray<int> in(std::vector<int>(64, 5));
  const DeviceArray<int> out(8);
  sum_by_tiles<<<1, 64>>>(in, out);
  return equal(out.values(), std::vector<int>(8, 40));
}

__global__ void count_with_coalesced_group(const int* in, int* count) {
  if (in[threadIdx.x] > 20) {
    const groups::coalesced_group active = groups::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(count, static_cast<int>(active.size()));
  }
}

CORRECT(coalesced_group_in_a_branch) {
  const DeviceArray<int> in(counted<int>(64));
  const DeviceArray<int> count(1);
  count_with_coalesced_group<<<1, 64>>>(in, count);
  return equal(count.values(), {43});
}
