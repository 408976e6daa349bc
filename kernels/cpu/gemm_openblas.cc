#include <cblas.h>

#include <algorithm>
#include <cstddef>

#include "kernels/cpu/gemm.h"

namespace andrea::cpu {
namespace {

// OpenBLAS divides a product among its threads by their number, and the sums round accordingly. So
// each thread multiplies whole tiles of c, of one size whatever the number of threads: in a
// parallel region OpenBLAS uses the calling thread alone. Larger tiles would leave threads idle,
// smaller ones would copy a and b more often.
constexpr int kTileRows = 128;
constexpr int kTileColumns = 512;

std::ptrdiff_t at(int row, int column, int leading) {
  return std::ptrdiff_t{row} * leading + column;
}

void multiply_tile(const GemmShape& shape, const float* a, const float* b, const float* bias,
                   float* c, int row, int column) {
  const int m = std::min(kTileRows, shape.m - row);
  const int n = std::min(kTileColumns, shape.n - column);
  a += shape.transpose_a ? at(0, row, shape.lda) : at(row, 0, shape.lda);
  b += shape.transpose_b ? at(column, 0, shape.ldb) : at(0, column, shape.ldb);
  c += at(row, column, shape.ldc);
  bool add = shape.add;
  if (bias != nullptr) {
    // BLAS has no bias: put it into c first, then add the product to it.
    for (int i = 0; i < m; ++i) {
      float* out = c + at(i, 0, shape.ldc);
      for (int j = 0; j < n; ++j) out[j] = bias[column + j] + (add ? out[j] : 0.0f);
    }
    add = true;
  }
  cblas_sgemm(CblasRowMajor, shape.transpose_a ? CblasTrans : CblasNoTrans,
              shape.transpose_b ? CblasTrans : CblasNoTrans, m, n, shape.k, 1.0f, a, shape.lda, b,
              shape.ldb, add ? 1.0f : 0.0f, c, shape.ldc);
}

}  // namespace

void gemm(const GemmShape& shape, const float* a, const float* b, const float* bias, float* c) {
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int row = 0; row < shape.m; row += kTileRows) {
    for (int column = 0; column < shape.n; column += kTileColumns) {
      multiply_tile(shape, a, b, bias, c, row, column);
    }
  }
}

}  // namespace andrea::cpu
