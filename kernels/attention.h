// File: attention.h
//
// Causal scaled dot-product attention over H heads (Vaswani et al. 2017, section 3.2). The input is
// already projected: a row of qkv holds the query, the key and the value of one token, C numbers
// each; head h owns the columns h * D .. (h + 1) * D - 1 of each third, D = C / H.
//
//   score[i, j]  = (query[i] . key[j]) / sqrt(D)          for j <= i, minus infinity otherwise
//   weight[i, :] = softmax(score[i, :])
//   out[i]       = sum over j of weight[i, j] * value[j]
//
//   dvalue[j]    = sum over i of weight[i, j] * dout[i]
//   dweight[i,j] = dout[i] . value[j]
//   dscore[i,j]  = weight[i, j] * (dweight[i, j] - dout[i] . out[i])
//   dquery[i]    = sum over j of dscore[i, j] * key[j] / sqrt(D)
//   dkey[j]      = sum over i of dscore[i, j] * query[i] / sqrt(D)
//
// dout[i] . out[i] equals the row sum of weight * dweight, which the softmax's derivative asks for:
// the identity is from FlashAttention (Dao et al. 2022, appendix B.4).

#ifndef ANDREA_KERNELS_ATTENTION_H_
#define ANDREA_KERNELS_ATTENTION_H_

#include <string>

#include "kernels/launch.h"
#include "kernels/model_config.h"

namespace andrea {

// The variants of one attention beside its sizes. Precondition: H divides C.
struct AttentionShape {
  int B, T, C, H;       // batch, time, width, heads
  bool causal = true;   // false: every position sees every other
  bool rotary = false;  // Positions::rotary; then C / H must be even

  int head_size() const { return C / H; }  // D, the numbers of a head
};

// Empty, or a sentence that says which variant this implementation lacks.
std::string attention_supports(const AttentionShape& shape);

// Bytes that forward keeps for backward, and bytes that either works in.
std::size_t attention_saved_bytes(const AttentionShape& shape);
std::size_t attention_scratch_bytes(const AttentionShape& shape);

// `saved` may be null when no backward pass will follow.
void attention_forward(const float* qkv,  // [B, T, 3C]
                       float* out,        // [B, T, C]
                       void* saved,       // attention_saved_bytes, or null
                       const AttentionShape& shape, const Launch& launch);

// dqkv is overwritten.
void attention_backward(const float* dout,  // [B, T, C]
                        const float* qkv,   // [B, T, 3C]
                        const float* out,   // [B, T, C], as forward wrote it
                        const void* saved,  // as forward left it
                        float* dqkv,        // [B, T, 3C]
                        const AttentionShape& shape, const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_ATTENTION_H_
