// File: kernel.h
//
// The exercises of lesson 02: how alike two vectors are, for a pair and for all pairs. All pointers
// are device pointers; N, M and C are positive. kernel.cu makes kernels/dot_similarity.h of 02.5,
// 02.6 and 02.7.
//
// 02.5, 02.6 and 02.7 are the three matrix products of any linear map, forward or backward: with a
// matrix W of [in, out] in the place of `table`, y = x W is 02.6, its dx is 02.5 and its dW is
// 02.7. Lesson 05 comes back to them.

#ifndef ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_KERNEL_H_
#define ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::lesson02 {

// 02.1  dots[n] = sum over c of a[n, c] * b[n, c], a thread a pair
void pair_dots(const float* a,  // [N, C]
               const float* b,  // [N, C]
               float* dots,     // [N]
               int N, int C, const Launch& launch);

// 02.2  cosines[n] = a[n] . b[n] / (|a[n]| |b[n]|), a thread a pair; 0 where one of the two vectors
//       is zero
void pair_cosines(const float* a,  // [N, C]
                  const float* b,  // [N, C]
                  float* cosines,  // [N]
                  int N, int C, const Launch& launch);

// 02.3  the same, by one warp a pair: each number is read once, by neighbouring lanes
void pair_cosines_by_warps(const float* a,  // [N, C]
                           const float* b,  // [N, C]
                           float* cosines,  // [N]
                           int N, int C, const Launch& launch);

// 02.4  out[n, m] = sum over c of x[n, c] * table[m, c], a thread a number; stride >= M, and
//       columns M to stride - 1 of a row of out are not touched
void all_pairs(const float* x,      // [N, C]
               const float* table,  // [M, C]
               float* out,          // [N, stride], of which M columns are written
               int N, int M, int C, int stride, const Launch& launch);

// 02.5  the same, with tiles of 32 x 32 numbers in shared memory
void all_pairs_in_tiles(const float* x,      // [N, C]
                        const float* table,  // [M, C]
                        float* out,          // [N, stride], of which M columns are written
                        int N, int M, int C, int stride, const Launch& launch);

// 02.6  dx[n, c] = sum over m of dout[n, m] * table[m, c]
void gradient_of_x(const float* dout,   // [N, stride], of which M columns are read
                   const float* table,  // [M, C]
                   float* dx,           // [N, C]
                   int N, int M, int C, int stride, const Launch& launch);

// 02.7  sum over n of dout[n, m] * x[n, c], which dtable[m, c] becomes, or is added to it
void gradient_of_table(const float* dout,  // [N, stride], of which M columns are read
                       const float* x,     // [N, C]
                       float* dtable,      // [M, C]
                       int N, int M, int C, int stride, Accumulate accumulate,
                       const Launch& launch);

}  // namespace andrea::lesson02

#endif  // ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_KERNEL_H_
