// Lesson 00: your first kernels. What each function computes stands in kernel.h; README.md explains
// the ideas, in the same order. Its exercises are tried by
//
//   bazel test //lessons/00_first_kernel:kernel_test

#include <math_constants.h>

#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/00_first_kernel/kernel.h"

namespace andrea::lesson00 {
namespace {

// ---- 00.1 Map: one thread computes one number.

__global__ void map_kernel(const float* x, float* y, float slope, float offset, int n) {
  // SOLUTION(00.1): find this thread's i, and compute y[i] if there is one.
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  y[i] = slope * x[i] + offset;
  // END(00.1)
}

// ---- 00.2 Two indices: x counts columns, y counts rows, and both have a last block.

__global__ void scale_rows_kernel(const float* in, const float* scale, float* out, int rows,
                                  int columns) {
  // SOLUTION(00.2): this thread's row and column; out[row, column] if both exist.
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row >= rows || column >= columns) return;
  out[row * columns + column] = in[row * columns + column] * scale[row];
  // END(00.2)
}

// ---- 00.3 The grid-stride loop: few threads, any amount of work.

__global__ void add_kernel(const float* x, const float* y, float* z, int n) {
  // SOLUTION(00.3): start at this thread's number; go on by the number of all threads.
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += threads) {
    z[i] = x[i] + y[i];
  }
  // END(00.3)
}

// ---- 00.4 A sum over a block, through shared memory.

constexpr int kSumThreads = 128;

__global__ void row_sums_kernel(const float* x, float* sums, int columns) {
  __shared__ float partial[kSumThreads];
  const int thread = static_cast<int>(threadIdx.x);
  const float* row = x + static_cast<long long>(blockIdx.x) * columns;
  // SOLUTION(00.4): each thread adds up its columns; then the block halves the number of sums,
  // until one is left.
  float sum = 0;
  for (int c = thread; c < columns; c += kSumThreads) sum += row[c];
  partial[thread] = sum;
  for (int half = kSumThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) partial[thread] += partial[thread + half];
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
  // END(00.4)
}

// ---- 00.5 A maximum over a warp, from lane to lane without memory.

__global__ void row_maxima_kernel(const float* x, float* maxima, int columns) {
  const int lane = static_cast<int>(threadIdx.x);  // a block is one warp here
  const float* row = x + static_cast<long long>(blockIdx.x) * columns;
  // SOLUTION(00.5): the largest of this lane's columns, then of all 32 lanes.
  float largest = -CUDART_INF_F;
  for (int c = lane; c < columns; c += 32) largest = fmaxf(largest, row[c]);
  for (int distance = 16; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
  }
  if (lane == 0) maxima[blockIdx.x] = largest;
  // END(00.5)
}

// ---- 00.6 A race, mended. *sum is 0 when the kernel starts.

__global__ void total_kernel(const float* x, float* sum, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  // SOLUTION(00.6): many threads read, add and write *sum at the same time; make it one step that
  // nobody can come between.
  atomicAdd(sum, x[i]);
  // STUB
  // const float before = *sum;
  // *sum = before + x[i];
  // END(00.6)
}

// ---- 00.7 Three kernels to mend. Run the test: the simulator's report names threads and lines.

__global__ void differences_kernel(const float* x, float* differences, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // SOLUTION(00.7): mend it; a thread reads or writes where there is nothing.
  if (i + 1 < n) differences[i] = x[i + 1] - x[i];
  // STUB
  // if (i < n) {
  //   differences[i] = x[i + 1] - x[i];
  // }
  // END(00.7)
}

constexpr int kRun = 64;

__global__ void reverse_runs_kernel(const float* x, float* y, int n) {
  __shared__ float run[kRun];
  const int thread = static_cast<int>(threadIdx.x);
  const int start = static_cast<int>(blockIdx.x) * kRun;
  const int length = n - start < kRun ? n - start : kRun;
  if (thread < length) run[thread] = x[start + thread];
  // SOLUTION(00.7): mend it; a thread reads what another may not have written yet.
  __syncthreads();
  if (thread < length) y[start + thread] = run[length - 1 - thread];
  // STUB
  // if (thread < length) {
  //   y[start + thread] = run[length - 1 - thread];
  // }
  // END(00.7)
}

