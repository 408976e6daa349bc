// File: cross_entropy.h
//
// Softmax cross-entropy: how surprised the model is, in nats, by the token that came next.
//
//   loss[n] = log(sum over v of exp(logits[n, v])) - logits[n, targets[n]]
//   dlogits[n, v] = gradient_scale * (softmax(logits[n, :])[v] - (v == targets[n]))
//
// A target of -1 means "not counted": its loss is 0 and its gradients are 0.

#ifndef ANDREA_KERNELS_CROSS_ENTROPY_H_
#define ANDREA_KERNELS_CROSS_ENTROPY_H_

#include "kernels/launch.h"

namespace andrea {

// Precondition for both: every target in -1 .. V-1, and stride >= V.
void cross_entropy_forward(const float* logits,  // [N, stride], of which V columns are read
                           const int* targets,   // [N]
                           float* losses,        // [N]
                           int N, int V, int stride, const Launch& launch);

// Forward and backward in one, over the logits themselves, since no second buffer of their size is
// wanted: afterwards `logits` holds their gradient, and zeros in columns V to stride - 1.
// For the gradient of the mean loss gradient_scale is 1 / (counted rows of all micro-batches).
void cross_entropy_forward_backward(float* logits,       // [N, stride]
                                    const int* targets,  // [N]
                                    float* losses,       // [N]
                                    float gradient_scale, int N, int V, int stride,
                                    const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_CROSS_ENTROPY_H_
