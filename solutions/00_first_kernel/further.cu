// Lesson 00, further exercises: further.h says what they compute.
//
//   bazel test //lessons/00_first_kernel:further_test

#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/00_first_kernel/further.h"

namespace andrea::lesson00 {
namespace {

// ---- 00.9 Histogram: most threads meet in shared memory, one a bin and block in global memory.

__global__ void histogram_kernel(const int* values, int* counts, int n) {
  __shared__ int of_block[kBins];
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  // SOLUTION(00.9): clear of_block; count into it; then add each bin to counts, with atomics at
  // both places.
  if (thread < kBins) of_block[thread] = 0;
  __syncthreads();
  for (int i = static_cast<int>(blockIdx.x * blockDim.x) + thread; i < n; i += threads) {
    atomicAdd(&of_block[values[i]], 1);
  }
  __syncthreads();
  if (thread < kBins) atomicAdd(&counts[thread], of_block[thread]);
  // END(00.9)
}

// ---- 00.10 Transpose: rows are read and rows are written; the turn happens in the tile.

constexpr int kTile = 32;

__global__ void transpose_kernel(const float* in, float* out, int rows, int columns) {
  // SOLUTION(00.10): a tile whose columns lie in different banks; read rows of in, write rows of
  // out.
  __shared__ float tile[kTile][kTile + 1];  // the extra column shifts each row by one bank
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int left = static_cast<int>(blockIdx.x) * kTile, top = static_cast<int>(blockIdx.y) * kTile;
  if (top + y < rows && left + x < columns) tile[y][x] = in[(top + y) * columns + left + x];
  __syncthreads();
  if (left + y < columns && top + x < rows) out[(left + y) * rows + top + x] = tile[x][y];
  // END(00.10)
}

}  // namespace

void histogram(const int* values, int* counts, int n, const Launch& launch) {
  CUDA_CHECK(cudaMemsetAsync(counts, 0, kBins * sizeof(int), launch.stream));
  histogram_kernel<<<4, 128, 0, launch.stream>>>(values, counts, n);
  CUDA_CHECK(cudaGetLastError());
}

void transpose(const float* in, float* out, int rows, int columns, const Launch& launch) {
  const dim3 grid(static_cast<unsigned>(blocks_for(columns, kTile)),
                  static_cast<unsigned>(blocks_for(rows, kTile)));
  transpose_kernel<<<grid, dim3(kTile, kTile), 0, launch.stream>>>(in, out, rows, columns);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson00
