// File: estimate.h
//
// What a model costs before it is run: memory, counted from the very sizes that will be allocated,
// and arithmetic.

#ifndef ANDREA_TRAINER_MODEL_ESTIMATE_H_
#define ANDREA_TRAINER_MODEL_ESTIMATE_H_

#include <cstddef>
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

  // What a run needs at once.
  std::size_t total() const {
    return parameters + gradients + moments + weights + activations + logits + scratch;
  }
};

// For training with micro-batches of B sequences of T tokens.
MemoryEstimate estimate_training_memory(const ModelConfig& config, int B, int T);

// Multiplications and additions for a token, forward and backward: six a weight of every matrix
// that is multiplied with (the token and position tables are looked up, not multiplied), and
// attention's own, of which causality needs half.
double training_flops_per_token(const ModelConfig& config, int T);

// Memory that a new process can have without swapping, in bytes; where kernels run on a card, what
// is free of the card's. 0 when the system does not tell.
std::size_t available_memory();

// "1.47 GB", with three significant digits.
std::string readable_bytes(double bytes);

// "98,820,096".
std::string with_separators(long long number);

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_ESTIMATE_H_