__global__ void shares_kernel(const float* x, float* y, int n) {
  __shared__ float run[kRun];
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * kRun + thread;
  // SOLUTION(00.7): mend it; some threads never come to the barrier, and part of run is never
  // written.
  run[thread] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i >= n) return;
  // STUB
  // if (i >= n) return;
  // run[thread] = x[i];
  // if (thread < 48) __syncthreads();
  // END(00.7)
  float sum = 0;
  for (int k = 0; k < kRun; ++k) sum += run[k];
  y[i] = x[i] / sum;
}

// ---- 00.8 A derivative. Forward is given: s = 1 / (1 + exp(-x)), y = x * s.

__global__ void silu_forward_kernel(const float* x, float* y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = x[i] / (1 + expf(-x[i]));
}

__global__ void silu_backward_kernel(const float* dy, const float* x, float* dx, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  // SOLUTION(00.8): the slope of x * s at x[i], by the product rule (that of s is s * (1 - s)),
  // times dy[i].
  const float s = 1 / (1 + expf(-x[i]));
  dx[i] = dy[i] * (s + x[i] * s * (1 - s));
  // END(00.8)
}

}  // namespace

// ---- The launches, which are given: so many blocks of so many threads.

void map(const float* x, float* y, float slope, float offset, int n, const Launch& launch) {
  map_kernel<<<blocks_for(n, 128), 128, 0, launch.stream>>>(x, y, slope, offset, n);
  CUDA_CHECK(cudaGetLastError());
}

void scale_rows(const float* in, const float* scale, float* out, int rows, int columns,
                const Launch& launch) {
  const dim3 block(32, 8);
  const dim3 grid(static_cast<unsigned>(blocks_for(columns, 32)),
                  static_cast<unsigned>(blocks_for(rows, 8)));
  scale_rows_kernel<<<grid, block, 0, launch.stream>>>(in, scale, out, rows, columns);
  CUDA_CHECK(cudaGetLastError());
}

void add(const float* x, const float* y, float* z, int n, const Launch& launch) {
  add_kernel<<<4, 64, 0, launch.stream>>>(x, y, z, n);
  CUDA_CHECK(cudaGetLastError());
}

void row_sums(const float* x, float* sums, int rows, int columns, const Launch& launch) {
  row_sums_kernel<<<rows, kSumThreads, 0, launch.stream>>>(x, sums, columns);
  CUDA_CHECK(cudaGetLastError());
}

void row_maxima(const float* x, float* maxima, int rows, int columns, const Launch& launch) {
  row_maxima_kernel<<<rows, 32, 0, launch.stream>>>(x, maxima, columns);
  CUDA_CHECK(cudaGetLastError());
}

void total(const float* x, float* sum, int n, const Launch& launch) {
  CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(float), launch.stream));
  total_kernel<<<blocks_for(n, 128), 128, 0, launch.stream>>>(x, sum, n);
  CUDA_CHECK(cudaGetLastError());
}

void differences(const float* x, float* differences, int n, const Launch& launch) {
  differences_kernel<<<blocks_for(n, 128), 128, 0, launch.stream>>>(x, differences, n);
  CUDA_CHECK(cudaGetLastError());
}

void reverse_runs(const float* x, float* y, int n, const Launch& launch) {
  reverse_runs_kernel<<<blocks_for(n, kRun), kRun, 0, launch.stream>>>(x, y, n);
  CUDA_CHECK(cudaGetLastError());
}

void shares(const float* x, float* y, int n, const Launch& launch) {
  shares_kernel<<<blocks_for(n, kRun), kRun, 0, launch.stream>>>(x, y, n);
  CUDA_CHECK(cudaGetLastError());
}

void silu_forward(const float* x, float* y, int n, const Launch& launch) {
  silu_forward_kernel<<<blocks_for(n, 128), 128, 0, launch.stream>>>(x, y, n);
  CUDA_CHECK(cudaGetLastError());
}

void silu_backward(const float* dy, const float* x, float* dx, int n, const Launch& launch) {
  silu_backward_kernel<<<blocks_for(n, 128), 128, 0, launch.stream>>>(dy, x, dx, n);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson00
