// File: kernel.h
//
// The exam of lesson 02: the cosines between all rows of x and all rows of a table, times a factor.
// All pointers are device pointers; N, M and C are positive. A row of no length has the cosine 0
// with every other, and the gradient 0.

#ifndef ANDREA_EXAM_X02_SCALED_COSINE_KERNEL_H_
#define ANDREA_EXAM_X02_SCALED_COSINE_KERNEL_H_

#include "kernels/launch.h"

namespace andrea::exam02 {

// x02.1  inverse[n] = 1 / |x[n]|, and 0 where x[n] is zero; a warp a row
void inverse_lengths(const float* x,  // [N, C]
                     float* inverse,  // [N]
                     int N, int C, const Launch& launch);

// x02.2  out[n, m] = scale * x[n] . table[m] / (|x[n]| |table[m]|); stride >= M, and columns M to
//        stride - 1 of a row of out are not touched
void scaled_cosines(const float* x,              // [N, C]
                    const float* table,          // [M, C]
                    const float* x_inverse,      // [N], as x02.1 has it
                    const float* table_inverse,  // [M]
                    float* out,                  // [N, stride], of which M columns are written
                    float scale, int N, int M, int C, int stride, const Launch& launch);

// x02.3  dx[n, :] = 1 / |x[n]| * sum over m of
//                   dout[n, m] * (scale * table_hat[m, :] - out[n, m] * x_hat[n, :])
//        where a hat divides a row by its length
void gradient_of_x(const float* dout,           // [N, stride], of which M columns are read
                   const float* out,            // [N, stride], as x02.2 has written it
                   const float* x,              // [N, C]
                   const float* table,          // [M, C]
                   const float* x_inverse,      // [N]
                   const float* table_inverse,  // [M]
                   float* dx,                   // [N, C]
                   float scale, int N, int M, int C, int stride, const Launch& launch);

}  // namespace andrea::exam02

#endif  // ANDREA_EXAM_X02_SCALED_COSINE_KERNEL_H_
