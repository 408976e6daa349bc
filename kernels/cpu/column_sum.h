// File: column_sum.h
//
// Sums over the rows of a matrix: the gradient of whatever was added to, or multiplied with, every
// row. One thread sums one strip of columns over all rows, so the order of additions, and with it
// every bit, is the same for any number of threads.

#ifndef ANDREA_KERNELS_CPU_COLUMN_SUM_H_
#define ANDREA_KERNELS_CPU_COLUMN_SUM_H_

#include <algorithm>
#include <cstddef>

#include "kernels/launch.h"

namespace andrea::cpu {

// out[c] = (or +=) the sum over n of term(n, c). Partial sums of 64 rows keep the rounding error
// small where there are thousands of rows.
template <typename Term>
void column_sum(int rows, int columns, Accumulate accumulate, float* out, Term term) {
  constexpr int kStrip = 64;
  constexpr int kRowsAtOnce = 64;
#pragma omp parallel for schedule(static)
  for (int first = 0; first < columns; first += kStrip) {
    const int width = std::min(kStrip, columns - first);
    float total[kStrip] = {};
    for (int row = 0; row < rows; row += kRowsAtOnce) {
      float partial[kStrip] = {};
      for (int n = row; n < std::min(row + kRowsAtOnce, rows); ++n) {
        for (int c = 0; c < width; ++c) partial[c] += term(n, first + c);
      }
      for (int c = 0; c < width; ++c) total[c] += partial[c];
    }
    for (int c = 0; c < width; ++c) {
      out[first + c] = total[c] + (accumulate == Accumulate::add ? out[first + c] : 0.0f);
    }
  }
}

}  // namespace andrea::cpu

#endif  // ANDREA_KERNELS_CPU_COLUMN_SUM_H_
