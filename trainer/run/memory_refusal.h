// File: memory_refusal.h
//
// Whether a run fits into memory, before anything is allocated.

#ifndef ANDREA_TRAINER_RUN_MEMORY_REFUSAL_H_
#define ANDREA_TRAINER_RUN_MEMORY_REFUSAL_H_

#include <cstddef>
#include <string>

#include "kernels/model_config.h"

namespace andrea {

// Empty where a run with micro-batches of `batch` sequences, `accumulate` of them in a step, takes
// at most so many bytes; else a sentence with the sum and the largest batch that would fit. Of 0
// bytes nothing is known.
std::string memory_refusal(const ModelConfig& config, int batch, int accumulate,
                           std::size_t available);

// The sentence where memory ran out although the sum should have fitted.
std::string out_of_memory(const ModelConfig& config, int batch, int accumulate);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_MEMORY_REFUSAL_H_
