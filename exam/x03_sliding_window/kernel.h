// File: kernel.h
//
// The exam of lesson 03: attention in which query i sees the W keys i, i - 1, ..., i - W + 1 alone,
// of which those before the sequence's begin are not there. All pointers are device pointers;
// D = C / H. No buffer has T x T numbers: slot w of query i stands for key i - w.

#ifndef ANDREA_EXAM_X03_SLIDING_WINDOW_KERNEL_H_
#define ANDREA_EXAM_X03_SLIDING_WINDOW_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::exam03 {

struct WindowShape {
  int B, T, C, H;
  int W;  // keys in a window; may be more than T

  __host__ __device__ int head_size() const { return C / H; }
};

// x03.1  weights[b, h, i, :] = softmax over the slots w <= i of
//                              query[b, i, h, :] . key[b, i - w, h, :] / sqrt(D)
//        and 0 in the slots w > i
void window_weights(const float* qkv,  // [B, T, 3C]: query, key and value of a token, C each
                    float* weights,    // [B, H, T, W]
                    const WindowShape& shape, const Launch& launch);

// x03.2  out[b, i, h, :] = sum over w <= i of weights[b, h, i, w] * value[b, i - w, h, :]
void window_sum(const float* weights,  // [B, H, T, W]
                const float* qkv,      // [B, T, 3C]
                float* out,            // [B, T, C]: the heads side by side
                const WindowShape& shape, const Launch& launch);

// x03.3  dvalue[b, j, h, :] = sum over w < T - j of weights[b, h, j + w, w] * dout[b, j + w, h, :]
void value_gradient(const float* weights,  // [B, H, T, W]
                    const float* dout,     // [B, T, C]
                    float* dqkv,           // [B, T, 3C], of which the values' third is written
                    const WindowShape& shape, const Launch& launch);

}  // namespace andrea::exam03

#endif  // ANDREA_EXAM_X03_SLIDING_WINDOW_KERNEL_H_
