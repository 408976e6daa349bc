// File: further.h
//
// Further exercises of lesson 01: fewer requests, the same bits in every run, and what a lookup
// saves.

#ifndef ANDREA_LESSONS_01_EMBEDDING_LOOKUP_FURTHER_H_
#define ANDREA_LESSONS_01_EMBEDDING_LOOKUP_FURTHER_H_

#include "kernels/launch.h"

namespace andrea::lesson01 {

// 01.5  As gather_rows, four numbers a load where C is a multiple of 4; other widths fall back to
//       one. Precondition: token_table and out are 16-byte aligned.
void gather_rows_by_vectors(const int* tokens,         // [N]
                            const float* token_table,  // [V, C]
                            float* out,                // [N, C]
                            int N, int C, const Launch& launch);

// 01.6  As scatter_add, the same bits in every run: each number of dtoken_table is summed by one
//       thread, in the order of n, without atomics
void scatter_add_in_order(const float* dout,    // [N, C]
                          const int* tokens,    // [N]
                          float* dtoken_table,  // [V, C]
                          int N, int C, int V, const Launch& launch);

// 01.7  The same as gather_rows by a matrix product: one_hot is written first, then
//       out = one_hot times token_table
void one_hot_times_table(const int* tokens,         // [N]
                         const float* token_table,  // [V, C]
                         float* one_hot,            // [N, V]
                         float* out,                // [N, C]
                         int N, int C, int V, const Launch& launch);

}  // namespace andrea::lesson01

#endif  // ANDREA_LESSONS_01_EMBEDDING_LOOKUP_FURTHER_H_
