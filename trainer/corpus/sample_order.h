// File: sample_order.h
//
// Which stretch of the text each row of each training step reads: pure functions, without state, so
// that a run taken up again, or divided among more processes, reads the same data.
//
// Training reads windows of T + 1 tokens (T inputs, and each one's successor as its target), laid
// side by side every T tokens. An epoch reads each window once. Each epoch shifts all windows by an
// offset of its own in 0 .. T-1 and reads them in an order of its own; the shift costs one window
// an epoch at most, at the text's ends, and other epochs read that.
//
//     const BatchShape batch{.rows = 4, .accumulations = 2, .world = 1};
//     const std::int64_t sample = sample_index(batch, step, accumulation, row, /*rank=*/0);
//     tokens.read(sample_start(sample, tokens.size(), T, seed), T + 1, window);

#ifndef ANDREA_TRAINER_CORPUS_SAMPLE_ORDER_H_
#define ANDREA_TRAINER_CORPUS_SAMPLE_ORDER_H_

#include <cstdint>

namespace andrea {

// Windows in an epoch of `tokens` tokens. Error: T is not positive, or there are fewer than T + 1
// tokens.
std::int64_t windows_per_epoch(std::int64_t tokens, std::int64_t T);

// Where the window of the `sample`-th sample since the beginning of training starts; sample counts
// from 0 across epochs. The result is in 0 .. tokens-T-1. Errors as above.
std::int64_t sample_start(std::int64_t sample, std::int64_t tokens, std::int64_t T,
                          std::uint64_t seed);

// The same where a window may start at `places` places only, as where documents begin: which of
// them the sample reads, in 0 .. places-1. An epoch reads each once, in an order of its own.
// `places` is at least 1.
std::int64_t sample_place(std::int64_t sample, std::int64_t places, std::uint64_t seed);

// What one training step consists of: world x accumulations x rows samples.
struct BatchShape {
  int rows = 1;           // Rows in one forward pass of one process.
  int accumulations = 1;  // Forward passes of one process whose gradients are added.
  int world = 1;          // Processes.
};

// The sample that process `rank` reads in this row of this forward pass of this step, all counted
// from 0. The samples of a step are the same, as a set, however they are divided among rows,
// accumulations and world, as long as the product is the same.
constexpr std::int64_t sample_index(const BatchShape& batch, std::int64_t step, int accumulation,
                                    int row, int rank) {
  const std::int64_t pass = (step * batch.accumulations + accumulation) * batch.world + rank;
  return pass * batch.rows + row;
}

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_SAMPLE_ORDER_H_
