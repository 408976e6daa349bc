// File: kernel.h
//
// The exam of lesson 05: a bias and an activation in one kernel. The activation is GELU in its
// sigmoid form, s(a) = a * sigmoid(kSigmoidFactor * a), where sigmoid(u) = 1 / (1 + exp(-u)). All
// pointers are device pointers.

#ifndef ANDREA_EXAM_X05_SIGMOID_GELU_KERNEL_H_
#define ANDREA_EXAM_X05_SIGMOID_GELU_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::exam05 {

inline constexpr float kSigmoidFactor = 1.702f;

// x05.1  y[n, c] = s(x[n, c] + bias[c])
void activate(const float* x,     // [N, C]
              const float* bias,  // [C]
              float* y,           // [N, C]
              int N, int C, const Launch& launch);

// x05.2  dx[n, c] = dy[n, c] * s'(x[n, c] + bias[c])
void input_gradient(const float* dy,    // [N, C]
                    const float* x,     // [N, C]
                    const float* bias,  // [C]
                    float* dx,          // [N, C]
                    int N, int C, const Launch& launch);

// x05.3  sum over n of dx[n, c], which dbias[c] becomes, or is added to it
void bias_gradient(const float* dx,  // [N, C], as x05.2 has written it
                   float* dbias,     // [C]
                   int N, int C, Accumulate accumulate, const Launch& launch);

}  // namespace andrea::exam05

#endif  // ANDREA_EXAM_X05_SIGMOID_GELU_KERNEL_H_
