// File: estimate.h
//
// What a model costs before it is run: memory, counted from the very sizes that will be allocated,
// and arithmetic.

#ifndef ANDREA_TRAINER_MODEL_ESTIMATE_H_
#define ANDREA_TRAINER_MODEL_ESTIMATE_H_

#include <cstddef>
#include <span>
#include <string>

#include "kernels/model_config.h"

namespace andrea {

struct MemoryEstimate {
  std::size_t parameters = 0;   // bytes, as all of these
  std::size_t gradients = 0;    // as large as the parameters
  std::size_t moments = 0;      // twice as large
  std::size_t weights = 0;      // a copy of the parameters in a shorter type, where there is one
  std::size_t activations = 0;  // what forward keeps for backward
  std::size_t logits = 0;       // and their gradients, in the same place
  std::size_t scratch = 0;      // working memory of the operations
  std::size_t batches = 0;      // tokens, targets and losses of a step, tokens of the next one too
  std::size_t evaluation = 0;   // what validation and samples take beside all that

  // What a run needs at once.
  std::size_t total() const {
    return parameters + gradients + moments + weights + activations + logits + scratch + batches +
           evaluation;
  }
};

// A part of the sum, by the name that people read.
struct MemoryPart {
  const char* name;                    // "moments"
  std::size_t MemoryEstimate::*bytes;  // where it is in the sum
};

// In the order of the sum.
std::span<const MemoryPart> memory_parts();

// For training with micro-batches of B sequences of T tokens, so many of them in a step: what a
// Learner allocates of the device.
MemoryEstimate estimate_training_memory(const ModelConfig& config, int B, int T,
                                        int micro_batches = 1);

// The same of an Evaluator for B sequences of T tokens, and of a Decoder.
std::size_t estimate_evaluation_memory(const ModelConfig& config, int B, int T);

// Sequences that a run validates with at once: they have about 2,048 tokens.
int validation_batch(const ModelConfig& config);

// Of all that a run allocates: both of the above, the evaluation in fp32.
MemoryEstimate estimate_run_memory(const ModelConfig& config, int B, int micro_batches);

// The largest B, up to `most`, with which such a run takes at most so many bytes, where a step
// keeps its number of sequences; 0 where there is none.
int largest_batch(const ModelConfig& config, int most, int micro_batches, std::size_t bytes);

// "parameters 679 kB, gradients 679 kB, ...": the parts that are there.
std::string parts_of(const MemoryEstimate& estimate);

// Multiplications and additions for a token, forward and backward: six a weight of every matrix
// that is multiplied with (the token and position tables are looked up, not multiplied), and
// attention's own, of which causality needs half.
double training_flops_per_token(const ModelConfig& config, int T);

// Memory that a new process can have without swapping, in bytes; where kernels run on a card, what
// is free of the card's, less what its libraries take. 0 when the system does not tell.
std::size_t available_memory();

// "1.47 GB", with three significant digits.
std::string readable_bytes(double bytes);

// "98,820,096".
std::string with_separators(long long number);

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_ESTIMATE_H_
