// File: batches.h
//
// The micro-batches of each step, as windows of the training tokens.

#ifndef ANDREA_TRAINER_RUN_BATCHES_H_
#define ANDREA_TRAINER_RUN_BATCHES_H_

#include <cstdint>
#include <vector>

#include "trainer/corpus/sample_order.h"
#include "trainer/corpus/token_shards.h"

namespace andrea {

struct Batch {
  std::vector<int> tokens;   // [B, T]
  std::vector<int> targets;  // [B, T], each the token after
};

class Batches {
 public:
  // `shards` must outlive this object.
  Batches(const TokenShards& shards, const BatchShape& shape, int T, std::uint64_t seed);

  // A pure function of (seed, step, accumulation, rank); steps count from 1. The reference is valid
  // until the next call.
  const Batch& read(std::int64_t step, int accumulation, int rank = 0);

 private:
  const TokenShards& shards_;
  BatchShape shape_;
  int T_;
  std::uint64_t seed_;
  std::vector<int> window_;  // [T + 1]
  Batch batch_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_BATCHES_H_
