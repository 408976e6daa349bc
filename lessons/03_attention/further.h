// File: further.h
//
// Further exercises of lesson 03: attention that never holds a T x T tensor, and positions by
// turning. Sizes and `shape` as in kernel.h.

#ifndef ANDREA_LESSONS_03_ATTENTION_FURTHER_H_
#define ANDREA_LESSONS_03_ATTENTION_FURTHER_H_

#include <cstddef>

#include "kernels/attention.h"
#include "kernels/launch.h"

namespace andrea::lesson03 {

// Precondition of 03.8 and 03.9: C / H is not larger.
inline constexpr int kMaxHeadSize = 64;

// 03.8  The scores, the softmax and the weighted sum in one kernel. Beside out it leaves
//       log_sum_exp[b, h, i] = log of the sum over the seen j of exp(score[b, h, i, j])
void one_pass(const float* qkv,    // [B, T, 3C]
              float* out,          // [B, T, C]
              float* log_sum_exp,  // [B, H, T]
              const AttentionShape& shape, const Launch& launch);

// 03.9  dqkv from what 03.8 left: each weight is computed once more,
//       weight[b, h, i, j] = exp(score[b, h, i, j] - log_sum_exp[b, h, i])
//       The scratch buffer holds dout[b, i, h, :] . out[b, i, h, :], [B, H, T], and nothing else.
std::size_t one_pass_backward_scratch_bytes(const AttentionShape& shape);
void one_pass_backward(const float* dout,         // [B, T, C]
                       const float* qkv,          // [B, T, 3C]
                       const float* out,          // [B, T, C]
                       const float* log_sum_exp,  // [B, H, T]
                       float* dqkv,               // [B, T, 3C]
                       const AttentionShape& shape, const Launch& launch);

// 03.10  Rotary positions. D is even. In each head of the queries and keys the pair of the numbers
//        d and d + D / 2, for d < D / 2, is turned by t * 10000^(-2d / D):
//          (a, b) becomes (a cos - b sin, a sin + b cos)
//        The values are copied.
void rotate(const float* qkv,  // [B, T, 3C]
            float* rotated,    // [B, T, 3C]
            const AttentionShape& shape, const Launch& launch);
void rotate_backward(const float* drotated,  // [B, T, 3C]
                     float* dqkv,            // [B, T, 3C]
                     const AttentionShape& shape, const Launch& launch);

}  // namespace andrea::lesson03

#endif  // ANDREA_LESSONS_03_ATTENTION_FURTHER_H_
