// File: loss.h
//
// kernels/cross_entropy.h for logits in float or bf16: losses and gradients in one pass over the
// logits, whose place the gradients take. Rows of any stride; where 16 bytes divide it, a thread
// moves 16 bytes at once, and `logits` is a multiple of 16.

#ifndef ANDREA_KERNELS_CUDA_LOSS_H_
#define ANDREA_KERNELS_CUDA_LOSS_H_

#include <cuda_bf16.h>

#include "kernels/launch.h"

namespace andrea::cuda {

// Losses alone; the logits stay as they are.
void losses_of(const float* logits,  // [N, stride]
               const int* targets,   // [N], -1: not counted
               float* losses,        // [N]
               int N, int V, int stride, const Launch& launch);
void losses_of(const __nv_bfloat16* logits, const int* targets, float* losses, int N, int V,
               int stride, const Launch& launch);

// Afterwards `logits` holds the gradients, and zeros in columns V to stride - 1.
void losses_and_gradients(float* logits,       // [N, stride]
                          const int* targets,  // [N], -1: not counted
                          float* losses,       // [N]
                          float gradient_scale, int N, int V, int stride, const Launch& launch);
void losses_and_gradients(__nv_bfloat16* logits, const int* targets, float* losses,
                          float gradient_scale, int N, int V, int stride, const Launch& launch);

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_LOSS_H_
