// File: loss.h
//
// kernels/cross_entropy.h for logits in float or bf16: losses and gradients in one pass over the
// logits, whose place the gradients take.

#ifndef ANDREA_KERNELS_CUDA_LOSS_H_
#define ANDREA_KERNELS_CUDA_LOSS_H_

#include <cuda_bf16.h>

#include "kernels/launch.h"

namespace andrea::cuda {

// Afterwards `logits` holds the gradients, and zeros in columns V to stride - 1.
void losses_and_gradients(float* logits,       // [N, stride]
                          const int* targets,  // [N], -1: not counted
                          float* losses,       // [N]
                          float gradient_scale, int N, int V, int stride, const Launch& launch);
void losses_and_gradients(__nv_bfloat16* logits, const int* targets, float* losses,
                          float gradient_scale, int N, int V, int stride, const Launch& launch);

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_LOSS_H_
