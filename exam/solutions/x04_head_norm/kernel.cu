// Exam 04: a root mean square norm of each head, forward and backward. What each function computes
// stands in kernel.h; README.md is the task. Grid and block are yours to choose. It is tried by
//
//   bazel test //exam/x04_head_norm:kernel_test
//
// row_of(x, n, C) is where row n of x begins (lessons/rows.cuh). warp_sum(value) is the sum over
// the 32 lanes; all lanes call it (lessons/reductions.cuh).

#include "exam/x04_head_norm/kernel.h"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::exam04 {
namespace {

// ---- x04.1 Each head of a row by its own root mean square, then by the gain of its columns.

__global__ void head_norm_kernel(const float* x,     // [N, C]
                                 const float* gain,  // [C]
                                 float* y,           // [N, C]
                                 float* rstd,        // [N, H]
                                 int N, int C, int H) {
  // SOLUTION(x04.1): find the row and the head; the mean of its squares; write rstd, and y of each
  // of its columns.
  const int D = C / H, lane = static_cast<int>(threadIdx.x);
  const int head = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (head >= N * H) return;  // the whole warp
  const int n = head / H, first = head % H * D;
  const float* x_head = row_of(x, n, C) + first;
  float squares = 0;
  for (int d = lane; d < D; d += kWarpSize) squares += x_head[d] * x_head[d];
  const float mean = warp_sum(squares) / static_cast<float>(D);
  const float head_rstd = 1 / sqrtf(mean + kLayerNormEpsilon);
  if (lane == 0) rstd[head] = head_rstd;
  for (int d = lane; d < D; d += kWarpSize) {
    row_of(y, n, C)[first + d] = gain[first + d] * x_head[d] * head_rstd;
  }
  // END(x04.1)
}

// ---- x04.2 Backward: a number of a head moves the root mean square of its head, too.

__global__ void input_gradient_kernel(const float* dy,    // [N, C]
                                      const float* x,     // [N, C]
                                      const float* gain,  // [C]
                                      const float* rstd,  // [N, H]
                                      float* dx,          // [N, C]
                                      int N, int C, int H) {
  // SOLUTION(x04.2): find the row and the head; the mean of g * x_hat over it, with g = gain * dy;
  // then dx of each of its columns.
  const int D = C / H, lane = static_cast<int>(threadIdx.x);
  const int head = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (head >= N * H) return;
  const int n = head / H, first = head % H * D;
  const float* x_head = row_of(x, n, C) + first;
  const float* dy_head = row_of(dy, n, C) + first;
  float sum = 0;
  for (int d = lane; d < D; d += kWarpSize) {
    sum += gain[first + d] * dy_head[d] * x_head[d] * rstd[head];
  }
  const float mean = warp_sum(sum) / static_cast<float>(D);
  for (int d = lane; d < D; d += kWarpSize) {
    const float g = gain[first + d] * dy_head[d], x_hat = x_head[d] * rstd[head];
    row_of(dx, n, C)[first + d] = rstd[head] * (g - x_hat * mean);
  }
  // END(x04.2)
}

// ---- x04.3 Backward: a gain serves all rows.

__global__ void gain_gradient_kernel(const float* dy,    // [N, C]
                                     const float* x,     // [N, C]
                                     const float* rstd,  // [N, H]
                                     float* dgain,       // [C]
                                     int N, int C, int H, Accumulate accumulate) {
  // SOLUTION(x04.3): find this thread's column; its sum over all rows; write it, or with
  // Accumulate::add add it.
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= C) return;
  const int h = c / (C / H);
  float sum = 0;
  for (int n = 0; n < N; ++n) sum += row_of(dy, n, C)[c] * row_of(x, n, C)[c] * rstd[n * H + h];
  dgain[c] = accumulate == Accumulate::add ? dgain[c] + sum : sum;
  // END(x04.3)
}

}  // namespace

// ---- The launches, which are yours.

void head_norm(const float* x, const float* gain, float* y, float* rstd, int N, int C, int H,
               const Launch& launch) {
  // SOLUTION(x04.1): launch head_norm_kernel for N rows of H heads, on launch.stream.
  const dim3 block(kWarpSize, 4);  // a warp a head
  head_norm_kernel<<<blocks_for(N * H, 4), block, 0, launch.stream>>>(x, gain, y, rstd, N, C, H);
  // END(x04.1)
  CUDA_CHECK(cudaGetLastError());
}

void input_gradient(const float* dy, const float* x, const float* gain, const float* rstd,
                    float* dx, int N, int C, int H, const Launch& launch) {
  // SOLUTION(x04.2): launch input_gradient_kernel for N rows of H heads.
  const dim3 block(kWarpSize, 4);
  const int blocks = blocks_for(N * H, 4);
  input_gradient_kernel<<<blocks, block, 0, launch.stream>>>(dy, x, gain, rstd, dx, N, C, H);
  // END(x04.2)
  CUDA_CHECK(cudaGetLastError());
}

void gain_gradient(const float* dy, const float* x, const float* rstd, float* dgain, int N, int C,
                   int H, Accumulate accumulate, const Launch& launch) {
  // SOLUTION(x04.3): launch gain_gradient_kernel with a
  // thread for each of the C columns.
  const int blocks = blocks_for(C, 128);
  gain_gradient_kernel<<<blocks, 128, 0, launch.stream>>>(dy, x, rstd, dgain, N, C, H, accumulate);
  // END(x04.3)
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam04
