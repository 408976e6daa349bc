// File: embedding.h
//
// The first step of the model: a token id picks a row of a table, and the row of its position is
// added.
//
//   forward    out[b, t, :] = token_table[tokens[b, t], :] + position_table[t, :]
//   backward   dtoken_table[v, :]    = sum of dout[b, t, :] over all (b, t) with tokens[b, t] == v
//              dposition_table[t, :] = sum of dout[b, t, :] over b

#ifndef ANDREA_KERNELS_EMBEDDING_H_
#define ANDREA_KERNELS_EMBEDDING_H_

#include "kernels/launch.h"

namespace andrea {

// The working memory of forward and backward, in bytes.
std::size_t embedding_scratch_bytes(int B, int T, int C, int V);

// Precondition: every token is in 0 .. V-1 of the table behind token_table.
void embedding_forward(const int* tokens,            // [B, T]
                       const float* token_table,     // [V, C]
                       const float* position_table,  // [at least T, C], or null: nothing is added
                       float* out,                   // [B, T, C]
                       int B, int T, int C, const Launch& launch);

// With Accumulate::overwrite rows of dtoken_table that no token names become zero. Rows of
// dposition_table from T on are not touched in either case: the caller clears them.
void embedding_backward(const float* dout,       // [B, T, C]
                        const int* tokens,       // [B, T]
                        float* dtoken_table,     // [V, C]
                        float* dposition_table,  // [at least T, C], or null
                        int B, int T, int C, int V, Accumulate accumulate, const Launch& launch);

}  // namespace andrea

#endif  // ANDREA_KERNELS_EMBEDDING_H_
