// Lesson 03: attention, from projected queries, keys and values to their gradients. What each step
// computes stands in kernel.h; README.md explains them, in the same order. Grid and block are
// yours to choose. Its exercises are tried by
//
//   bazel test //lessons/03_attention:kernel_test

#include <math_constants.h>

#include <cstdint>

#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/03_attention/kernel.h"
#include "lessons/reductions.cuh"

namespace andrea::lesson03 {
namespace {

// ---- 03.1 Scores: a dot product for each pair of a query and a key, in each head.

__global__ void scores_kernel(const float* qkv,  // [B, T, 3C]
                              float* scores,     // [B, H, T, T]
                              AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // TODO(03.1): find this thread's query i, key j, head h and sequence b; write their score,
  // or -CUDART_INF_F where query i may not see key j (j > i, if shape.causal), about 12 lines.
}

// ---- 03.2 Softmax: the scores of a row become weights between 0 and 1 that add up to 1.

__global__ void softmax_kernel(const float* scores,  // [B, H, T, T]
                               float* weights,       // [B, H, T, T]
                               AttentionShape shape) {
  const int T = shape.T;
  // TODO(03.2): find the row; its largest score; the sum of the exponentials of how far
  // each score is below it; the shares of that sum, about 12 lines.
}

// ---- 03.3 Weighted sum: the output of a query is the average of the values, by the weights.

__global__ void weighted_sum_kernel(const float* weights,  // [B, H, T, T]
                                    const float* qkv,      // [B, T, 3C]
                                    float* out,            // [B, T, C]
                                    AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // TODO(03.3): find this thread's column c and position i; add up what the positions that i
  // sees (j <= i if shape.causal, else all) have in that column of the values, about 12 lines.
}

// ---- 03.4 Gradient of the values: each value hears from all the queries that saw it.

__global__ void value_gradient_kernel(const float* weights,  // [B, H, T, T]
                                      const float* dout,     // [B, T, C]
                                      float* dqkv,           // [B, T, 3C]
                                      AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // TODO(03.4): find this thread's column c and position j; go down column j of the weights,
  // over the queries that see j (i >= j if shape.causal, else all), about 11 lines.
}

// ---- 03.5 Gradient of the weights: a weight matters as much as its value agrees with dout.

__global__ void weight_gradient_kernel(const float* dout,  // [B, T, C]
                                       const float* qkv,   // [B, T, 3C]
                                       float* dweights,    // [B, H, T, T]
                                       AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // TODO(03.5): find i, j, h and b as for the scores; write the dot product, or 0 where
  // masked (j > i, if shape.causal), about 11 lines.
}

// ---- 03.6 Backward through the softmax: what one weight gains, the others of its row lose.

__global__ void softmax_backward_kernel(const float* weights,   // [B, H, T, T]
                                        const float* dweights,  // [B, H, T, T]
                                        float* dscores,         // [B, H, T, T]
                                        AttentionShape shape) {
  const int T = shape.T;
  // TODO(03.6): find the row; the sum of weight * dweight over it; then each of its
  // dscores, about 10 lines.
}

// ---- 03.7 Gradients of queries and keys: each is half of the dot product that the other is in.

__global__ void query_gradient_kernel(const float* dscores,  // [B, H, T, T]
                                      const float* qkv,      // [B, T, 3C]
                                      float* dqkv,           // [B, T, 3C]
                                      AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // TODO(03.7): find this thread's column c and position i; go along row i of dscores, over
  // the keys that i sees (j <= i if shape.causal, else all), about 12 lines.
}

__global__ void key_gradient_kernel(const float* dscores,  // [B, H, T, T]
                                    const float* qkv,      // [B, T, 3C]
                                    float* dqkv,           // [B, T, 3C]
                                    AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // TODO(03.7): find this thread's column c and position j; go down column j of dscores, over
  // the queries that see j (i >= j if shape.causal, else all), about 12 lines.
}

}  // namespace

// ---- The launches: how many threads there are, and how they lie, is yours to choose.

void scores(const float* qkv, float* scores, const AttentionShape& shape, const Launch& launch) {
  // TODO(03.1): a block, a grid that covers B * H * T * T pairs, and the launch of
  // scores_kernel on launch.stream, about 5 lines.
  CUDA_CHECK(cudaGetLastError());
}

void softmax(const float* scores, float* weights, const AttentionShape& shape,
             const Launch& launch) {
  // TODO(03.2): launch softmax_kernel for B * H * T rows, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void weighted_sum(const float* weights, const float* qkv, float* out, const AttentionShape& shape,
                  const Launch& launch) {
  // TODO(03.3): launch weighted_sum_kernel for B * T rows of C columns, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void value_gradient(const float* weights, const float* dout, float* dqkv,
                    const AttentionShape& shape, const Launch& launch) {
  // TODO(03.4): launch value_gradient_kernel for B * T rows of C columns, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void weight_gradient(const float* dout, const float* qkv, float* dweights,
                     const AttentionShape& shape, const Launch& launch) {
  // TODO(03.5): launch weight_gradient_kernel for B * H * T * T pairs, about 5 lines.
  CUDA_CHECK(cudaGetLastError());
}

void softmax_backward(const float* weights, const float* dweights, float* dscores,
                      const AttentionShape& shape, const Launch& launch) {
  // TODO(03.6): launch softmax_backward_kernel for B * H * T rows, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

void query_and_key_gradients(const float* dscores, const float* qkv, float* dqkv,
                             const AttentionShape& shape, const Launch& launch) {
  // TODO(03.7): launch query_gradient_kernel and key_gradient_kernel, about 4 lines.
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson03

// ---- The contract, kernels/attention.h, out of these steps. `saved` holds the weights.

namespace andrea {
namespace {

// Of one [B, H, T, T] tensor.
std::size_t square_bytes(const AttentionShape& shape) {
  return align_up(static_cast<std::size_t>(shape.B) * static_cast<std::size_t>(shape.H) *
                  static_cast<std::size_t>(shape.T) * static_cast<std::size_t>(shape.T) *
                  sizeof(float));
}

// The scratch buffer holds two of them: scores and, where nothing is saved, weights; in the
// backward pass dweights and dscores.
float* square(const Launch& launch, const AttentionShape& shape, std::size_t index) {
  return reinterpret_cast<float*>(static_cast<char*>(launch.scratch) + index * square_bytes(shape));
}

}  // namespace

std::string attention_supports(const AttentionShape& shape) {
  if (shape.rotary) return "the attention of lesson 03 has no rotary positions";
  return "";
}

std::size_t attention_saved_bytes(const AttentionShape& shape) { return square_bytes(shape); }

std::size_t attention_scratch_bytes(const AttentionShape& shape) { return 2 * square_bytes(shape); }

void attention_forward(const float* qkv, float* out, void* saved, const AttentionShape& shape,
                       const Launch& launch) {
  float* const scores = square(launch, shape, 0);
  float* const weights = saved != nullptr ? static_cast<float*>(saved) : square(launch, shape, 1);
  lesson03::scores(qkv, scores, shape, launch);
  lesson03::softmax(scores, weights, shape, launch);
  lesson03::weighted_sum(weights, qkv, out, shape, launch);
}

void attention_backward(const float* dout, const float* qkv, const float* /*out*/,
                        const void* saved, float* dqkv, const AttentionShape& shape,
                        const Launch& launch) {
  const float* const weights = static_cast<const float*>(saved);
  float* const dweights = square(launch, shape, 0);
  float* const dscores = square(launch, shape, 1);
  lesson03::value_gradient(weights, dout, dqkv, shape, launch);
  lesson03::weight_gradient(dout, qkv, dweights, shape, launch);
  lesson03::softmax_backward(weights, dweights, dscores, shape, launch);
  lesson03::query_and_key_gradients(dscores, qkv, dqkv, shape, launch);
}

}  // namespace andrea
