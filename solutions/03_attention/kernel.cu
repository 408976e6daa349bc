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
  // SOLUTION(03.1): find this thread's query i, key j, head h and sequence b; write their score,
  // or -CUDART_INF_F where query i may not see key j (j > i, if shape.causal).
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int head = static_cast<int>(blockIdx.z);  // of all B * H
  if (i >= T || j >= T) return;
  const int b = head / H, h = head % H;
  const float* query = qkv + (static_cast<std::int64_t>(b) * T + i) * 3 * C + h * D;
  const float* key = qkv + (static_cast<std::int64_t>(b) * T + j) * 3 * C + C + h * D;
  float dot = 0;
  for (int d = 0; d < D; ++d) dot += query[d] * key[d];
  const bool masked = shape.causal && j > i;
  scores[(static_cast<std::int64_t>(head) * T + i) * T + j] =
      masked ? -CUDART_INF_F : dot / sqrtf(static_cast<float>(D));
  // END(03.1)
}

// ---- 03.2 Softmax: the scores of a row become weights between 0 and 1 that add up to 1.

__global__ void softmax_kernel(const float* scores,  // [B, H, T, T]
                               float* weights,       // [B, H, T, T]
                               AttentionShape shape) {
  const int T = shape.T;
  // SOLUTION(03.2): find the row; its largest score; the sum of the exponentials of how far
  // each score is below it; the shares of that sum.
  const int lane = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (row >= shape.B * shape.H * T) return;  // the whole warp
  const float* score = scores + static_cast<std::int64_t>(row) * T;
  float* weight = weights + static_cast<std::int64_t>(row) * T;
  float largest = -CUDART_INF_F;
  for (int j = lane; j < T; j += kWarpSize) largest = fmaxf(largest, score[j]);
  largest = warp_max(largest);
  float sum = 0;
  for (int j = lane; j < T; j += kWarpSize) sum += expf(score[j] - largest);
  sum = warp_sum(sum);
  for (int j = lane; j < T; j += kWarpSize) weight[j] = expf(score[j] - largest) / sum;
  // END(03.2)
}

// ---- 03.3 Weighted sum: the output of a query is the average of the values, by the weights.

__global__ void weighted_sum_kernel(const float* weights,  // [B, H, T, T]
                                    const float* qkv,      // [B, T, 3C]
                                    float* out,            // [B, T, C]
                                    AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // SOLUTION(03.3): find this thread's column c and position i; add up what the positions that i
  // sees (j <= i if shape.causal, else all) have in that column of the values.
  const int c = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.x);  // of all B * T rows
  if (c >= C) return;
  const int b = n / T, i = n % T, h = c / D;
  const float* weight = weights + ((static_cast<std::int64_t>(b) * H + h) * T + i) * T;
  const float* values = qkv + static_cast<std::int64_t>(b) * T * 3 * C + 2 * C;
  const int seen = shape.causal ? i + 1 : T;
  float sum = 0;
  for (int j = 0; j < seen; ++j) {
    sum += weight[j] * values[static_cast<std::int64_t>(j) * 3 * C + c];
  }
  out[static_cast<std::int64_t>(n) * C + c] = sum;
  // END(03.3)
}

// ---- 03.4 Gradient of the values: each value hears from all the queries that saw it.

__global__ void value_gradient_kernel(const float* weights,  // [B, H, T, T]
                                      const float* dout,     // [B, T, C]
                                      float* dqkv,           // [B, T, 3C]
                                      AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // SOLUTION(03.4): find this thread's column c and position j; go down column j of the weights,
  // over the queries that see j (i >= j if shape.causal, else all).
  const int c = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.x);
  if (c >= C) return;
  const int b = n / T, j = n % T, h = c / D;
  const float* weight = weights + (static_cast<std::int64_t>(b) * H + h) * T * T;
  float sum = 0;
  for (int i = shape.causal ? j : 0; i < T; ++i) {
    sum += weight[static_cast<std::int64_t>(i) * T + j] *
           dout[(static_cast<std::int64_t>(b) * T + i) * C + c];
  }
  dqkv[static_cast<std::int64_t>(n) * 3 * C + 2 * C + c] = sum;
  // END(03.4)
}

// ---- 03.5 Gradient of the weights: a weight matters as much as its value agrees with dout.

