// Lesson 07, further exercises: further.h says what they compute.
//
//   bazel test //lessons/07_full_model:further_test

#include "kernels/cross_entropy.h"
#include "kernels/cuda_check.h"
#include "kernels/transformer.h"
#include "lessons/07_full_model/further.h"
#include "lessons/reductions.cuh"

namespace andrea::lesson07 {
namespace {

// ---- 07.8 Master weights.

// What AdamW adds to a parameter, which is `now`; the moments are a step further then.
__device__ float adamw_change(float now, float gradient, float& first_moment, float& second_moment,
                              bool decays, const AdamWOptions& options,
                              const StepScalars& scalars) {
  const float g = scalars.clip_scale * gradient;
  first_moment = options.beta1 * first_moment + (1 - options.beta1) * g;
  second_moment = options.beta2 * second_moment + (1 - options.beta2) * g * g;
  const auto step = static_cast<float>(scalars.step);
  const float m_hat = first_moment / (1 - powf(options.beta1, step));
  const float v_hat = second_moment / (1 - powf(options.beta2, step));
  const float decay = decays ? options.weight_decay * now : 0.0f;
  return -scalars.learning_rate * (m_hat / (sqrtf(v_hat) + options.epsilon) + decay);
}

__global__ void mixed_adamw_kernel(float* master,                   // [count]
                                   __nv_bfloat16* working,          // [count]
                                   const __nv_bfloat16* gradients,  // [count]
                                   float* first_moments,            // [count]
                                   float* second_moments,           // [count]
                                   std::int64_t count, std::int64_t decayed, AdamWOptions options,
                                   const StepScalars* scalars) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  // TODO(07.8): the gradient as a float; the step, which the master takes; the
  // working copy, about 4 lines.
}

// ---- 07.10 What is done with a batch: one block adds up its squares. Given.

__global__ void sum_of_squares_kernel(const float* batch,  // [count]
                                      float* sum,          // one number
                                      int count) {
  float squares = 0;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
    squares += batch[i] * batch[i];
  }
  squares = block_sum(squares);
  if (threadIdx.x == 0) *sum = squares;
}

}  // namespace

void mixed_adamw(float* master, __nv_bfloat16* working, const __nv_bfloat16* gradients,
                 float* first_moments, float* second_moments, std::int64_t count,
                 std::int64_t decayed, const AdamWOptions& options, const StepScalars* scalars,
                 const Launch& launch) {
  const auto blocks = static_cast<unsigned>((count + 255) / 256);
  mixed_adamw_kernel<<<blocks, 256, 0, launch.stream>>>(
      master, working, gradients, first_moments, second_moments, count, decayed, options, scalars);
  CUDA_CHECK(cudaGetLastError());
}

// ---- 07.9 Gradient accumulation.

void accumulated_gradients(const ParameterLayout& layout, const Training& training,
                           const int* tokens, const int* targets, int counted, int micro_batches,
                           int B, int T, const Launch& launch) {
  const int N = B * T, V = layout.config().vocabulary, stride = layout.config().padded_vocabulary();
  // TODO(07.9): for each micro-batch, with its own part of tokens, targets and losses, the
  // first three operations of 07.7, about 9 lines.
}

// ---- 07.10 Copies beside compute.

void sums_of_batches(const float* batches, float* sums, int count_of_batches, int count,
                     const CopyStream& copies, const Launch& launch) {
  // The copies begin when launch.stream has come here.
  CUDA_CHECK(cudaEventRecord(copies.used[0], launch.stream));
  CUDA_CHECK(cudaStreamWaitEvent(copies.stream, copies.used[0], 0));
  for (int k = 0; k < count_of_batches; ++k) {
    const int b = k % 2;
    const float* batch = batches + static_cast<std::int64_t>(k) * count;
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
    // TODO(07.10): in copies.stream: wait until buffer b is free again, which it is from the
    // start in the first two rounds; copy; record that it has been copied. In launch.stream: wait
    // for that; launch sum_of_squares_kernel with one block; record that the buffer
    // has been used, about 7 lines.
  }
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson07
