// File: embed.h
//
// kernels/embedding.h for float and bf16 activations. Rows of any length; where 16 bytes divide
// one, a thread moves 16 bytes at once. Pointers are then multiples of 16.

#ifndef ANDREA_KERNELS_CUDA_EMBED_H_
#define ANDREA_KERNELS_CUDA_EMBED_H_

#include <cuda_bf16.h>

#include <cstddef>

#include "kernels/launch.h"

namespace andrea::cuda {

// `out` is overwritten.
void embed(const int* tokens,            // [B, T]
           const float* token_table,     // [V, C]
           const float* position_table,  // [at least T, C], or null
           float* out,                   // [B, T, C]
           int B, int T, int C, const Launch& launch);
void embed(const int* tokens, const __nv_bfloat16* token_table, const __nv_bfloat16* position_table,
           __nv_bfloat16* out, int B, int T, int C, const Launch& launch);

std::size_t embed_backward_scratch_bytes(int B, int T, int C, int V);

// As kernels/embedding.h has it: rows of dposition_table from T on are not touched. Repeated tokens
// are added up in a fixed order, so results do not vary.
void embed_backward(const float* dout,       // [B, T, C]
                    const int* tokens,       // [B, T]
                    float* dtoken_table,     // [V, C]
                    float* dposition_table,  // [at least T, C], or null
                    int B, int T, int C, int V, Accumulate accumulate, const Launch& launch);
void embed_backward(const __nv_bfloat16* dout, const int* tokens, float* dtoken_table,
                    float* dposition_table, int B, int T, int C, int V, Accumulate accumulate,
                    const Launch& launch);

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_EMBED_H_
