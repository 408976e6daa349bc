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
  // TODO(06.7): expanded, activated, sum and y, in five calls; `add` makes the sum, about 5 lines.
}

void post_norm_sublayer_backward(const BlockTensors<const float>& p, const float* dy,
                                 const float* x, const PostNormStates& s,
                                 const PostNormGradients& d, float* dx,
                                 const BlockTensors<float>& g, int N, int C, int F,
                                 Accumulate accumulate, const Launch& launch) {
  const std::int64_t count = std::int64_t{N} * C;
  // TODO(06.7): dsum, dactivated, dexpanded, dbranch and dx, in five calls, about 8 lines.
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
  // TODO(06.8): this lane's numbers of the sum, kept in `mine` and stored; row_statistics; this
  // lane's numbers of normed; the row's mean and rstd, about 14 lines.
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
  // TODO(06.8): this lane's g and x_hat; the row's means of g and of g * x_hat; this lane's
  // numbers of dstream, about 17 lines.
}

}  // namespace

void residual_norm(const float* stream, const float* correction, const float* gain,
                   const float* bias, float* sum, float* normed, float* mean, float* rstd, int N,
                   int C, const Launch& launch) {
  // TODO(06.8): the launch, a warp a row, about 2 lines.
  CUDA_CHECK(cudaGetLastError());
}

void residual_norm_backward(const float* dsum, const float* dnormed, const float* sum,
                            const float* gain, const float* mean, const float* rstd, float* dstream,
                            int N, int C, const Launch& launch) {
  // TODO(06.8): the launch, a warp a row, about 3 lines.
  CUDA_CHECK(cudaGetLastError());
}

// ---- 06.9 The block as a CUDA graph.

RecordedWork record(const Work& work, const Launch& launch) {
  RecordedWork recorded;
  // TODO(06.9): begin a capture of launch.stream, let the work enqueue, end the capture, and
  // instantiate the graph. CUDA_CHECK each call, about 4 lines.
  return recorded;
}

void replay(const RecordedWork& recorded, const Launch& launch) {
  // TODO(06.9): launch the executable graph, about 1 line.
}

}  // namespace andrea::lesson06
