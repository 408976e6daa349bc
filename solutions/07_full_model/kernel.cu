// Lesson 07: the loss, the optimiser, and the model put together. What each function computes
// stands in kernel.h; README.md explains the ideas, in the same order. Its exercises are tried by
//
//   bazel test //lessons/07_full_model:kernel_test
//
// row_of(x, n, stride) is where row n of x begins; block_sum and block_max give every thread of a
// block the sum or the largest of what its threads bring: lessons/rows.cuh, lessons/reductions.cuh.

#include <math_constants.h>

#include "kernels/adamw.h"
#include "kernels/block.h"
#include "kernels/cross_entropy.h"
#include "kernels/cuda_check.h"
#include "kernels/dot_similarity.h"
#include "kernels/embedding.h"
#include "kernels/global_norm.h"
#include "kernels/launch_size.h"
#include "kernels/layer_norm.h"
#include "kernels/transformer.h"
#include "lessons/07_full_model/kernel.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::lesson07 {
namespace {

// ---- 07.1 The losses: a block a row, since a row has V numbers.

__global__ void row_losses_kernel(const float* logits,  // [N, stride]
                                  const int* targets,   // [N]
                                  float* losses,        // [N]
                                  int V, int stride) {
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int n = static_cast<int>(blockIdx.x);
  // SOLUTION(07.1): the largest of the V logits of row n, and the sum of exp(logit - largest), of
  // which each thread goes over every `threads`-th column; then one thread writes the row's loss,
  // which is 0 where the target is -1.
  const float* row = row_of(logits, n, stride);
  const int target = targets[n];
  float largest = -CUDART_INF_F;
  for (int v = thread; v < V; v += threads) largest = fmaxf(largest, row[v]);
  largest = block_max(largest);
  float sum = 0;
  for (int v = thread; v < V; v += threads) sum += expf(row[v] - largest);
  sum = block_sum(sum);
  if (thread == 0) losses[n] = target < 0 ? 0.0f : logf(sum) + largest - row[target];
  // END(07.1)
}

// ---- 07.2 The gradient of the logits, over the logits themselves.

__global__ void gradient_of_logits_kernel(float* logits,       // [N, stride]
                                          const int* targets,  // [N]
                                          float gradient_scale, int V, int stride) {
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int n = static_cast<int>(blockIdx.x);
  // SOLUTION(07.2): the largest and the sum as in 07.1; then each thread replaces its columns, all
  // `stride` of the row counted, by their gradients.
  float* row = row_of(logits, n, stride);
  const int target = targets[n];
  float largest = -CUDART_INF_F;
  for (int v = thread; v < V; v += threads) largest = fmaxf(largest, row[v]);
  largest = block_max(largest);
  float sum = 0;
  for (int v = thread; v < V; v += threads) sum += expf(row[v] - largest);
  sum = block_sum(sum);
  for (int v = thread; v < stride; v += threads) {
    const bool counts = target >= 0 && v < V;
    const float probability = counts ? expf(row[v] - largest) / sum : 0.0f;
    row[v] = gradient_scale * (v == target ? probability - 1 : probability);
  }
  // END(07.2)
}

// ---- 07.3 A sum over the whole grid: many blocks leave a sum each, then one block adds those.

__global__ void sums_of_squares_kernel(const float* gradients,  // [count]
                                       std::int64_t count,
                                       float* sums) {  // [gridDim.x]
  // SOLUTION(07.3): the squares that this block comes to in a grid-stride loop, added up over its
  // threads; one thread leaves the sum at the block's place.
  const auto threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  float sum = 0;
  for (auto i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += threads) {
    sum += gradients[i] * gradients[i];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  // END(07.3)
}

__global__ void norm_and_clip_kernel(const float* sums,  // [blocks]
                                     int blocks, float max_norm, float* gradient_norm,
                                     float* clip_scale) {
  const int thread = static_cast<int>(threadIdx.x);
  // SOLUTION(07.3): from the sum of the blocks' sums one thread writes the norm, and the factor
  // that clips; isfinite(x) is false for an infinity and for NaN.
  const float norm = sqrtf(block_sum(thread < blocks ? sums[thread] : 0.0f));
  if (thread > 0) return;
  *gradient_norm = norm;
  if (!isfinite(norm)) {
    *clip_scale = CUDART_NAN_F;
  } else {
    *clip_scale = max_norm > 0 && norm > max_norm ? max_norm / norm : 1.0f;
  }
  // END(07.3)
}

// ---- 07.4 AdamW: a thread a parameter.

__global__ void adamw_kernel(float* parameters,       // [count]
                             const float* gradients,  // [count]
                             float* first_moments,    // [count]
                             float* second_moments,   // [count]
                             std::int64_t count, std::int64_t decayed, AdamWOptions options,
                             const StepScalars* scalars) {
  const auto i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  // SOLUTION(07.4): the two moments, and the step that parameter i takes by them.
  const float g = scalars->clip_scale * gradients[i];
  const float m = options.beta1 * first_moments[i] + (1 - options.beta1) * g;
  const float v = options.beta2 * second_moments[i] + (1 - options.beta2) * g * g;
  first_moments[i] = m;
  second_moments[i] = v;
  const auto step = static_cast<float>(scalars->step);
  const float m_hat = m / (1 - powf(options.beta1, step));
  const float v_hat = v / (1 - powf(options.beta2, step));
  const float decay = i < decayed ? options.weight_decay : 0.0f;
  const float change = m_hat / (sqrtf(v_hat) + options.epsilon) + decay * parameters[i];
  parameters[i] -= scalars->learning_rate * change;
  // END(07.4)
}

}  // namespace

// ---- The launches, which are yours.

void row_losses(const float* logits, const int* targets, float* losses, int N, int V, int stride,
                const Launch& launch) {
  // SOLUTION(07.1): launch row_losses_kernel with a block for each of the N rows.
  row_losses_kernel<<<N, 256, 0, launch.stream>>>(logits, targets, losses, V, stride);
  // END(07.1)
  CUDA_CHECK(cudaGetLastError());
}

void gradient_of_logits(float* logits, const int* targets, float gradient_scale, int N, int V,
                        int stride, const Launch& launch) {
  // SOLUTION(07.2): launch gradient_of_logits_kernel with a block for each of
  // the N rows.
  gradient_of_logits_kernel<<<N, 256, 0, launch.stream>>>(logits, targets, gradient_scale, V,
                                                          stride);
  // END(07.2)
  CUDA_CHECK(cudaGetLastError());
}

void norm_and_clip(const float* gradients, std::int64_t count, float max_norm, float* gradient_norm,
                   float* clip_scale, const Launch& launch) {
  auto* sums = static_cast<float*>(launch.scratch);  // [kPartialSums]
  // SOLUTION(07.3): launch sums_of_squares_kernel with kPartialSums blocks or fewer; then
  // norm_and_clip_kernel with one block of kPartialSums threads.
  const int blocks = kPartialSums;
  sums_of_squares_kernel<<<blocks, 256, 0, launch.stream>>>(gradients, count, sums);
  norm_and_clip_kernel<<<1, kPartialSums, 0, launch.stream>>>(sums, blocks, max_norm, gradient_norm,
                                                              clip_scale);
  // END(07.3)
  CUDA_CHECK(cudaGetLastError());
}

void adamw_update(float* parameters, const float* gradients, float* first_moments,
                  float* second_moments, std::int64_t count, std::int64_t decayed,
                  const AdamWOptions& options, const StepScalars* scalars, const Launch& launch) {
  // SOLUTION(07.4): launch adamw_kernel with a thread for each of the `count`
  // parameters.
  const auto blocks = static_cast<unsigned>((count + 255) / 256);
  adamw_kernel<<<blocks, 256, 0, launch.stream>>>(parameters, gradients, first_moments,
                                                  second_moments, count, decayed, options, scalars);
  // END(07.4)
  CUDA_CHECK(cudaGetLastError());
}

// ---- The model: no kernels any more, but the operations of the lessons before, in their order.

// ---- 07.5 Forward.

void model_forward(const ModelConfig& config, const ModelTensors<const float>& parameters,
                   const int* tokens, const ForwardMemory& memory, float* logits, int B, int T,
                   const Launch& launch) {
  const int L = config.layers, C = config.width, stride = config.padded_vocabulary();
  // SOLUTION(07.5): the embedding; the L blocks, block l from streams[l] to streams[l + 1]; the
  // norm after the last block; the logits.
  embedding_forward(tokens, parameters.token_table, parameters.position_table, memory.streams[0], B,
                    T, C, launch);
  for (int l = 0; l < L; ++l) {
    block_forward(config, parameters.blocks[l], memory.streams[l], memory.streams[l + 1],
                  memory.blocks[l], B, T, launch);
  }
  layer_norm_forward(memory.streams[L], parameters.final_gain, parameters.final_bias, memory.normed,
                     memory.norm_saved, B * T, C, launch);
  dot_similarity_forward(memory.normed, parameters.output_table, logits, B * T, stride, C, stride,
                         launch);
  // END(07.5)
}

// ---- 07.6 Backward: the same operations, from the last to the first.

void model_backward(const ModelConfig& config, const ModelTensors<const float>& parameters,
                    const int* tokens, const float* dlogits, const ForwardMemory& memory,
                    const BackwardMemory& working, const ModelTensors<float>& gradients, int B,
                    int T, Accumulate accumulate, const Launch& launch) {
  const int L = config.layers, C = config.width, stride = config.padded_vocabulary();
  // SOLUTION(07.6): from dlogits to dnormed, to dstream, back through the blocks, where dstream
  // becomes that of the stream before each, and into the two tables; and, where gradients are
  // overwritten, zeros for the position rows that no token of this batch has.
  dot_similarity_backward(dlogits, memory.normed, parameters.output_table, working.dnormed,
                          gradients.output_table, B * T, stride, C, stride, accumulate, launch);
  layer_norm_backward(working.dnormed, memory.streams[L], parameters.final_gain, memory.norm_saved,
                      working.dstream, gradients.final_gain, gradients.final_bias, B * T, C,
                      accumulate, launch);
  for (int l = L - 1; l >= 0; --l) {
    block_backward(config, parameters.blocks[l], working.dstream, memory.streams[l],
                   memory.blocks[l], working.dstream, gradients.blocks[l], B, T, accumulate,
                   launch);
  }
  embedding_backward(working.dstream, tokens, gradients.token_table, gradients.position_table, B, T,
                     C, stride, accumulate, launch);
  const auto unused = static_cast<std::size_t>(config.context - T) * static_cast<std::size_t>(C);
  if (accumulate == Accumulate::overwrite) {
    CUDA_CHECK(cudaMemsetAsync(row_of(gradients.position_table, T, C), 0, unused * sizeof(float),
                               launch.stream));
  }
  // END(07.6)
}

// ---- 07.7 A step: the contract's own functions, which the end of this file makes of yours.

void training_step(const ParameterLayout& layout, const Training& training, const int* tokens,
                   const int* targets, int counted, float max_norm, const AdamWOptions& options,
                   int B, int T, const Launch& launch) {
  const int V = layout.config().vocabulary, stride = layout.config().padded_vocabulary();
  // SOLUTION(07.7): transformer_forward, cross_entropy_forward_backward, transformer_backward,
  // global_norm and adamw, in this order; their headers in kernels/ say what
  // they take.
  transformer_forward(layout, training.parameters, tokens, training.logits, training.saved, B, T,
                      launch);
  cross_entropy_forward_backward(training.logits, targets, training.losses,
                                 1.0f / static_cast<float>(counted), B * T, V, stride, launch);
  transformer_backward(layout, training.parameters, tokens, training.logits, training.saved,
                       training.gradients, B, T, Accumulate::overwrite, launch);
  global_norm(training.gradients, layout.size(), max_norm, training.scalars, launch);
  adamw(training.parameters, training.gradients, training.first_moments, training.second_moments,
        layout.size(), layout.decayed(), options, training.scalars, launch);
  // END(07.7)
}

}  // namespace andrea::lesson07

