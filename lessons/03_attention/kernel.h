// File: kernel.h
//
// The exercises of lesson 03: attention, a step at a time. All pointers are device pointers. The
// sizes B, T, C and H are those of `shape`, D = C / H, and `shape.causal` says whether there is a
// mask. `shape.rotary` is false.
//
// Of the four [B, H, T, T] tensors row i belongs to query i and column j to key j. Where there is
// a mask, query i sees the keys j <= i. Every number of the four is written, the masked ones too:
//
//   scores   minus infinity      weights  0
//   dscores  0                   dweights 0
//
// With all steps done, kernel.cu implements kernels/attention.h.

#ifndef ANDREA_LESSONS_03_ATTENTION_KERNEL_H_
#define ANDREA_LESSONS_03_ATTENTION_KERNEL_H_

#include "kernels/attention.h"
#include "kernels/launch.h"

namespace andrea::lesson03 {

// 03.1  scores[b, h, i, j] = query[b, i, h, :] . key[b, j, h, :] / sqrt(D)
void scores(const float* qkv,  // [B, T, 3C]: the query, the key and the value of a token, C each
            float* scores,     // [B, H, T, T]
            const AttentionShape& shape, const Launch& launch);

// 03.2  weights[b, h, i, :] = softmax of scores[b, h, i, :]
void softmax(const float* scores,  // [B, H, T, T], minus infinity where masked
             float* weights,       // [B, H, T, T]
             const AttentionShape& shape, const Launch& launch);

// 03.3  out[b, i, h, :] = sum over j of weights[b, h, i, j] * value[b, j, h, :]
void weighted_sum(const float* weights,  // [B, H, T, T]
                  const float* qkv,      // [B, T, 3C]
                  float* out,            // [B, T, C]: the heads side by side
                  const AttentionShape& shape, const Launch& launch);

// 03.4  dvalue[b, j, h, :] = sum over i of weights[b, h, i, j] * dout[b, i, h, :]
void value_gradient(const float* weights,  // [B, H, T, T]
                    const float* dout,     // [B, T, C]
                    float* dqkv,           // [B, T, 3C], of which the values' third is written
                    const AttentionShape& shape, const Launch& launch);

// 03.5  dweights[b, h, i, j] = dout[b, i, h, :] . value[b, j, h, :]
void weight_gradient(const float* dout,  // [B, T, C]
                     const float* qkv,   // [B, T, 3C]
                     float* dweights,    // [B, H, T, T]
                     const AttentionShape& shape, const Launch& launch);

// 03.6  dscores[b, h, i, j] = weights[b, h, i, j] * (dweights[b, h, i, j] - row_sum), where row_sum
//       is the sum over the row's k of weights[b, h, i, k] * dweights[b, h, i, k]
void softmax_backward(const float* weights,   // [B, H, T, T]
                      const float* dweights,  // [B, H, T, T]
                      float* dscores,         // [B, H, T, T]
                      const AttentionShape& shape, const Launch& launch);

// 03.7  dquery[b, i, h, :] = sum over j of dscores[b, h, i, j] * key[b, j, h, :] / sqrt(D)
//       dkey[b, j, h, :]   = sum over i of dscores[b, h, i, j] * query[b, i, h, :] / sqrt(D)
void query_and_key_gradients(const float* dscores,  // [B, H, T, T]
                             const float* qkv,      // [B, T, 3C]
                             float* dqkv,           // [B, T, 3C]: the queries' and the keys' thirds
                             const AttentionShape& shape, const Launch& launch);

}  // namespace andrea::lesson03

#endif  // ANDREA_LESSONS_03_ATTENTION_KERNEL_H_
