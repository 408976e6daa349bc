// File: kernel.h
//
// The exercises of lesson 00: small kernels, each with one idea that every later kernel uses. All
// pointers are device pointers; n, rows and columns are positive.

#ifndef ANDREA_LESSONS_00_FIRST_KERNEL_KERNEL_H_
#define ANDREA_LESSONS_00_FIRST_KERNEL_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::lesson00 {

// 00.1  y[i] = slope * x[i] + offset
void map(const float* x,  // [n]
         float* y,        // [n]
         float slope, float offset, int n, const Launch& launch);

// 00.2  out[r, c] = in[r, c] * scale[r]
void scale_rows(const float* in,     // [rows, columns]
                const float* scale,  // [rows]
                float* out,          // [rows, columns]
                int rows, int columns, const Launch& launch);

// 00.3  z[i] = x[i] + y[i], by 256 threads, however large n is
void add(const float* x,  // [n]
         const float* y,  // [n]
         float* z,        // [n]
         int n, const Launch& launch);

// 00.4  sums[r] = sum over c of x[r, c], by one block of 128 threads a row
void row_sums(const float* x,  // [rows, columns]
              float* sums,     // [rows]
              int rows, int columns, const Launch& launch);

// 00.5  maxima[r] = the largest x[r, c], by one warp a row
void row_maxima(const float* x,  // [rows, columns]
                float* maxima,   // [rows]
                int rows, int columns, const Launch& launch);

// 00.6  *total = sum of x[i], by many blocks
void total(const float* x,  // [n]
           float* sum,      // [1]
           int n, const Launch& launch);

// 00.7  Three kernels to mend:
// differences[i] = x[i + 1] - x[i]
void differences(const float* x,      // [n]
                 float* differences,  // [n - 1]
                 int n, const Launch& launch);
// y is x with each run of 64 numbers turned round; the last run may be shorter.
void reverse_runs(const float* x,  // [n]
                  float* y,        // [n]
                  int n, const Launch& launch);
// y[i] = x[i] / (the sum of the 64 numbers that i's run has)
void shares(const float* x,  // [n]
            float* y,        // [n]
            int n, const Launch& launch);

// 00.8  y[i] = x[i] / (1 + exp(-x[i])), which is given, and its derivative:
//       dx[i] = dy[i] * (the slope of that function at x[i])
void silu_forward(const float* x,  // [n]
                  float* y,        // [n]
                  int n, const Launch& launch);
void silu_backward(const float* dy,  // [n]
                   const float* x,   // [n]
                   float* dx,        // [n]
                   int n, const Launch& launch);

}  // namespace andrea::lesson00

#endif  // ANDREA_LESSONS_00_FIRST_KERNEL_KERNEL_H_
