// File: gelu_function.cuh
//
// GELU, tanh form, as kernels/activation.h defines it.

#ifndef ANDREA_KERNELS_CUDA_GELU_FUNCTION_CUH_
#define ANDREA_KERNELS_CUDA_GELU_FUNCTION_CUH_

#include <cuda_runtime.h>

namespace andrea::cuda {

// 1 / (1 + exp(-x)): of a large -x the exponential is infinite, and its inverse the 0 that it must
// be.
__device__ inline float sigmoid(float x) { return __fdividef(1.0f, 1.0f + expf(-x)); }

// (1 + tanh(u)) / 2 is the sigmoid of 2u: one exponential and one division, where tanhf would make
// these kernels wait for arithmetic instead of memory; and nothing cancels where x is negative.
struct Gelu {
  static constexpr float kScale = 2.0f * 0.7978845608f;  // 2 sqrt(2 / pi)
  static constexpr float kCubic = 0.044715f;

  __device__ static float gate(float x) { return sigmoid(kScale * (x + kCubic * x * x * x)); }
  __device__ static float value(float x) { return x * gate(x); }
  __device__ static float derivative(float x) {
    const float s = gate(x);
    return s + x * s * (1.0f - s) * kScale * (1.0f + 3.0f * kCubic * x * x);
  }
};

}  // namespace andrea::cuda

#endif  // ANDREA_KERNELS_CUDA_GELU_FUNCTION_CUH_
