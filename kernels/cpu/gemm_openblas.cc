#include <cblas.h>

#include <cstddef>

#include "kernels/cpu/gemm.h"

namespace andrea::cpu {

void gemm(const GemmShape& shape, const float* a, const float* b, const float* bias, float* c) {
  bool add = shape.add;
  if (bias != nullptr) {
    // BLAS has no bias: put it into c first, then add the product to it.
    for (int i = 0; i < shape.m; ++i) {
      float* row = c + static_cast<std::ptrdiff_t>(i) * shape.ldc;
      for (int j = 0; j < shape.n; ++j) row[j] = bias[j] + (add ? row[j] : 0.0f);
    }
    add = true;
  }
  cblas_sgemm(CblasRowMajor, shape.transpose_a ? CblasTrans : CblasNoTrans,
              shape.transpose_b ? CblasTrans : CblasNoTrans, shape.m, shape.n, shape.k, 1.0f, a,
              shape.lda, b, shape.ldb, add ? 1.0f : 0.0f, c, shape.ldc);
}

}  // namespace andrea::cpu
