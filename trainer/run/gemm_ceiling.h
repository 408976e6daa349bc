// File: gemm_ceiling.h
//
// How quickly this machine multiplies matrices: what a training step is measured against.

#ifndef ANDREA_TRAINER_RUN_GEMM_CEILING_H_
#define ANDREA_TRAINER_RUN_GEMM_CEILING_H_

#include "kernels/model_config.h"

namespace andrea {

// The seconds of all matrix products of one training step over N tokens (forward, gradients of
// inputs and of weights, of every linear layer and of the output projection) and of nothing else,
// through the linear layer and the dot similarity that the program is linked with. The best of
// `repeats` passes.
double gemm_floor_seconds(const ModelConfig& config, int N, int repeats);

// Multiplications and additions a second over N tokens at the layers of `config`, measured in about
// a tenth of a second: on the CPU through the linear layer that the program is linked with, on a
// card through cuBLAS.
double gemm_ceiling(const ModelConfig& config, int N);

// The second of the two, wherever it runs: what cuBLAS reaches in the precision of `config`, on
// numbers that differ as real ones do, since a card slows down by the power that they cost.
double cublas_ceiling(const ModelConfig& config, int N);

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_GEMM_CEILING_H_
