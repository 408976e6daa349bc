// File: gelu.h
//
// GELU, tanh form, as kernels by themselves: where the product before them cannot do it on its way
// out (products.h), and where a backward pass computes it again.

#ifndef ANDREA_KERNELS_CUDA_GELU_H_
#define ANDREA_KERNELS_CUDA_GELU_H_

#include <cuda_bf16.h>

#include <cstdint>

#include "kernels/launch.h"

namespace andrea::cuda {

// y = gelu(x). The buffers may be one.
void gelu_forward(const float* x,  // [count]
                  float* y,        // [count]
                  std::int64_t count, const Launch& launch);
void gelu_forward(const __nv_bfloat16* x, __nv_bfloat16* y, std::int64_t count,
                  const Launch& launch);

// dx = dy * gelu'(x). `dx` may be `dy`.
void gelu_backward(const float* dy,  // [count]
                   const float* x,   // [count], as forward read it
                   float* dx,        // [count]
                   std::int64_t count, const Launch& launch);
void gelu_backward(const __nv_bfloat16* dy, const __nv_bfloat16* x, __nv_bfloat16* dx,
                   std::int64_t count, const Launch& launch);

// Every row of x with the bias, to `sum`, and gelu of that to `activated`; either may be null, and
// either may be `x`.
void add_bias(const float* x,     // [N, width]
              const float* bias,  // [width]
              float* sum,         // [N, width], or null
              float* activated,   // [N, width], or null
              int N, int width, const Launch& launch);
void add_bias(const __nv_bfloat16* x, const __nv_bfloat16* bias, __nv_bfloat16* sum,
              __nv_bfloat16* activated, int N, int width, const Launch& launch);

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_GELU_H_
