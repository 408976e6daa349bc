// File: kernel.h
//
// The exam of lesson 07: cross-entropy against a distribution that gives each of the V tokens
// smoothing / V and the target 1 - smoothing more. p[n, v] is the softmax of row n of the logits
// over its first V columns; columns V to stride - 1 are padding. A target of -1 is not counted. All
// pointers are device pointers.

#ifndef ANDREA_EXAM_X07_LABEL_SMOOTHING_KERNEL_H_
#define ANDREA_EXAM_X07_LABEL_SMOOTHING_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::exam07 {

// x07.1  losses[n] = - (1 - smoothing) * log p[n, targets[n]] - smoothing * mean over v of
//                    log p[n, v]; 0 where the target is -1
void smoothed_losses(const float* logits,  // [N, stride]
                     const int* targets,   // [N], each below V
                     float* losses,        // [N]
                     float smoothing, int N, int V, int stride, const Launch& launch);

// x07.2  logits[n, v] becomes the gradient of gradient_scale times the sum of the losses; 0 in the
//        padding, and in rows whose target is -1
void gradient_of_logits(float* logits,       // [N, stride]
                        const int* targets,  // [N]
                        float smoothing, float gradient_scale, int N, int V, int stride,
                        const Launch& launch);

}  // namespace andrea::exam07

#endif  // ANDREA_EXAM_X07_LABEL_SMOOTHING_KERNEL_H_
