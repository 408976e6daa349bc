#include "kernels/dot_similarity.h"

#include "kernels/cpu/gemm.h"

namespace andrea {

std::size_t dot_similarity_scratch_bytes(int, int, int) { return 0; }

void dot_similarity_forward(const float* x, const float* table, float* out, int N, int M, int C,
                            int stride, const Launch&) {
  cpu::gemm({.m = N, .n = M, .k = C, .lda = C, .ldb = C, .ldc = stride, .transpose_b = true}, x,
            table, nullptr, out);
}

void dot_similarity_backward(const float* dout, const float* x, const float* table, float* dx,
                             float* dtable, int N, int M, int C, int stride, Accumulate accumulate,
                             const Launch&) {
  if (dx != nullptr) {
    cpu::gemm({.m = N, .n = C, .k = M, .lda = stride, .ldb = C, .ldc = C}, dout, table, nullptr,
              dx);
  }
  cpu::gemm({.m = M,
             .n = C,
             .k = N,
             .lda = stride,
             .ldb = C,
             .ldc = C,
             .transpose_a = true,
             .add = accumulate == Accumulate::add},
            dout, x, nullptr, dtable);
}

}  // namespace andrea
