// File: cooperative_groups.h
//
// Cooperative groups: names for sets of threads (the block, a tile of a warp, the lanes that run
// together, the grid), with the barrier and the collectives of each. Names are CUDA's.
//
//   this_thread_block()              the block
//   tiled_partition<N>(block)        tiles of 1, 2, 4, 8, 16 or 32 neighbouring threads
//   tiled_partition(group, n)        the same, where n is known only at run time
//   coalesced_threads()              the lanes of the warp that are here
//   labeled_partition(group, label)  lanes with the same label; binary_partition: the same
//   predicate this_grid()                      the grid; its sync needs cudaLaunchCooperativeKernel
//   invoke_one(group, f)             one thread of the group calls f
//
// A group's sync orders memory among its threads. A shuffle or a vote hands over values and
// promises no order of memory. Every thread of the group must come to the same call; where some do
// not, the report says who waits where.
//
// Refused with a sentence: clusters, multi-device groups, tiles of more than 32 threads.
// reduce, the scans and memcpy_async are in cooperative_groups/reduce.h, scan.h and memcpy_async.h.

#ifndef ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_H_
#define ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_H_

#ifdef __CUDACC__

#include <simulator/groups/block_and_grid.h>
#include <simulator/groups/invoke.h>
#include <simulator/groups/partition.h>
#include <simulator/groups/refused.h>
#include <simulator/groups/thread_group.h>
#include <simulator/groups/warp_groups.h>

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_COOPERATIVE_GROUPS_H_
