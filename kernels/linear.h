// File: linear.h
//
// A linear layer over row vectors, weights stored [in, out] as GPT-2 stores them.
//
//   forward    y = x W + bias
//   backward   dx = dy W^T        dW = x^T dy        dbias = sum of dy over the rows

#ifndef ANDREA_KERNELS_LINEAR_H_
#define ANDREA_KERNELS_LINEAR_H_

#include "kernels/launch.h"

namespace andrea {

// The working memory of forward and backward, in bytes.
std::size_t linear_scratch_bytes(int N, int in, int out);

// y is overwritten.
void linear_forward(const float* x,       // [N, in]
                    const float* weight,  // [in, out]
                    const float* bias,    // [out], or null
                    float* y,             // [N, out]
                    int N, int in, int out, const Launch& launch);

// dx is overwritten; dweight and dbias follow `accumulate`.
void linear_backward(const float* dy,      // [N, out]
                     const float* x,       // [N, in]
                     const float* weight,  // [in, out]
                     float* dx,            // [N, in], or null
                     float* dweight,       // [in, out]
                     float* dbias,         // [out], or null
                     int N, int in, int out, Accumulate accumulate, const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_LINEAR_H_
