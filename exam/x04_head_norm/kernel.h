// File: kernel.h
//
// The exam of lesson 04: a row of C numbers is H heads of D = C / H, and each head is divided by
// its own root mean square, as models do it with queries and keys. All pointers are device
// pointers.

#ifndef ANDREA_EXAM_X04_HEAD_NORM_KERNEL_H_
#define ANDREA_EXAM_X04_HEAD_NORM_KERNEL_H_

#include "kernels/launch.h"
#include "kernels/model_config.h"  // kLayerNormEpsilon

namespace andrea::exam04 {

// x04.1  rstd[n, h] = 1 / sqrt(mean of x[n, c]^2 over the D columns c of head h +
//                              kLayerNormEpsilon)
//        y[n, c]    = gain[c] * x_hat[n, c], where x_hat[n, c] = x[n, c] * rstd[n, h], c in head h
void head_norm(const float* x,     // [N, C]
               const float* gain,  // [C]
               float* y,           // [N, C]
               float* rstd,        // [N, H]
               int N, int C, int H, const Launch& launch);

// x04.2  dx[n, c] = rstd[n, h] * (g[n, c] - x_hat[n, c] * mean of g[n, :] x_hat[n, :] over head h)
//        where g[n, c] = gain[c] * dy[n, c]
void input_gradient(const float* dy,    // [N, C]
                    const float* x,     // [N, C]
                    const float* gain,  // [C]
                    const float* rstd,  // [N, H]
                    float* dx,          // [N, C]
                    int N, int C, int H, const Launch& launch);

// x04.3  sum over n of dy[n, c] * x_hat[n, c], which dgain[c] becomes, or is added to it
void gain_gradient(const float* dy,    // [N, C]
                   const float* x,     // [N, C]
                   const float* rstd,  // [N, H]
                   float* dgain,       // [C]
                   int N, int C, int H, Accumulate accumulate, const Launch& launch);

}  // namespace andrea::exam04

#endif  // ANDREA_EXAM_X04_HEAD_NORM_KERNEL_H_
