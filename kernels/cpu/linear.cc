#include "kernels/linear.h"

#include "kernels/cpu/column_sum.h"
#include "kernels/cpu/gemm.h"

namespace andrea {

std::size_t linear_scratch_bytes(int, int, int) { return 0; }

void linear_forward(const float* x, const float* weight, const float* bias, float* y, int N, int in,
                    int out, const Launch&) {
  cpu::gemm({.m = N, .n = out, .k = in, .lda = in, .ldb = out, .ldc = out}, x, weight, bias, y);
}

void linear_backward(const float* dy, const float* x, const float* weight, float* dx,
                     float* dweight, float* dbias, int N, int in, int out, Accumulate accumulate,
                     const Launch&) {
  if (dx != nullptr) {
    cpu::gemm({.m = N, .n = in, .k = out, .lda = out, .ldb = out, .ldc = in, .transpose_b = true},
              dy, weight, nullptr, dx);
  }
  cpu::gemm({.m = in,
             .n = out,
             .k = N,
             .lda = in,
             .ldb = out,
             .ldc = out,
             .transpose_a = true,
             .add = accumulate == Accumulate::add},
            x, dy, nullptr, dweight);
  if (dbias != nullptr) {
    cpu::column_sum(N, out, accumulate, dbias,
                    [=](int n, int c) { return dy[static_cast<std::ptrdiff_t>(n) * out + c]; });
  }
}

}  // namespace andrea
