// File: replayed_block.h
//
// What the test of 06.9 does with record and replay. It stands apart from the test, since a graph
// exists only in the program that has recorded it.

#ifndef ANDREA_LESSONS_06_RESIDUAL_BLOCK_REPLAYED_BLOCK_H_
#define ANDREA_LESSONS_06_RESIDUAL_BLOCK_REPLAYED_BLOCK_H_

#include <cstdint>

#include "kernels/attention.h"
#include "kernels/block.h"
#include "kernels/launch.h"

namespace andrea::lesson06 {

struct Replayed {
  bool is_recorded;           // there is something to replay
  bool done_while_recording;  // the work was not only recorded
  std::int64_t calls;         // of the work
  std::int64_t operations;    // that the graph has
};

// Records the ten operations of a block's forward pass once, the sums by further.h's own `add`, and
// replays them on x and then on `second`; F is the width inside the MLP. launch.scratch suffices
// for each operation.
Replayed replay_block(const AttentionShape& shape, int F, const BlockTensors<const float>& p,
                      const float* x,       // [B, T, C]
                      const float* second,  // [B, T, C]
                      float* y_first,       // [B, T, C]
                      float* y_second,      // [B, T, C]
                      const Launch& launch);

}  // namespace andrea::lesson06

#endif  // ANDREA_LESSONS_06_RESIDUAL_BLOCK_REPLAYED_BLOCK_H_
