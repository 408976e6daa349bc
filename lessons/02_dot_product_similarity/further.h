// File: further.h
//
// Further exercises of lesson 02.

#ifndef ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_FURTHER_H_
#define ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_FURTHER_H_

#include "kernels/launch.h"

namespace andrea::lesson02 {

// 02.8  out[n, m] = sum over c of x[n, c] * table[m, c], as 02.5, but each thread computes a patch
//       of 4 x 4 numbers in registers
void all_pairs_in_patches(const float* x,      // [N, C]
                          const float* table,  // [M, C]
                          float* out,          // [N, stride], of which M columns are written
                          int N, int M, int C, int stride, const Launch& launch);

inline constexpr int kMostNeighbours = 8;  // that are asked for

// 02.9  cosines[v]: of row `row` and row v of the table. neighbours: the k rows other than `row`
//       with the largest cosines, the largest first; of equal cosines the lower row comes first.
//       k <= kMostNeighbours, k < V.
void nearest_neighbours(const float* table,  // [V, C]
                        float* cosines,      // [V]
                        int* neighbours,     // [k]
                        int row, int V, int C, int k, const Launch& launch);

}  // namespace andrea::lesson02

#endif  // ANDREA_LESSONS_02_DOT_PRODUCT_SIMILARITY_FURTHER_H_
