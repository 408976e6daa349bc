// kernels/linear.h, by products.h.

#include "kernels/cuda/products.h"
#include "kernels/linear.h"

namespace andrea {

std::size_t linear_scratch_bytes(int N, int in, int out) {
  return cuda::products_scratch_bytes(N, in, out);
}

void linear_forward(const float* x, const float* weight, const float* bias, float* y, int N, int in,
                    int out, const Launch& launch) {
  cuda::linear_forward(x, weight, bias, y, N, in, out, launch);
}

void linear_backward(const float* dy, const float* x, const float* weight, float* dx,
                     float* dweight, float* dbias, int N, int in, int out, Accumulate accumulate,
                     const Launch& launch) {
  cuda::linear_backward(dy, x, weight, dx, dweight, dbias, N, in, out, accumulate, launch);
}

}  // namespace andrea
