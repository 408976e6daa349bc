// File: further.h
//
// Further exercises of lesson 05. All pointers are device pointers; N * C is below 2^31.

#ifndef ANDREA_LESSONS_05_GELU_MLP_FURTHER_H_
#define ANDREA_LESSONS_05_GELU_MLP_FURTHER_H_

#include <cuda_bf16.h>

#include "kernels/launch.h"

namespace andrea::lesson05 {

// 05.8  x[n, c] += bias[c] and y[n, c] = GELU of the new x[n, c], in one kernel: x stays as
// backward
//       wants it
void add_bias_and_gelu(float* x,           // [N, C]
                       const float* bias,  // [C]
                       float* y,           // [N, C]
                       int N, int C, const Launch& launch);

// 05.9  y[i] = x[i] Phi(x[i]) with Phi(x) = (1 + erf(x / sqrt(2))) / 2, and its gradient
void gelu_erf(const float* x,  // [count]
              float* y,        // [count]
              int count, const Launch& launch);
void gelu_erf_backward(const float* dy,  // [count]
                       const float* x,   // [count]
                       float* dx,        // [count]
                       int count, const Launch& launch);

// 05.10 y[i] = max(x[i], 0), and its gradient; the derivative at 0 is 0
void relu(const float* x,  // [count]
          float* y,        // [count]
          int count, const Launch& launch);
void relu_backward(const float* dy,  // [count]
                   const float* x,   // [count]
                   float* dx,        // [count]
                   int count, const Launch& launch);

// 05.11 A row of x is [a | b], C numbers each: y[n, c] = silu(a[n, c]) * b[n, c] with silu(a) =
//       a / (1 + exp(-a)), and its gradient, whose rows are [da | db]
void swiglu(const float* x,  // [N, 2C]
            float* y,        // [N, C]
            int N, int C, const Launch& launch);
void swiglu_backward(const float* dy,  // [N, C]
                     const float* x,   // [N, 2C]
                     float* dx,        // [N, 2C]
                     int N, int C, const Launch& launch);

// 05.12 y[n, o] = sum over i of x[n, i] * weight[i, o], by tensor cores: the factors are bf16, the
//       sum is float. N, in and out are multiples of 16.
void product_by_tensor_cores(const __nv_bfloat16* x,       // [N, in]
                             const __nv_bfloat16* weight,  // [in, out]
                             float* y,                     // [N, out]
                             int N, int in, int out, const Launch& launch);

}  // namespace andrea::lesson05

#endif  // ANDREA_LESSONS_05_GELU_MLP_FURTHER_H_
