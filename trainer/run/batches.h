// File: batches.h
//
// The micro-batches of each step, as windows of T + 1 training tokens.
//
// Where documents are longer than T, windows lie anywhere (sample_order.h). Where they are shorter,
// as stories are, a window begins where a document begins, and runs on into the documents after it:
// what a document says at its start is what its end refers to, so a window that cuts the start off
// teaches little.

#ifndef ANDREA_TRAINER_RUN_BATCHES_H_
#define ANDREA_TRAINER_RUN_BATCHES_H_

#include <cstdint>
#include <vector>

#include "trainer/corpus/corpus.h"
#include "trainer/corpus/sample_order.h"

namespace andrea {

struct Batch {
  std::vector<int> tokens;   // [B, T]
  std::vector<int> targets;  // [B, T], each the token after
};

// Where the windows of a corpus may begin: where rows of whole short documents do, or anywhere,
// told by an empty list.
std::vector<std::int64_t> window_starts(const Corpus& corpus, int T);

// Reads batches out of a corpus, in an order that the seed decides.
class Batches {
 public:
  // `shards` must outlive this object. Error: they have fewer than T + 1 tokens.
  Batches(const TokenShards& shards, std::vector<std::int64_t> starts, const BatchShape& shape,
          int T, std::uint64_t seed);

  // A pure function of (seed, step, accumulation, rank); steps count from 1. The reference is valid
  // until the next call.
  const Batch& read(std::int64_t step, int accumulation, int rank = 0);

 private:
  std::int64_t window_start(std::int64_t sample) const;

  const TokenShards& shards_;
  std::vector<std::int64_t> starts_;
  BatchShape shape_;
  int T_;
  std::uint64_t seed_;
  std::vector<int> window_;  // [T + 1]
  Batch batch_;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_BATCHES_H_
