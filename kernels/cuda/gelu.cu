// The ladder: lesson 05.1 and 05.2 have a thread a number, 05.8 adds the bias on the way. Here a
// thread has 16 bytes. With b bytes a number, of N rows of C:
//
//   gelu_forward     2 b N C bytes     about 10 FLOPs a number, one exponential, one division
//   gelu_backward    3 b N C           about 20
//   add_bias         3 b N C where both results are asked for, 2 b N C where one is
//
// In bf16, b = 2, an H200 moves a number in less than it has time for 30 FLOPs of: hence the form
// of gelu_function.cuh.

#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/gelu.h"
#include "kernels/cuda/gelu_function.cuh"
#include "kernels/cuda_check.h"

namespace andrea::cuda {
namespace {

struct GeluGradient {
  __device__ static float value(float dy, float x) { return dy * Gelu::derivative(x); }
};

// A block a row: what a column is need not be divided out.
template <typename Number, bool kInPacks>
__global__ void add_bias_kernel(const Number* x, const Number* bias, Number* sum, Number* activated,
                                int width) {
  constexpr int kWidth = kInPacks ? kPacked<Number> : 1;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * width;
  for (int c = static_cast<int>(threadIdx.x) * kWidth; c < width;
       c += static_cast<int>(blockDim.x) * kWidth) {
    if constexpr (kInPacks) {
      const Packed<Number> numbers = load_packed(x + row + c);
      const Packed<Number> offsets = load_packed(bias + c);
      Packed<Number> sums, activations;
      for (int k = 0; k < kWidth; ++k) {
        const float moved = to_float(numbers.values[k]) + to_float(offsets.values[k]);
        sums.values[k] = from_float<Number>(moved);
        activations.values[k] = from_float<Number>(Gelu::value(moved));
      }
      if (sum != nullptr) store_packed(sum + row + c, sums);
      if (activated != nullptr) store_packed(activated + row + c, activations);
    } else {
      const float moved = to_float(x[row + c]) + to_float(bias[c]);
      if (sum != nullptr) sum[row + c] = from_float<Number>(moved);
      if (activated != nullptr) activated[row + c] = from_float<Number>(Gelu::value(moved));
    }
  }
}

template <typename Number>
void launch_gelu_forward(const Number* x, Number* y, std::int64_t count, const Launch& launch) {
  const Split split = split_of<Number>(count, {x, y});
  map_kernel<Gelu>
      <<<split.blocks(), kElementwiseThreads, 0, launch.stream>>>(x, y, split.packs, count);
  CUDA_CHECK(cudaGetLastError());
}

template <typename Number>
void launch_gelu_backward(const Number* dy, const Number* x, Number* dx, std::int64_t count,
                          const Launch& launch) {
  const Split split = split_of<Number>(count, {dy, x, dx});
  map_pairs_kernel<GeluGradient>
      <<<split.blocks(), kElementwiseThreads, 0, launch.stream>>>(dy, x, dx, split.packs, count);
  CUDA_CHECK(cudaGetLastError());
}

template <typename Number>
void launch_add_bias(const Number* x, const Number* bias, Number* sum, Number* activated, int N,
                     int width, const Launch& launch) {
  const bool in_packs = width % kPacked<Number> == 0 && is_aligned(x) && is_aligned(bias) &&
                        is_aligned(sum) && is_aligned(activated);
  if (in_packs) {
    add_bias_kernel<Number, true>
        <<<N, kElementwiseThreads, 0, launch.stream>>>(x, bias, sum, activated, width);
  } else {
    add_bias_kernel<Number, false>
        <<<N, kElementwiseThreads, 0, launch.stream>>>(x, bias, sum, activated, width);
  }
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void gelu_forward(const float* x, float* y, std::int64_t count, const Launch& launch) {
  launch_gelu_forward(x, y, count, launch);
}

void gelu_forward(const __nv_bfloat16* x, __nv_bfloat16* y, std::int64_t count,
                  const Launch& launch) {
  launch_gelu_forward(x, y, count, launch);
}

void gelu_backward(const float* dy, const float* x, float* dx, std::int64_t count,
                   const Launch& launch) {
  launch_gelu_backward(dy, x, dx, count, launch);
}

void gelu_backward(const __nv_bfloat16* dy, const __nv_bfloat16* x, __nv_bfloat16* dx,
                   std::int64_t count, const Launch& launch) {
  launch_gelu_backward(dy, x, dx, count, launch);
}

void add_bias(const float* x, const float* bias, float* sum, float* activated, int N, int width,
              const Launch& launch) {
  launch_add_bias(x, bias, sum, activated, N, width, launch);
}

void add_bias(const __nv_bfloat16* x, const __nv_bfloat16* bias, __nv_bfloat16* sum,
              __nv_bfloat16* activated, int N, int width, const Launch& launch) {
  launch_add_bias(x, bias, sum, activated, N, width, launch);
}

}  // namespace andrea::cuda
