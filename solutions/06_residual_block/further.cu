// Further exercises of lesson 06. further.h says what each function computes.

#include "kernels/activation.h"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "kernels/layer_norm.h"
#include "kernels/linear.h"
#include "lessons/06_residual_block/further.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::lesson06 {
namespace {

__global__ void add_kernel(const float* a,  // [count]
                           const float* b,  // [count]
                           float* sum,      // [count]
                           std::int64_t count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}

}  // namespace

void add(const float* a, const float* b, float* sum, std::int64_t count, const Launch& launch) {
  constexpr int kThreads = 256;
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  add_kernel<<<blocks, kThreads, 0, launch.stream>>>(a, b, sum, count);
  CUDA_CHECK(cudaGetLastError());
}

// ---- 06.7 Post-norm: the norm behind the sum.

void post_norm_sublayer(const BlockTensors<const float>& p, const float* x, const PostNormStates& s,
                        float* y, int N, int C, int F, const Launch& launch) {
  const std::int64_t count = std::int64_t{N} * C;
  // SOLUTION(06.7): expanded, activated, sum and y, in five calls; `add` makes the sum.
  linear_forward(x, p.expand_weight, p.expand_bias, s.expanded, N, C, F, launch);
  activation_forward(Activation::gelu, s.expanded, s.activated, N, F, launch);
  linear_forward(s.activated, p.contract_weight, p.contract_bias, s.sum, N, F, C, launch);
  add(x, s.sum, s.sum, count, launch);
  layer_norm_forward(s.sum, p.norm2_gain, p.norm2_bias, y, s.norm_saved, N, C, launch);
  // END(06.7)
}

void post_norm_sublayer_backward(const BlockTensors<const float>& p, const float* dy,
                                 const float* x, const PostNormStates& s,
                                 const PostNormGradients& d, float* dx,
                                 const BlockTensors<float>& g, int N, int C, int F,
                                 Accumulate accumulate, const Launch& launch) {
  const std::int64_t count = std::int64_t{N} * C;
  // SOLUTION(06.7): dsum, dactivated, dexpanded, dbranch and dx, in five calls.
  layer_norm_backward(dy, s.sum, p.norm2_gain, s.norm_saved, d.dsum, g.norm2_gain, g.norm2_bias, N,
                      C, accumulate, launch);
  linear_backward(d.dsum, s.activated, p.contract_weight, d.dactivated, g.contract_weight,
                  g.contract_bias, N, F, C, accumulate, launch);
  activation_backward(Activation::gelu, d.dactivated, s.expanded, d.dexpanded, N, F, launch);
  linear_backward(d.dexpanded, x, p.expand_weight, d.dbranch, g.expand_weight, g.expand_bias, N, C,
                  F, accumulate, launch);
  add(d.dsum, d.dbranch, dx, count, launch);
  // END(06.7)
}

// ---- 06.8 Residual and norm fused: a warp a row, its numbers in the lanes' registers.

