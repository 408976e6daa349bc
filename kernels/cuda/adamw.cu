// AdamW in one pass over all parameters.
//
// The ladder, from lesson 07's kernels:
//
//   07.4  a thread a parameter, which raises beta1 and beta2 to the step for itself
//   here  a thread four parameters, 16 bytes an access; of the two powers only what is lost to
//         rounding in 1 - beta^step is computed, with expm1
//
// 28 bytes a parameter, which is the least there is: four numbers read, three written; 2.8 GB for
// ANDREA-120M. Some 20 FLOPs a parameter, which memory hides.
//
// Where clip_scale is NaN, as global_norm leaves it when the gradient is not finite, nothing is
// touched: a step may so be enqueued, or recorded in a graph, before anybody has looked at the
// norm, and a bad one costs that step alone.

#include <cmath>
#include <cstdint>

#include "kernels/adamw.h"
#include "kernels/cuda/vector.cuh"
#include "kernels/cuda_check.h"

namespace andrea {
namespace {

using cuda::load_vector;
using cuda::store_vector;
using cuda::Vector;

constexpr int kThreads = 256;

// The options, and what the host can tell of them once.
struct Options {
  AdamWOptions adamw;
  float log_beta1, log_beta2;
};

// 1 / (1 - beta^step). As 1 - beta^step it would be wrong by 2^-24 of 1, not of itself: by 6e-5 in
// the first step with beta2 = 0.999.
__device__ float correction(float log_beta, float step) { return -1 / expm1f(step * log_beta); }

template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    adamw_kernel(float* parameters, const float* gradients, float* first_moments,
                 float* second_moments, std::int64_t count, std::int64_t decayed, Options options,
                 const StepScalars* scalars) {
  const float clip_scale = scalars->clip_scale;
  if (isnan(clip_scale)) return;
  const std::int64_t first =
      (static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x) * kWidth;
  if (first >= count) return;
  const float learning_rate = scalars->learning_rate;
  const auto step = static_cast<float>(scalars->step);
  const float correction1 = correction(options.log_beta1, step);
  const float correction2 = correction(options.log_beta2, step);
  const AdamWOptions& adamw = options.adamw;

  auto parameter = load_vector<kWidth>(parameters + first, 0);
  auto m = load_vector<kWidth>(first_moments + first, 0);
  auto v = load_vector<kWidth>(second_moments + first, 0);
  const auto gradient = load_vector<kWidth>(gradients + first, 0);
#pragma unroll
  for (int k = 0; k < kWidth; ++k) {
    const float g = clip_scale * gradient.values[k];
    m.values[k] = adamw.beta1 * m.values[k] + (1 - adamw.beta1) * g;
    v.values[k] = adamw.beta2 * v.values[k] + (1 - adamw.beta2) * g * g;
    const float m_hat = m.values[k] * correction1, v_hat = v.values[k] * correction2;
    const float decay = first + k < decayed ? adamw.weight_decay : 0.0f;
    const float change = m_hat / (sqrtf(v_hat) + adamw.epsilon) + decay * parameter.values[k];
    parameter.values[k] -= learning_rate * change;
  }
  store_vector(parameters + first, 0, parameter);
  store_vector(first_moments + first, 0, m);
  store_vector(second_moments + first, 0, v);
}

template <int kWidth>
void launch_with(float* parameters, const float* gradients, float* first_moments,
                 float* second_moments, std::int64_t count, std::int64_t decayed,
                 const Options& options, const StepScalars* scalars, const Launch& launch) {
  if (count <= 0) return;
  const std::int64_t threads = (count + kWidth - 1) / kWidth;
  const auto blocks = static_cast<unsigned>((threads + kThreads - 1) / kThreads);
  adamw_kernel<kWidth><<<blocks, kThreads, 0, launch.stream>>>(
      parameters, gradients, first_moments, second_moments, count, decayed, options, scalars);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void adamw(float* parameters, const float* gradients, float* first_moments, float* second_moments,
           std::int64_t count, std::int64_t decayed, const AdamWOptions& options,
           const StepScalars* scalars, const Launch& launch) {
  const Options all = {options, static_cast<float>(std::log(double{options.beta1})),
                       static_cast<float>(std::log(double{options.beta2}))};
  // All but the last few, 16 bytes at once; then those.
  const bool aligned = cuda::is_aligned(parameters) && cuda::is_aligned(gradients) &&
                       cuda::is_aligned(first_moments) && cuda::is_aligned(second_moments);
  const std::int64_t packed = aligned ? count / 4 * 4 : 0;
  launch_with<4>(parameters, gradients, first_moments, second_moments, packed, decayed, all,
                 scalars, launch);
  launch_with<1>(parameters + packed, gradients + packed, first_moments + packed,
                 second_moments + packed, count - packed, decayed - packed, all, scalars, launch);
}

}  // namespace andrea
