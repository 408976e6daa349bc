// Launches by macros, and kernels by macros.

#include <cstdio>

#define DEFINE_UNARY(name, expression)                    \
  __global__ void name##_kernel(float* x, int n) {        \
    int i = blockIdx.x * blockDim.x + threadIdx.x;        \
    if (i < n) {                                          \
      float v = x[i];                                     \
      x[i] = expression;                                  \
    }                                                     \
  }                                                       \
  void name(float* x, int n) { name##_kernel<<<(n + 255) / 256, 256>>>(x, n); }

DEFINE_UNARY(square, v * v)
DEFINE_UNARY(relu, v > 0 ? v : 0)

#define LAUNCH(kernel, n, ...) kernel<<<((n) + 255) / 256, 256>>>(__VA_ARGS__)
#define KERNEL __global__ void
#define FORCE __device__ __forceinline__

FORCE float helper(float v) { return v + 1; }
KERNEL cube(float* x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] = helper(x[i]);
}

int main() {
  float* x = nullptr;
  square(x, 3);
  relu(x, 3);
  LAUNCH(cube, 3, x, 3);
  LAUNCH(square_kernel, 3, x, 3);
  return 0;
}