namespace {

constexpr int kWarps = 4;                            // rows of a block
constexpr int kLaneColumns = kMaxWidth / kWarpSize;  // numbers of a row in one lane

// The mean of a row and one over its deviation, as in lesson 04, of a row that a warp holds: number
// k of a lane is that of column lane + k * kWarpSize, and 0 behind the last column.
__device__ void row_statistics(const float (&mine)[kLaneColumns], int C, float& mean, float& rstd) {
  const int lane = static_cast<int>(threadIdx.x);
  float total = 0;
  for (int k = 0; k < kLaneColumns; ++k) total += mine[k];
  mean = warp_sum(total) / static_cast<float>(C);
  float squares = 0;
  for (int k = 0; k < kLaneColumns; ++k) {
    const float difference = lane + k * kWarpSize < C ? mine[k] - mean : 0;
    squares += difference * difference;
  }
  rstd = rsqrtf(warp_sum(squares) / static_cast<float>(C) + kLayerNormEpsilon);
}

// Loops over k have constant bounds, so that arrays of kLaneColumns numbers can lie in registers.
__global__ void residual_norm_kernel(const float* stream,      // [N, C]
                                     const float* correction,  // [N, C]
                                     const float* gain,        // [C]
                                     const float* bias,        // [C]
                                     float* sum,               // [N, C]
                                     float* normed,            // [N, C]
                                     float* mean,              // [N]
                                     float* rstd,              // [N]
                                     int N, int C) {
  const int lane = static_cast<int>(threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N) return;
  float mine[kLaneColumns] = {};
  // SOLUTION(06.8): this lane's numbers of the sum, kept in `mine` and stored; row_statistics; this
  // lane's numbers of normed; the row's mean and rstd.
  for (int k = 0; k < kLaneColumns; ++k) {
    const int c = lane + k * kWarpSize;
    if (c >= C) break;
    mine[k] = row_of(stream, n, C)[c] + row_of(correction, n, C)[c];
    row_of(sum, n, C)[c] = mine[k];
  }
  float row_mean, row_rstd;
  row_statistics(mine, C, row_mean, row_rstd);
  for (int k = 0; k < kLaneColumns; ++k) {
    const int c = lane + k * kWarpSize;
    if (c < C) row_of(normed, n, C)[c] = gain[c] * (mine[k] - row_mean) * row_rstd + bias[c];
  }
  if (lane == 0) mean[n] = row_mean;
  if (lane == 0) rstd[n] = row_rstd;
  // END(06.8)
}

__global__ void residual_norm_backward_kernel(const float* dsum,     // [N, C]
                                              const float* dnormed,  // [N, C]
                                              const float* sum,      // [N, C]
                                              const float* gain,     // [C]
                                              const float* mean,     // [N]
                                              const float* rstd,     // [N]
                                              float* dstream,        // [N, C]
                                              int N, int C) {
  const int lane = static_cast<int>(threadIdx.x);
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N) return;
  const float row_mean = mean[n], row_rstd = rstd[n];
  float g[kLaneColumns] = {}, x_hat[kLaneColumns] = {};
  // SOLUTION(06.8): this lane's g and x_hat; the row's means of g and of g * x_hat; this lane's
  // numbers of dstream.
  float g_sum = 0, product_sum = 0;
  for (int k = 0; k < kLaneColumns; ++k) {
    const int c = lane + k * kWarpSize;
    if (c >= C) break;
    g[k] = gain[c] * row_of(dnormed, n, C)[c];
    x_hat[k] = (row_of(sum, n, C)[c] - row_mean) * row_rstd;
    g_sum += g[k];
    product_sum += g[k] * x_hat[k];
  }
  const float g_mean = warp_sum(g_sum) / static_cast<float>(C);
  const float product_mean = warp_sum(product_sum) / static_cast<float>(C);
  for (int k = 0; k < kLaneColumns; ++k) {
    const int c = lane + k * kWarpSize;
    if (c >= C) break;
    const float through_norm = row_rstd * (g[k] - g_mean - x_hat[k] * product_mean);
    row_of(dstream, n, C)[c] = row_of(dsum, n, C)[c] + through_norm;
  }
  // END(06.8)
}

}  // namespace

void residual_norm(const float* stream, const float* correction, const float* gain,
                   const float* bias, float* sum, float* normed, float* mean, float* rstd, int N,
                   int C, const Launch& launch) {
  // SOLUTION(06.8): the launch, a warp a row.
  residual_norm_kernel<<<blocks_for(N, kWarps), dim3(kWarpSize, kWarps), 0, launch.stream>>>(
      stream, correction, gain, bias, sum, normed, mean, rstd, N, C);
  // END(06.8)
  CUDA_CHECK(cudaGetLastError());
}

void residual_norm_backward(const float* dsum, const float* dnormed, const float* sum,
                            const float* gain, const float* mean, const float* rstd, float* dstream,
                            int N, int C, const Launch& launch) {
  // SOLUTION(06.8): the launch, a warp a row.
  residual_norm_backward_kernel<<<blocks_for(N, kWarps), dim3(kWarpSize, kWarps), 0,
                                  launch.stream>>>(dsum, dnormed, sum, gain, mean, rstd, dstream, N,
                                                   C);
  // END(06.8)
  CUDA_CHECK(cudaGetLastError());
}

// ---- 06.9 The block as a CUDA graph.

RecordedWork record(const Work& work, const Launch& launch) {
  RecordedWork recorded;
  // SOLUTION(06.9): begin a capture of launch.stream, let the work enqueue, end the capture, and
  // instantiate the graph. CUDA_CHECK each call.
  CUDA_CHECK(cudaStreamBeginCapture(launch.stream, cudaStreamCaptureModeGlobal));
  work(launch);
  CUDA_CHECK(cudaStreamEndCapture(launch.stream, &recorded.graph));
  CUDA_CHECK(cudaGraphInstantiate(&recorded.executable, recorded.graph, 0));
  // END(06.9)
  return recorded;
}

void replay(const RecordedWork& recorded, const Launch& launch) {
  // SOLUTION(06.9): launch the executable graph.
  CUDA_CHECK(cudaGraphLaunch(recorded.executable, launch.stream));
  // END(06.9)
}

}  // namespace andrea::lesson06
