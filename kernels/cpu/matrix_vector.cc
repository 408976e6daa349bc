#include "kernels/cpu/matrix_vector.h"

#include <algorithm>

#include "kernels/cpu/vector_math.h"

namespace andrea::cpu {
namespace {

// The rows of the matrix are divided into this many parts, whatever the number of threads; a thread
// reads its parts from front to back, which is what the hardware prefetches best.
constexpr int kParts = 16;

// Rows that share one pass over the sums, which stay in the L1 cache.
constexpr int kRowsAtOnce = 8;

// sums[j] += x[i] * weight[i, j] for rows first .. last - 1.
void add_rows(const float* x, const float* weight, float* sums, int first, int last, int out) {
  const auto row = [=](int i) { return weight + static_cast<std::ptrdiff_t>(i) * out; };
  int i = first;
  for (; i + kRowsAtOnce <= last; i += kRowsAtOnce) {
    const float *w0 = row(i), *w1 = row(i + 1), *w2 = row(i + 2), *w3 = row(i + 3),
                *w4 = row(i + 4), *w5 = row(i + 5), *w6 = row(i + 6), *w7 = row(i + 7);
    for (int j = 0; j < out; ++j) {
      sums[j] += ((x[i] * w0[j] + x[i + 1] * w1[j]) + (x[i + 2] * w2[j] + x[i + 3] * w3[j])) +
                 ((x[i + 4] * w4[j] + x[i + 5] * w5[j]) + (x[i + 6] * w6[j] + x[i + 7] * w7[j]));
    }
  }
  for (; i < last; ++i) {
    const float* w = row(i);
    for (int j = 0; j < out; ++j) sums[j] += x[i] * w[j];
  }
}

}  // namespace

std::size_t vector_times_matrix_scratch_bytes(int out) {
  return sizeof(float) * kParts * static_cast<std::size_t>(out);
}

void vector_times_matrix(const float* x, const float* weight, const float* bias, float* y, int in,
                         int out, void* scratch) {
  auto* partial = static_cast<float*>(scratch);  // [kParts, out]
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int part = 0; part < kParts; ++part) {
      float* sums = partial + static_cast<std::ptrdiff_t>(part) * out;
      std::fill(sums, sums + out, 0.0f);
      add_rows(x, weight, sums, static_cast<int>(std::int64_t{in} * part / kParts),
               static_cast<int>(std::int64_t{in} * (part + 1) / kParts), out);
    }
#pragma omp for schedule(static)
    for (int j = 0; j < out; ++j) {
      float sum = bias != nullptr ? bias[j] : 0.0f;
      for (int part = 0; part < kParts; ++part) {
        sum += partial[static_cast<std::ptrdiff_t>(part) * out + j];
      }
      y[j] = sum;
    }
  }
}

void dot_with_rows(const float* x, const float* table, float* y, int M, int C) {
#pragma omp parallel for schedule(static)
  for (int m = 0; m < M; ++m) {
    const float* row = table + static_cast<std::ptrdiff_t>(m) * C;
    y[m] = sum_over(C, [=](int c) { return x[c] * row[c]; });
  }
}

}  // namespace andrea::cpu
