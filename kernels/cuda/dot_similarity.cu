// kernels/dot_similarity.h, by products.h.

#include "kernels/cuda/products.h"
#include "kernels/dot_similarity.h"

namespace andrea {

std::size_t dot_similarity_scratch_bytes(int N, int M, int C) {
  return cuda::products_scratch_bytes(N, C, M);
}

void dot_similarity_forward(const float* x, const float* table, float* out, int N, int M, int C,
                            int stride, const Launch& launch) {
  cuda::similarity_forward(x, table, out, N, M, C, stride, launch);
}

void dot_similarity_backward(const float* dout, const float* x, const float* table, float* dx,
                             float* dtable, int N, int M, int C, int stride, Accumulate accumulate,
                             const Launch& launch) {
  cuda::similarity_backward(dout, x, table, dx, dtable, N, M, C, stride, accumulate, launch);
}

}  // namespace andrea
