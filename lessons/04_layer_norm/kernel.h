// File: kernel.h
//
// The exercises of lesson 04: layer normalisation, a step at a time. All pointers are device
// pointers; a row is what a token is at some place in the model, C numbers. N, the number of rows,
// is B * T.
//
// gain and bias may be null, which stands for a gain of 1 and a bias of 0.
//
// With all steps done, kernel.cu implements kernels/layer_norm.h.

#ifndef ANDREA_LESSONS_04_LAYER_NORM_KERNEL_H_
#define ANDREA_LESSONS_04_LAYER_NORM_KERNEL_H_

#include "kernels/launch.h"
#include "kernels/model_config.h"  // kLayerNormEpsilon

namespace andrea::lesson04 {

// 04.1  mean[n] = sum over c of x[n, c] / C
//       rstd[n] = 1 / sqrt(variance + kLayerNormEpsilon)
//       where variance = sum over c of (x[n, c] - mean[n])^2 / C
void statistics(const float* x,  // [N, C]
                float* mean,     // [N]
                float* rstd,     // [N]
                int N, int C, const Launch& launch);

// 04.2  y[n, c] = gain[c] * x_hat[n, c] + bias[c]
//       where x_hat[n, c] = (x[n, c] - mean[n]) * rstd[n]
void normalise(const float* x,     // [N, C]
               const float* mean,  // [N]
               const float* rstd,  // [N]
               const float* gain,  // [C], or null
               const float* bias,  // [C], or null
               float* y,           // [N, C]
               int N, int C, const Launch& launch);

// 04.3  dx[n, c] = rstd[n] * (g[n, c] - mean of g[n, :]
//                              - x_hat[n, c] * mean of g[n, :] x_hat[n, :])
//       where g[n, c] = gain[c] * dy[n, c], and a mean is over the C numbers of a row
void input_gradient(const float* dy,    // [N, C]
                    const float* x,     // [N, C]
                    const float* mean,  // [N]
                    const float* rstd,  // [N]
                    const float* gain,  // [C], or null
                    float* dx,          // [N, C], overwritten
                    int N, int C, const Launch& launch);

// 04.4  dgain[c] = sum over n of dy[n, c] * x_hat[n, c]
//       dbias[c] = sum over n of dy[n, c]
//       Either may be null: then it is not asked for.
void gain_and_bias_gradients(const float* dy,    // [N, C]
                             const float* x,     // [N, C]
                             const float* mean,  // [N]
                             const float* rstd,  // [N]
                             float* dgain,       // [C], or null
                             float* dbias,       // [C], or null
                             int N, int C, Accumulate accumulate, const Launch& launch);

}  // namespace andrea::lesson04

#endif  // ANDREA_LESSONS_04_LAYER_NORM_KERNEL_H_