__global__ void weight_gradient_kernel(const float* dout,  // [B, T, C]
                                       const float* qkv,   // [B, T, 3C]
                                       float* dweights,    // [B, H, T, T]
                                       AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // SOLUTION(03.5): find i, j, h and b as for the scores; write the dot product, or 0 where
  // masked (j > i, if shape.causal).
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int head = static_cast<int>(blockIdx.z);
  if (i >= T || j >= T) return;
  const int b = head / H, h = head % H;
  const float* dhead = dout + (static_cast<std::int64_t>(b) * T + i) * C + h * D;
  const float* value = qkv + (static_cast<std::int64_t>(b) * T + j) * 3 * C + 2 * C + h * D;
  float dot = 0;
  for (int d = 0; d < D; ++d) dot += dhead[d] * value[d];
  const bool masked = shape.causal && j > i;
  dweights[(static_cast<std::int64_t>(head) * T + i) * T + j] = masked ? 0.0f : dot;
  // END(03.5)
}

// ---- 03.6 Backward through the softmax: what one weight gains, the others of its row lose.

__global__ void softmax_backward_kernel(const float* weights,   // [B, H, T, T]
                                        const float* dweights,  // [B, H, T, T]
                                        float* dscores,         // [B, H, T, T]
                                        AttentionShape shape) {
  const int T = shape.T;
  // SOLUTION(03.6): find the row; the sum of weight * dweight over it; then each of its
  // dscores.
  const int lane = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (row >= shape.B * shape.H * T) return;
  const std::int64_t start = static_cast<std::int64_t>(row) * T;
  float row_sum = 0;
  for (int j = lane; j < T; j += kWarpSize) row_sum += weights[start + j] * dweights[start + j];
  row_sum = warp_sum(row_sum);
  for (int j = lane; j < T; j += kWarpSize) {
    dscores[start + j] = weights[start + j] * (dweights[start + j] - row_sum);
  }
  // END(03.6)
}

// ---- 03.7 Gradients of queries and keys: each is half of the dot product that the other is in.

__global__ void query_gradient_kernel(const float* dscores,  // [B, H, T, T]
                                      const float* qkv,      // [B, T, 3C]
                                      float* dqkv,           // [B, T, 3C]
                                      AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // SOLUTION(03.7): find this thread's column c and position i; go along row i of dscores, over
  // the keys that i sees (j <= i if shape.causal, else all).
  const int c = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.x);
  if (c >= C) return;
  const int b = n / T, i = n % T, h = c / D;
  const float* dscore = dscores + ((static_cast<std::int64_t>(b) * H + h) * T + i) * T;
  const float* keys = qkv + static_cast<std::int64_t>(b) * T * 3 * C + C;
  const int seen = shape.causal ? i + 1 : T;
  float sum = 0;
  for (int j = 0; j < seen; ++j) {
    sum += dscore[j] * keys[static_cast<std::int64_t>(j) * 3 * C + c];
  }
  dqkv[static_cast<std::int64_t>(n) * 3 * C + c] = sum / sqrtf(static_cast<float>(D));
  // END(03.7)
}

__global__ void key_gradient_kernel(const float* dscores,  // [B, H, T, T]
                                    const float* qkv,      // [B, T, 3C]
                                    float* dqkv,           // [B, T, 3C]
                                    AttentionShape shape) {
  const int T = shape.T, C = shape.C, H = shape.H, D = C / H;
  // SOLUTION(03.7): find this thread's column c and position j; go down column j of dscores, over
  // the queries that see j (i >= j if shape.causal, else all).
  const int c = static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.x);
  if (c >= C) return;
  const int b = n / T, j = n % T, h = c / D;
  const float* dscore = dscores + (static_cast<std::int64_t>(b) * H + h) * T * T;
  const float* queries = qkv + static_cast<std::int64_t>(b) * T * 3 * C;
  float sum = 0;
  for (int i = shape.causal ? j : 0; i < T; ++i) {
    sum += dscore[static_cast<std::int64_t>(i) * T + j] *
           queries[static_cast<std::int64_t>(i) * 3 * C + c];
  }
  dqkv[static_cast<std::int64_t>(n) * 3 * C + C + c] = sum / sqrtf(static_cast<float>(D));
  // END(03.7)
}

}  // namespace

