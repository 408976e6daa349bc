#include "kernels/launch.h"

__global__ void doubled_kernel(const float* x, float* y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // SOLUTION(00.1): twice the number.
  if (i >= n) return;
  y[i] = 2 * x[i];
  // END(00.1)
}

void doubled(const float* x, float* y, int n, const andrea::Launch& launch) {
  doubled_kernel<<<(n + 31) / 32, 32, 0, launch.stream>>>(x, y, n);
}
