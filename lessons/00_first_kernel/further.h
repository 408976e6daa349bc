// File: further.h
//
// Further exercises of lesson 00, in which the pattern of the accesses counts.

#ifndef ANDREA_LESSONS_00_FIRST_KERNEL_FURTHER_H_
#define ANDREA_LESSONS_00_FIRST_KERNEL_FURTHER_H_

#include "kernels/launch.h"

namespace andrea::lesson00 {

inline constexpr int kBins = 16;  // of the histogram

// 00.9  counts[b] = how many values are b, counted in each block's shared memory first
void histogram(const int* values,  // [n], each in 0 .. kBins-1
               int* counts,        // [kBins]
               int n, const Launch& launch);

// 00.10  out[c, r] = in[r, c], through a tile of shared memory, without bank conflicts
void transpose(const float* in,  // [rows, columns]
               float* out,       // [columns, rows]
               int rows, int columns, const Launch& launch);

}  // namespace andrea::lesson00

#endif  // ANDREA_LESSONS_00_FIRST_KERNEL_FURTHER_H_
