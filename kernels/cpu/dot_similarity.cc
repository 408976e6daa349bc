#include "kernels/dot_similarity.h"

#include "kernels/cpu/enqueue.h"
#include "kernels/cpu/gemm.h"

namespace andrea {

std::size_t dot_similarity_scratch_bytes(int, int, int) { return 0; }

void dot_similarity_forward(const float* x, const float* table, float* out, int N, int M, int C,
                            int stride, const Launch& launch) {
  const auto work = [=] {
    cpu::gemm({.m = N, .n = M, .k = C, .lda = C, .ldb = C, .ldc = stride, .transpose_b = true}, x,
              table, nullptr, out);
  };
  cpu::enqueue(launch, "dot_similarity_forward",
               {cpu::reads("x", x, N, C), cpu::reads("table", table, M, C),
                cpu::writes("out", out, cpu::Rows{N, M, stride})},
               work);
}

void dot_similarity_backward(const float* dout, const float* x, const float* table, float* dx,
                             float* dtable, int N, int M, int C, int stride, Accumulate accumulate,
                             const Launch& launch) {
  const auto work = [=] {
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
  };
  cpu::enqueue(launch, "dot_similarity_backward",
               {cpu::reads("dout", dout, cpu::Rows{N, M, stride}), cpu::reads("x", x, N, C),
                cpu::only_if(dx != nullptr, cpu::reads("table", table, M, C)),
                cpu::optional(cpu::writes("dx", dx, N, C)),
                cpu::accumulates(accumulate, "dtable", dtable, M, C)},
               work);
}

}  // namespace andrea
