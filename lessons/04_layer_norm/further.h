// File: further.h
//
// Further exercises of lesson 04: the same layer norm with fewer bytes and requests, and its
// younger relation. Pointers, N and C as in kernel.h; gain and bias may be null.

#ifndef ANDREA_LESSONS_04_LAYER_NORM_FURTHER_H_
#define ANDREA_LESSONS_04_LAYER_NORM_FURTHER_H_

#include "kernels/launch.h"
#include "kernels/model_config.h"  // kLayerNormEpsilon

namespace andrea::lesson04 {

// Precondition of 04.5: C is a multiple of 4 and not larger.
inline constexpr int kMaxWidth = 1536;

// 04.5  04.1 and 04.2 in one kernel: mean, rstd and y. A warp has a row, which it loads once, four
//       numbers a load, and keeps in registers. x, y, gain and bias are 16-byte aligned.
void layer_norm_by_warps(const float* x,     // [N, C]
                         const float* gain,  // [C], or null
                         const float* bias,  // [C], or null
                         float* y,           // [N, C]
                         float* mean,        // [N]
                         float* rstd,        // [N]
                         int N, int C, const Launch& launch);

// 04.6  As 04.1, but each number of x is loaded once
void statistics_in_one_pass(const float* x,  // [N, C]
                            float* mean,     // [N]
                            float* rstd,     // [N]
                            int N, int C, const Launch& launch);

// 04.7  sum = stream + correction, and y, mean and rstd are the layer norm of sum, in one kernel.
//       Precondition: C <= 12,000
void add_and_normalise(const float* stream,      // [N, C]
                       const float* correction,  // [N, C]
                       const float* gain,        // [C], or null
                       const float* bias,        // [C], or null
                       float* sum,               // [N, C]
                       float* y,                 // [N, C]
                       float* mean,              // [N]
                       float* rstd,              // [N]
                       int N, int C, const Launch& launch);

// 04.8  Root mean square normalisation:
//       rrms[n] = 1 / sqrt(mean of x[n, :]^2 + kLayerNormEpsilon)
//       x_hat[n, c] = x[n, c] * rrms[n]
//       y[n, c] = gain[c] * x_hat[n, c]
void rms_norm(const float* x,     // [N, C]
              const float* gain,  // [C], or null
              float* y,           // [N, C]
              float* rrms,        // [N]
              int N, int C, const Launch& launch);

//       dx[n, c] = rrms[n] * (g[n, c] - x_hat[n, c] * mean of g[n, :] x_hat[n, :])
//       where g[n, c] = gain[c] * dy[n, c]
//       dgain[c] = sum over n of dy[n, c] * x_hat[n, c]
void rms_norm_backward(const float* dy,    // [N, C]
                       const float* x,     // [N, C]
                       const float* gain,  // [C], or null
                       const float* rrms,  // [N]
                       float* dx,          // [N, C], overwritten
                       float* dgain,       // [C]
                       int N, int C, Accumulate accumulate, const Launch& launch);

}  // namespace andrea::lesson04

#endif  // ANDREA_LESSONS_04_LAYER_NORM_FURTHER_H_
