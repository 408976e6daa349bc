// Exam 00: a sum with a stride, and a running maximum. What each function computes stands in
// kernel.h; README.md is the task. It is tried by
//
//   bazel test //exam/x00_running_maximum:kernel_test

#include <math_constants.h>

#include "exam/x00_running_maximum/kernel.h"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"

namespace andrea::exam00 {
namespace {

// ---- x00.1 Every `stride`-th number of y: 256 threads in all, however many numbers there are.

constexpr int kAddBlocks = 4, kAddThreads = 64;

__global__ void add_scaled_kernel(float factor,
                                  const float* x,  // [count]
                                  float* y,        // [count, stride], of which column 0 is meant
                                  int count, int stride) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  // SOLUTION(x00.1): add factor * x[i] to the number of y that belongs to i, for every i that is
  // this thread's in a grid-stride loop.
  for (int i = thread; i < count; i += threads) {
    y[static_cast<long long>(i) * stride] += factor * x[i];
  }
  // END(x00.1)
}

// ---- x00.2 The largest so far: a block a run of 256 numbers, in eight rounds.

__global__ void running_maximum_kernel(const float* x,  // [count]
                                       float* out,      // [count]
                                       int count) {
  __shared__ float best[kRun];  // for each thread of the block
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * kRun + thread;
  // SOLUTION(x00.2): with each round every thread knows the largest of twice as many numbers, up to
  // its own: what it knows, and what the thread knows that is so far before it.
  float mine = i < count ? x[i] : -CUDART_INF_F;
  best[thread] = mine;
  for (int distance = 1; distance < kRun; distance *= 2) {
    __syncthreads();  // best is written
    if (thread >= distance) mine = fmaxf(mine, best[thread - distance]);
    __syncthreads();  // best is read
    best[thread] = mine;
  }
  if (i < count) out[i] = mine;
  // END(x00.2)
}

}  // namespace

// ---- The launches, which are given.

void add_scaled(float factor, const float* x, float* y, int count, int stride,
                const Launch& launch) {
  add_scaled_kernel<<<kAddBlocks, kAddThreads, 0, launch.stream>>>(factor, x, y, count, stride);
  CUDA_CHECK(cudaGetLastError());
}

void running_maximum(const float* x, float* out, int count, const Launch& launch) {
  running_maximum_kernel<<<blocks_for(count, kRun), kRun, 0, launch.stream>>>(x, out, count);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::exam00