// ---- The contract's headers, made of these: this is what the trainer calls.

namespace andrea {

using lesson07::BackwardMemory;
using lesson07::ForwardMemory;

void cross_entropy_forward(const float* logits, const int* targets, float* losses, int N, int V,
                           int stride, const Launch& launch) {
  lesson07::row_losses(logits, targets, losses, N, V, stride, launch);
}

void cross_entropy_forward_backward(float* logits, const int* targets, float* losses,
                                    float gradient_scale, int N, int V, int stride,
                                    const Launch& launch) {
  lesson07::row_losses(logits, targets, losses, N, V, stride, launch);
  lesson07::gradient_of_logits(logits, targets, gradient_scale, N, V, stride, launch);
}

std::size_t global_norm_scratch_bytes(std::int64_t) {
  return align_up(lesson07::kPartialSums * sizeof(float));
}

void global_norm(const float* gradients, std::int64_t count, float max_norm, StepScalars* scalars,
                 const Launch& launch) {
  lesson07::norm_and_clip(gradients, count, max_norm, &scalars->gradient_norm, &scalars->clip_scale,
                          launch);
}

void adamw(float* parameters, const float* gradients, float* first_moments, float* second_moments,
           std::int64_t count, std::int64_t decayed, const AdamWOptions& options,
           const StepScalars* scalars, const Launch& launch) {
  lesson07::adamw_update(parameters, gradients, first_moments, second_moments, count, decayed,
                         options, scalars, launch);
}

// ANDREA's own variants, which are the defaults of model_config.h.
std::string transformer_supports(const ModelConfig& config) {
  const auto lacking = [](const char* variant) {
    return std::string("the kernels of lesson 07 have ANDREA's own variants only, and ") + variant;
  };
  if (config.positions != Positions::learned) return lacking("no positions but learned ones");
  if (config.norm != NormPlacement::pre) return lacking("no placement of norms but pre-norm");
  if (config.activation != Activation::gelu) return lacking("no activation but gelu");
  if (config.tied) return lacking("no tied output table");
  if (!config.biases) return lacking("no linear layers without biases");
  return block_supports(config);
}

std::size_t transformer_saved_bytes(const ModelConfig& config, int B, int T) {
  return lesson07::forward_bytes(config, B, T, true);
}

std::size_t transformer_scratch_bytes(const ModelConfig& config, int B, int T) {
  return std::max(lesson07::forward_bytes(config, B, T, false),
                  lesson07::backward_bytes(config, B, T)) +
         lesson07::operation_scratch_bytes(config, B, T);
}

void transformer_forward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                         float* logits, void* saved, int B, int T, const Launch& launch) {
  const bool keeps = saved != nullptr;
  BufferPlan plan(keeps ? saved : launch.scratch);
  const ForwardMemory memory(plan, layout.config(), B, T, keeps);
  lesson07::model_forward(layout.config(), layout.view<const float>(parameters), tokens, memory,
                          logits, B, T, keeps ? launch : plan.remaining(launch));
}

void transformer_backward(const ParameterLayout& layout, const float* parameters, const int* tokens,
                          const float* dlogits, const void* saved, float* gradients, int B, int T,
                          Accumulate accumulate, const Launch& launch) {
  const ModelConfig& config = layout.config();
  BufferPlan saved_plan(const_cast<void*>(saved));
  const ForwardMemory memory(saved_plan, config, B, T, true);
  BufferPlan plan(launch.scratch);
  const BackwardMemory working(plan, config, B, T);
  lesson07::model_backward(config, layout.view<const float>(parameters), tokens, dlogits, memory,
                           working, layout.view<float>(gradients), B, T, accumulate,
                           plan.remaining(launch));
}

}  // namespace andrea
