// The mathematics that CUDA gives device code, some of it by the names of std.

#include <cfloat>
#include <cmath>
#include <limits.h>
#include <math_constants.h>

__device__ float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(sqrtf(2.0f / CUDART_PI_F) * (x + 0.044715f * x * x * x)));
}

__global__ void kernel(float* x, int n) {
  int i = threadIdx.x;
  float m = -INFINITY, lowest = -FLT_MAX;
  for (int k = i; k < n; k += blockDim.x) m = fmaxf(m, x[k]);
  m = max(m, lowest);
  x[i] = __expf(x[i] - m) + exp(x[i]) + std::exp(x[i]) + std::abs(x[i]) + std::sqrt(x[i]);
  x[i] += rsqrtf(x[i]) + gelu(x[i]) + min(1, n) + __fdividef(x[i], 2) + pow(x[i], 2.0f);
  x[i] += __int_as_float(__float_as_int(x[i])) + std::isnan(x[i]) + copysignf(1, x[i]);
  if (i == INT_MAX) x[i] = std::fmod(x[i], 3.0f);
}

// The host has overloads of its own.
float max(float a, float b, float c) { return fmaxf(a, fmaxf(b, c)); }
float host(float a) { return max(a, 1, 2) + std::max(1, 2); }
