// kernels/activation.h. The ladder: lesson 05.1, 05.2 and 05.9 to 05.11 have a thread a number;
// here it has 16 bytes. Of `count` numbers forward moves 8 bytes each and backward 12, swiglu 12
// and 20 for each number of y; arithmetic is hidden behind that.

#include "kernels/activation.h"
#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/gelu.h"
#include "kernels/cuda/gelu_function.cuh"
#include "kernels/cuda_check.h"

namespace andrea {
namespace {

struct GeluErf {
  static constexpr float kRootOfHalf = 0.7071067812f;        // sqrt(1 / 2)
  static constexpr float kRootOfHalfOverPi = 0.3989422804f;  // 1 / sqrt(2 pi)

  __device__ static float share(float x) { return 0.5f * (1.0f + erff(x * kRootOfHalf)); }
  __device__ static float value(float x) { return x * share(x); }
  __device__ static float derivative(float x) {
    return share(x) + x * kRootOfHalfOverPi * expf(-0.5f * x * x);
  }
};

struct Relu {
  __device__ static float value(float x) { return x < 0.0f ? 0.0f : x; }  // NaN stays NaN
  __device__ static float derivative(float x) { return x > 0.0f ? 1.0f : 0.0f; }
};

template <typename Function>
struct Gradient {
  __device__ static float value(float dy, float x) { return dy * Function::derivative(x); }
};

struct Swiglu {
  // Of one number of y.
  struct Pair {
    float da, db;
  };

  __device__ static float value(float a, float b) { return a * cuda::sigmoid(a) * b; }
  __device__ static Pair derivative(float dy, float a, float b) {
    const float s = cuda::sigmoid(a);
    return {dy * b * (s + a * s * (1.0f - s)), dy * a * s};
  }
};

// A block a row of y: where the halves of a row of x lie need not be divided out.
template <bool kInPacks>
__global__ void swiglu_forward_kernel(const float* x,  // [N, 2 width]
                                      float* y,        // [N, width]
                                      int width) {
  constexpr int kWidth = kInPacks ? cuda::kPacked<float> : 1;
  const float* const a = x + static_cast<std::int64_t>(blockIdx.x) * 2 * width;
  const float* const b = a + width;
  float* const out = y + static_cast<std::int64_t>(blockIdx.x) * width;
  for (int c = static_cast<int>(threadIdx.x) * kWidth; c < width;
       c += static_cast<int>(blockDim.x) * kWidth) {
    if constexpr (kInPacks) {
      cuda::Packed<float> left = cuda::load_packed(a + c);
      const cuda::Packed<float> right = cuda::load_packed(b + c);
      for (int k = 0; k < kWidth; ++k) {
        left.values[k] = Swiglu::value(left.values[k], right.values[k]);
      }
      cuda::store_packed(out + c, left);
    } else {
      out[c] = Swiglu::value(a[c], b[c]);
    }
  }
}

template <bool kInPacks>
__global__ void swiglu_backward_kernel(const float* dy,  // [N, width]
                                       const float* x,   // [N, 2 width]
                                       float* dx,        // [N, 2 width]
                                       int width) {
  constexpr int kWidth = kInPacks ? cuda::kPacked<float> : 1;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * width;
  const float* const a = x + 2 * row;
  const float* const b = a + width;
  float* const da = dx + 2 * row;
  float* const db = da + width;
  for (int c = static_cast<int>(threadIdx.x) * kWidth; c < width;
       c += static_cast<int>(blockDim.x) * kWidth) {
    if constexpr (kInPacks) {
      const cuda::Packed<float> gradient = cuda::load_packed(dy + row + c);
      cuda::Packed<float> left = cuda::load_packed(a + c);
      cuda::Packed<float> right = cuda::load_packed(b + c);
      for (int k = 0; k < kWidth; ++k) {
        const Swiglu::Pair pair =
            Swiglu::derivative(gradient.values[k], left.values[k], right.values[k]);
        left.values[k] = pair.da;
        right.values[k] = pair.db;
      }
      cuda::store_packed(da + c, left);
      cuda::store_packed(db + c, right);
    } else {
      const Swiglu::Pair pair = Swiglu::derivative(dy[row + c], a[c], b[c]);
      da[c] = pair.da;
      db[c] = pair.db;
    }
  }
}

template <typename Function>
void map(const float* x, float* y, std::int64_t count, const Launch& launch) {
  const cuda::Split split = cuda::split_of<float>(count, {x, y});
  cuda::map_kernel<Function>
      <<<split.blocks(), cuda::kElementwiseThreads, 0, launch.stream>>>(x, y, split.packs, count);
  CUDA_CHECK(cudaGetLastError());
}

template <typename Function>
void map_gradient(const float* dy, const float* x, float* dx, std::int64_t count,
                  const Launch& launch) {
  const cuda::Split split = cuda::split_of<float>(count, {dy, x, dx});
  cuda::map_pairs_kernel<Gradient<Function>>
      <<<split.blocks(), cuda::kElementwiseThreads, 0, launch.stream>>>(dy, x, dx, split.packs,
                                                                        count);
  CUDA_CHECK(cudaGetLastError());
}

void swiglu_forward(const float* x, float* y, int N, int width, const Launch& launch) {
  if (width % cuda::kPacked<float> == 0 && cuda::is_aligned(x) && cuda::is_aligned(y)) {
    swiglu_forward_kernel<true><<<N, cuda::kElementwiseThreads, 0, launch.stream>>>(x, y, width);
  } else {
    swiglu_forward_kernel<false><<<N, cuda::kElementwiseThreads, 0, launch.stream>>>(x, y, width);
  }
  CUDA_CHECK(cudaGetLastError());
}

void swiglu_backward(const float* dy, const float* x, float* dx, int N, int width,
                     const Launch& launch) {
  if (width % cuda::kPacked<float> == 0 && cuda::is_aligned(dy) && cuda::is_aligned(x) &&
      cuda::is_aligned(dx)) {
    swiglu_backward_kernel<true>
        <<<N, cuda::kElementwiseThreads, 0, launch.stream>>>(dy, x, dx, width);
  } else {
    swiglu_backward_kernel<false>
        <<<N, cuda::kElementwiseThreads, 0, launch.stream>>>(dy, x, dx, width);
  }
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

std::string activation_supports(Activation) { return ""; }

void activation_forward(Activation kind, const float* x, float* y, int N, int width,
                        const Launch& launch) {
  const std::int64_t count = static_cast<std::int64_t>(N) * width;
  switch (kind) {
    case Activation::gelu:
      return cuda::gelu_forward(x, y, count, launch);
    case Activation::gelu_erf:
      return map<GeluErf>(x, y, count, launch);
    case Activation::relu:
      return map<Relu>(x, y, count, launch);
    case Activation::swiglu:
      return swiglu_forward(x, y, N, width, launch);
  }
}

void activation_backward(Activation kind, const float* dy, const float* x, float* dx, int N,
                         int width, const Launch& launch) {
  const std::int64_t count = static_cast<std::int64_t>(N) * width;
  switch (kind) {
    case Activation::gelu:
      return cuda::gelu_backward(dy, x, dx, count, launch);
    case Activation::gelu_erf:
      return map_gradient<GeluErf>(dy, x, dx, count, launch);
    case Activation::relu:
      return map_gradient<Relu>(dy, x, dx, count, launch);
    case Activation::swiglu:
      return swiglu_backward(dy, x, dx, N, width, launch);
  }
}

}  // namespace andrea
