// File: kernel.h
//
// The exercises of lesson 01: the four steps of the embedding, two forward and two backward. Out of
// them kernel.cu puts together the contract kernels/embedding.h, which the model calls. All
// pointers are device pointers; N = B * T, and row n belongs to position n % T of sequence n / T.

#ifndef ANDREA_LESSONS_01_EMBEDDING_LOOKUP_KERNEL_H_
#define ANDREA_LESSONS_01_EMBEDDING_LOOKUP_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::lesson01 {

// 01.1  out[n, :] = token_table[tokens[n], :]
void gather_rows(const int* tokens,         // [N], each a row of token_table
                 const float* token_table,  // [V, C]
                 float* out,                // [N, C]
                 int N, int C, const Launch& launch);

// 01.2  out[b, t, :] += position_table[t, :]
void add_positions(const float* position_table,  // [at least T, C]
                   float* out,                   // [B, T, C]
                   int B, int T, int C, const Launch& launch);

// 01.3  dtoken_table[tokens[n], :] += dout[n, :], for every n; ids repeat
void scatter_add(const float* dout,    // [N, C]
                 const int* tokens,    // [N]
                 float* dtoken_table,  // [V, C]
                 int N, int C, const Launch& launch);

// 01.4  dposition_table[t, :] = sum of dout[b, t, :] over b, or is added to; rows from T on are not
//       touched
void sum_over_batch(const float* dout,       // [B, T, C]
                    float* dposition_table,  // [at least T, C]
                    int B, int T, int C, Accumulate accumulate, const Launch& launch);

}  // namespace andrea::lesson01

#endif  // ANDREA_LESSONS_01_EMBEDDING_LOOKUP_KERNEL_H_
