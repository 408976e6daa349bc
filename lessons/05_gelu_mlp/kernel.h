// File: kernel.h
//
// The exercises of lesson 05: the activation and the linear layer, forward and backward. All
// pointers are device pointers; sizes are positive, and N * out and `count` are below 2^31. W of
// [in, out] is `weight`.
//
// With all steps done, kernel.cu implements kernels/activation.h (gelu alone) and kernels/linear.h.

#ifndef ANDREA_LESSONS_05_GELU_MLP_KERNEL_H_
#define ANDREA_LESSONS_05_GELU_MLP_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::lesson05 {

// 05.1  y[i] = GELU(x[i]) = x[i] / 2 * (1 + tanh(sqrt(2 / pi) * (x[i] + 0.044715 * x[i]^3)))
void gelu(const float* x,  // [count]
          float* y,        // [count]
          int count, const Launch& launch);

// 05.2  dx[i] = dy[i] * GELU'(x[i]), the derivative of what 05.1 computes. dx may be dy.
void gelu_backward(const float* dy,  // [count]
                   const float* x,   // [count]
                   float* dx,        // [count]
                   int count, const Launch& launch);

// 05.3  y[n, c] += bias[c]
void add_bias(float* y,           // [N, out]
              const float* bias,  // [out]
              int N, int out, const Launch& launch);

// 05.4  sum over n of dy[n, c], which dbias[c] becomes, or is added to it
void bias_gradient(const float* dy,  // [N, out]
                   float* dbias,     // [out]
                   int N, int out, Accumulate accumulate, const Launch& launch);

// 05.5  dx[n, i] = sum over o of dy[n, o] * weight[i, o], and sum over n of x[n, i] * dy[n, o],
//       which dweight[i, o] becomes, or is added to it: by the functions of
//       kernels/dot_similarity.h. launch.scratch has what these ask for.
void linear_backward_by_dot_products(const float* dy,      // [N, out]
                                     const float* x,       // [N, in]
                                     const float* weight,  // [in, out]
                                     float* dx,            // [N, in]
                                     float* dweight,       // [in, out]
                                     int N, int in, int out, Accumulate accumulate,
                                     const Launch& launch);

// The worked example of 05.6 and 05.7: y[n, o] = sum over i of x[n, i] * weight[i, o], by cuBLAS.
void product(const float* x,       // [N, in]
             const float* weight,  // [in, out]
             float* y,             // [N, out]
             int N, int in, int out, const Launch& launch);

// 05.6  dx[n, i] = sum over o of dy[n, o] * weight[i, o], by cuBLAS
void gradient_of_x(const float* dy,      // [N, out]
                   const float* weight,  // [in, out]
                   float* dx,            // [N, in]
                   int N, int in, int out, const Launch& launch);

// 05.7  sum over n of x[n, i] * dy[n, o], which dweight[i, o] becomes, or is added to it, by cuBLAS
void gradient_of_weight(const float* dy,  // [N, out]
                        const float* x,   // [N, in]
                        float* dweight,   // [in, out]
                        int N, int in, int out, Accumulate accumulate, const Launch& launch);

}  // namespace andrea::lesson05

#endif  // ANDREA_LESSONS_05_GELU_MLP_KERNEL_H_
