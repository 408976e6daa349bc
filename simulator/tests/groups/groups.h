// File: groups.h
//
// Kernels on cooperative groups. Each function runs one on `in`, with so many threads in a block,
// and gives what it wrote: one number a thread.

#ifndef ANDREA_SIMULATOR_TESTS_GROUPS_GROUPS_H_
#define ANDREA_SIMULATOR_TESTS_GROUPS_GROUPS_H_

#include <vector>

namespace simulator_test {

using Numbers = std::vector<int>;

// The sum of the thread's tile of 8, by shuffles of each kind.
Numbers sums_by_shuffle_down(const Numbers& in, int threads);
Numbers sums_by_shuffle_xor(const Numbers& in, int threads);
// The value of the tile's last rank, of the next rank, and of the rank before, in decimal places.
Numbers neighbours(const Numbers& in, int threads);
// The tile's number in the block, times 100, plus the number of tiles.
Numbers tile_numbers(const Numbers& in, int threads);
// The same for tiles of 4 in tiles of 16.
Numbers inner_tile_numbers(const Numbers& in, int threads);
// Ranks of the tile of 16 whose value is odd, as bits; and those with the thread's own value.
Numbers odd_ranks(const Numbers& in, int threads);
Numbers equal_ranks(const Numbers& in, int threads);
// Through a thread_group of 8 threads: rank + 10 * size.
Numbers dynamic_tiles(const Numbers& in, int threads);
// Threads with odd values form a group: their sum, in each of them; -1 in the others.
Numbers coalesced_sums(const Numbers& in, int threads);
// The inclusive sum over threads of the warp with the same value modulo 3.
Numbers labeled_scans(const Numbers& in, int threads);
// The part's size, plus 100 times its number, of the warp split by value < 5.
Numbers binary_parts(const Numbers& in, int threads);
// reduce with less, greater and bit_xor over tiles of 32: smallest + 100 largest + 10000 xor.
Numbers extremes(const Numbers& in, int threads);
Numbers exclusive_products(const Numbers& in, int threads);
// Each tile of 4 exchanges a struct of 20 bytes.
Numbers large_values(const Numbers& in, int threads);
// One thread of each tile of 8 adds its rank 0's value, and all get the old total of the tile's.
Numbers invoked_once(const Numbers& in, int threads);
// A reversal in shared memory, tile by tile, with the tile's sync alone.
Numbers reversed_in_tiles(const Numbers& in, int threads);
// Across all blocks: the value of the thread that is last but the caller's rank.
Numbers reversed_in_grid(const Numbers& in, int threads);

}  // namespace simulator_test

#endif  // ANDREA_SIMULATOR_TESTS_GROUPS_GROUPS_H_
