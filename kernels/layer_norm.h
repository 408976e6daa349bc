// File: layer_norm.h
//
// Layer normalisation (Ba, Kiros, Hinton 2016): each row is shifted to mean 0 and scaled to
// variance 1 over its C numbers, then given a learned gain and bias.
//
//   mean = sum(x) / C          variance = sum((x - mean)^2) / C   (divided by C, not C - 1)
//   rstd = 1 / sqrt(variance + kLayerNormEpsilon)
//   x_hat = (x - mean) * rstd          y = gain * x_hat + bias
//
//   dbias = sum over rows of dy        dgain = sum over rows of dy * x_hat
//   g = gain * dy                      dx = rstd * (g - mean(g) - x_hat * mean(g * x_hat))

#ifndef ANDREA_KERNELS_LAYER_NORM_H_
#define ANDREA_KERNELS_LAYER_NORM_H_

#include "kernels/launch.h"
#include "kernels/model_config.h"

namespace andrea {

// Bytes that forward keeps for backward, and bytes that either works in.
std::size_t layer_norm_saved_bytes(int N, int C);
std::size_t layer_norm_scratch_bytes(int N, int C);

// `saved` may be null when no backward pass will follow.
void layer_norm_forward(const float* x,     // [N, C]
                        const float* gain,  // [C], or null: 1
                        const float* bias,  // [C], or null: 0
                        float* y,           // [N, C]
                        void* saved,        // layer_norm_saved_bytes, or null
                        int N, int C, const Launch& launch);

// dx is overwritten; dgain and dbias follow `accumulate`, and either may be null.
void layer_norm_backward(const float* dy,    // [N, C]
                         const float* x,     // [N, C]
                         const float* gain,  // [C], or null
                         const void* saved,  // as forward left it
                         float* dx,          // [N, C]
                         float* dgain,       // [C], or null
                         float* dbias,       // [C], or null
                         int N, int C, Accumulate accumulate, const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_LAYER_NORM_H_
