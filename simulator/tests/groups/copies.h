// File: copies.h
//
// Kernels that copy asynchronously, meet at barrier objects and use atomic objects.

#ifndef ANDREA_SIMULATOR_TESTS_GROUPS_COPIES_H_
#define ANDREA_SIMULATOR_TESTS_GROUPS_COPIES_H_

#include <vector>

namespace simulator_test {

using Floats = std::vector<float>;

inline constexpr int kTile = 128;

// Each gives twice the input, every tile of kTile elements reversed.
Floats by_group(const Floats& in);         // cooperative_groups::memcpy_async and wait
Floats by_group_of_two(const Floats& in);  // the same, with wait_prior
Floats by_primitives(const Floats& in);    // __pipeline_memcpy_async
Floats by_barrier(const Floats& in);       // cuda::memcpy_async with a cuda::barrier
Floats by_own_pipeline(const Floats& in);  // cuda::pipeline of a thread
Floats by_unified_pipeline(const Floats& in);
Floats by_partitioned_pipeline(const Floats& in);  // a warp produces, the others consume
Floats by_counted_pipeline(const Floats& in);      // the same, by the number of producers

// The first 8 bytes of each 16 copied, the rest filled with zero.
Floats zero_filled(const Floats& in);
// Copies of 12 bytes and of 100, to odd places.
Floats of_odd_sizes(const Floats& in);

// Rounds at a barrier object that threads leave one warp after another: how many came in each.
Floats dropping_out();
// One warp works while the others wait for the phase's parity.
Floats by_parity();

// The sum of all, by the block that is last to finish.
float sum_by_last_block(const Floats& in);
// A value handed from block to block round a ring, by flags.
int round_the_ring(int blocks);
// A counter behind a lock of cuda::atomic_ref.
int counted_under_lock(int blocks, int threads);
// The results of every operation of atomic, one a place.
std::vector<int> operations();

}  // namespace simulator_test

#endif  // ANDREA_SIMULATOR_TESTS_GROUPS_COPIES_H_