// ---- The launches: how many threads there are, and how they lie, is yours to choose.

void scores(const float* qkv, float* scores, const AttentionShape& shape, const Launch& launch) {
  // SOLUTION(03.1): a block, a grid that covers B * H * T * T pairs, and the launch of
  // scores_kernel on launch.stream.
  const dim3 block(32, 8);
  const dim3 grid(static_cast<unsigned>(blocks_for(shape.T, 32)),
                  static_cast<unsigned>(blocks_for(shape.T, 8)),
                  static_cast<unsigned>(shape.B * shape.H));
  scores_kernel<<<grid, block, 0, launch.stream>>>(qkv, scores, shape);
  // END(03.1)
  CUDA_CHECK(cudaGetLastError());
}

void softmax(const float* scores, float* weights, const AttentionShape& shape,
             const Launch& launch) {
  // SOLUTION(03.2): launch softmax_kernel for B * H * T rows.
  const dim3 block(kWarpSize, 4);  // a warp a row
  softmax_kernel<<<blocks_for(shape.B * shape.H * shape.T, 4), block, 0, launch.stream>>>(
      scores, weights, shape);
  // END(03.2)
  CUDA_CHECK(cudaGetLastError());
}

void weighted_sum(const float* weights, const float* qkv, float* out, const AttentionShape& shape,
                  const Launch& launch) {
  // SOLUTION(03.3): launch weighted_sum_kernel for B * T rows of C columns.
  const dim3 grid(static_cast<unsigned>(shape.B * shape.T),  // rows in x: y ends at 65,535
                  static_cast<unsigned>(blocks_for(shape.C, 128)));
  weighted_sum_kernel<<<grid, 128, 0, launch.stream>>>(weights, qkv, out, shape);
  // END(03.3)
  CUDA_CHECK(cudaGetLastError());
}

void value_gradient(const float* weights, const float* dout, float* dqkv,
                    const AttentionShape& shape, const Launch& launch) {
  // SOLUTION(03.4): launch value_gradient_kernel for B * T rows of C columns.
  const dim3 grid(static_cast<unsigned>(shape.B * shape.T),
                  static_cast<unsigned>(blocks_for(shape.C, 128)));
  value_gradient_kernel<<<grid, 128, 0, launch.stream>>>(weights, dout, dqkv, shape);
  // END(03.4)
  CUDA_CHECK(cudaGetLastError());
}

void weight_gradient(const float* dout, const float* qkv, float* dweights,
                     const AttentionShape& shape, const Launch& launch) {
  // SOLUTION(03.5): launch weight_gradient_kernel for B * H * T * T pairs.
  const dim3 block(32, 8);
  const dim3 grid(static_cast<unsigned>(blocks_for(shape.T, 32)),
                  static_cast<unsigned>(blocks_for(shape.T, 8)),
                  static_cast<unsigned>(shape.B * shape.H));
  weight_gradient_kernel<<<grid, block, 0, launch.stream>>>(dout, qkv, dweights, shape);
  // END(03.5)
  CUDA_CHECK(cudaGetLastError());
}

void softmax_backward(const float* weights, const float* dweights, float* dscores,
                      const AttentionShape& shape, const Launch& launch) {
  // SOLUTION(03.6): launch softmax_backward_kernel for B * H * T rows.
  const dim3 block(kWarpSize, 4);
  softmax_backward_kernel<<<blocks_for(shape.B * shape.H * shape.T, 4), block, 0, launch.stream>>>(
      weights, dweights, dscores, shape);
  // END(03.6)
  CUDA_CHECK(cudaGetLastError());
}

void query_and_key_gradients(const float* dscores, const float* qkv, float* dqkv,
                             const AttentionShape& shape, const Launch& launch) {
  // SOLUTION(03.7): launch query_gradient_kernel and key_gradient_kernel.
  const dim3 grid(static_cast<unsigned>(shape.B * shape.T),
                  static_cast<unsigned>(blocks_for(shape.C, 128)));
  query_gradient_kernel<<<grid, 128, 0, launch.stream>>>(dscores, qkv, dqkv, shape);
  key_gradient_kernel<<<grid, 128, 0, launch.stream>>>(dscores, qkv, dqkv, shape);
  // END(03.7)
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
