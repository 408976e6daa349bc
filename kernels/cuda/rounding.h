// File: rounding.h
//
// From float to bf16, for whole buffers. Pointers are multiples of 16.

#ifndef ANDREA_KERNELS_CUDA_ROUNDING_H_
#define ANDREA_KERNELS_CUDA_ROUNDING_H_

#include <cuda_bf16.h>

#include <cstdint>

#include "kernels/launch.h"
#include "kernels/step_scalars.h"

namespace andrea::cuda {

// Each number to the nearest bf16, ties to even; beyond the largest by half a step or more, to
// infinity.
void round_to_nearest(const float* from,  // [count]
                      __nv_bfloat16* to,  // [count]
                      std::int64_t count, const Launch& launch);

// Each number to one of its two neighbours, with probabilities that make the expectation the number
// itself. The dice are a function of the scalars' seed and step and of the number's place; what
// bf16 holds exactly stays as it is, infinities and NaN too. Beyond the largest bf16 there is no
// neighbour but infinity, of which no expectation can be made: such a number becomes the largest.
void round_at_random(const float* from,  // [count]
                     __nv_bfloat16* to,  // [count]
                     std::int64_t count,
                     const StepScalars* scalars,  // in device memory
                     const Launch& launch);

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_ROUNDING_H_
