// File: gemm.h
//
// The one place where the `cpu` set multiplies matrices. Behind it stands oneDNN (gemm_onednn.cc),
// or OpenBLAS's OpenMP build where oneDNN is absent (gemm_openblas.cc).
//
//   gemm({.m = N, .n = out, .k = in, .lda = in, .ldb = out, .ldc = out}, x, weight, bias, y);
//
// Called from one thread it uses all of OpenMP's; called inside a parallel region it uses the
// calling thread alone. The bits of the result do not depend on the number of threads.

#ifndef ANDREA_KERNELS_CPU_GEMM_H_
#define ANDREA_KERNELS_CPU_GEMM_H_

namespace andrea::cpu {

// c = op(a) op(b), or c += op(a) op(b) where `add` is set; op transposes where it is told to.
// Leading dimensions are the distances between the rows as stored.
struct GemmShape {
  int m, n, k;               // op(a) is [m, k], op(b) is [k, n], c is [m, n]
  int lda, ldb, ldc;         // of a, b and c, in numbers
  bool transpose_a = false;  // a is stored [k, m]
  bool transpose_b = false;  // b is stored [n, k]
  bool add = false;          // to what c holds

  bool operator==(const GemmShape&) const = default;
};

// `bias`, of n numbers, is added to every row of the result; it may be null.
void gemm(const GemmShape& shape, const float* a, const float* b, const float* bias, float* c);

}  // namespace andrea::cpu

#endif  // ANDREA_KERNELS_CPU_GEMM_H_
