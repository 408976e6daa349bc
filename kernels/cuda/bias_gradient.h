// File: bias_gradient.h
//
// The gradient of a bias: the sums of the columns of dy, in float whatever dy is. They are taken in
// an order that the sizes alone decide, so results do not vary, nor from card to card.

#ifndef ANDREA_KERNELS_CUDA_BIAS_GRADIENT_H_
#define ANDREA_KERNELS_CUDA_BIAS_GRADIENT_H_

#include <cuda_bf16.h>

#include <cstddef>

#include "kernels/launch.h"

namespace andrea::cuda {

// Of launch.scratch.
std::size_t bias_gradient_scratch_bytes(int N, int width);

// dbias follows `accumulate`.
void bias_gradient(const float* dy,  // [N, width]
                   float* dbias,     // [width]
                   int N, int width, Accumulate accumulate, const Launch& launch);
void bias_gradient(const __nv_bfloat16* dy, float* dbias, int N, int width, Accumulate accumulate,
                   const Launch& launch);

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_BIAS_GRADIENT_H_
