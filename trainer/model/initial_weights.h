// File: initial_weights.h
//
// The parameters before the first step, a pure function of the shape and the seed: every tensor
// draws from a stream of its own, so that adding one does not change the others.

#ifndef ANDREA_TRAINER_MODEL_INITIAL_WEIGHTS_H_
#define ANDREA_TRAINER_MODEL_INITIAL_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "kernels/parameter_layout.h"

namespace andrea {

// How large the first weights are.
enum class InitialScale {
  // GPT-2's: N(0, 0.02) for matrices, N(0, 0.02 / sqrt(2L)) for the two projections of a block that
  // write to the stream, so that the variance at its end does not depend on the number of blocks.
  gpt2,
  // N(0, 1 / sqrt(C)) for matrices and tables.
  width,
};

// Gains are 1, biases 0, padding 0. The result has layout.size() numbers.
std::vector<float> initial_weights(const ParameterLayout& layout, InitialScale scale,
                                   std::uint64_t seed);

}  // namespace andrea

#endif  // ANDREA_TRAINER_MODEL_INITIAL_WEIGHTS_H_
