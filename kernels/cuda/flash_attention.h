// File: flash_attention.h
//
// Causal attention without a T x T buffer (FlashAttention, Dao et al. 2022 and 2023): blocks of
// keys and values pass through shared memory, and only the logarithm of each row's sum is kept.
// Shapes, letters and formulas are those of kernels/attention.h; pointers are multiples of 16.

#ifndef ANDREA_KERNELS_CUDA_FLASH_ATTENTION_H_
#define ANDREA_KERNELS_CUDA_FLASH_ATTENTION_H_

#include <cuda_bf16.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "kernels/attention.h"
#include "kernels/launch.h"
#include "kernels/launch_size.h"
#include "kernels/model_config.h"

namespace andrea::cuda {

// Empty, or a sentence that names the head size or the variant which is lacking. Floats may have
// heads of 1 to 256 numbers; bf16 of 16, 32, 48, 64, 80, 96 or 128. Nobody has rotary positions.
std::string attention_refusal(const AttentionShape& shape, Precision precision = Precision::fp32);

// log_sum_exp may be null when no backward pass will follow.
void attention_forward(const float* qkv,    // [B, T, 3C]
                       float* out,          // [B, T, C]
                       float* log_sum_exp,  // [B, H, T], or null
                       const AttentionShape& shape, const Launch& launch);
// Products by tensor cores, sums and the softmax in float.
void attention_forward(const __nv_bfloat16* qkv, __nv_bfloat16* out, float* log_sum_exp,
                       const AttentionShape& shape, const Launch& launch);

// In how many parts bf16's backward pass divides the keys, of `tiles` tiles and of all sequences'
// `heads`: so many that they make several times the blocks that a card runs at once (128 on an RTX
// 4090, 264 on an H200), since else it is idle for long when they end. More would make more sums to
// write and read. By the sizes alone, as the order of sums depends on it.
constexpr int attention_parts(int tiles, int heads) {
  constexpr int kBlocks = 480;
  return std::min(tiles, blocks_for(kBlocks, heads));
}

// Working memory of backward for floats, and for bf16, in bytes: a number a row and head, and for
// bf16 also 4 B T C bytes for each part of the keys.
std::size_t attention_backward_scratch_bytes(const AttentionShape& shape);
std::size_t attention_backward_bf16_scratch_bytes(const AttentionShape& shape);

// dqkv is overwritten. Every sum is taken in a fixed order, so results do not vary.
void attention_backward(const float* dout,         // [B, T, C]
                        const float* qkv,          // [B, T, 3C]
                        const float* out,          // [B, T, C], as forward wrote it
                        const float* log_sum_exp,  // [B, H, T], as forward wrote it
                        float* dqkv,               // [B, T, 3C]
                        const AttentionShape& shape, const Launch& launch);
void attention_backward(const __nv_bfloat16* dout, const __nv_bfloat16* qkv,
                        const __nv_bfloat16* out, const float* log_sum_exp, __nv_bfloat16* dqkv,
                        const AttentionShape& shape, const Launch& launch);

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_FLASH_ATTENTION_H_
