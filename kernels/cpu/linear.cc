#include "kernels/linear.h"

#include "kernels/cpu/column_sum.h"
#include "kernels/cpu/enqueue.h"
#include "kernels/cpu/gemm.h"

namespace andrea {

std::size_t linear_scratch_bytes(int, int, int) { return 0; }

void linear_forward(const float* x, const float* weight, const float* bias, float* y, int N, int in,
                    int out, const Launch& launch) {
  const auto work = [=] {
    cpu::gemm({.m = N, .n = out, .k = in, .lda = in, .ldb = out, .ldc = out}, x, weight, bias, y);
  };
  cpu::enqueue(launch, "linear_forward",
               {cpu::reads("x", x, N, in), cpu::reads("weight", weight, in, out),
                cpu::optional(cpu::reads("bias", bias, out)), cpu::writes("y", y, N, out)},
               work);
}

void linear_backward(const float* dy, const float* x, const float* weight, float* dx,
                     float* dweight, float* dbias, int N, int in, int out, Accumulate accumulate,
                     const Launch& launch) {
  const auto work = [=] {
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
  };
  cpu::enqueue(launch, "linear_backward",
               {cpu::reads("dy", dy, N, out), cpu::reads("x", x, N, in),
                cpu::only_if(dx != nullptr, cpu::reads("weight", weight, in, out)),
                cpu::optional(cpu::writes("dx", dx, N, in)),
                cpu::accumulates(accumulate, "dweight", dweight, in, out),
                cpu::optional(cpu::accumulates(accumulate, "dbias", dbias, out))},
               work);
}

}  // namespace andrea
