// File: rows.cuh
//
// Where a row of a matrix begins.
//
//   const float* x_row = row_of(x, n, C);   // x_row[c] is x[n, c]

#ifndef ANDREA_LESSONS_ROWS_CUH_
#define ANDREA_LESSONS_ROWS_CUH_

#include <cuda_runtime.h>

namespace andrea {

// `stride`: how many numbers lie between the beginnings of two rows, which is the number of columns
// where nothing lies between the rows. The product is one of 64 bits, since a matrix may have more
// numbers than an int can count.
template <typename T>
__host__ __device__ constexpr T* row_of(T* matrix, int row, int stride) {
  return matrix + static_cast<long long>(row) * stride;
}

}  // namespace andrea

#endif  // ANDREA_LESSONS_ROWS_CUH_
