// Lesson 02, further exercises: further.h says what they compute.
//
//   bazel test //lessons/02_dot_product_similarity:further_test

#include <math_constants.h>

#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"
#include "lessons/02_dot_product_similarity/further.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::lesson02 {
namespace {

// ---- 02.8 Register tiles: what a thread has loaded from shared memory, it uses four times.

constexpr int kThreads = 16;              // a block has kThreads x kThreads
constexpr int kPatch = 4;                 // a thread computes kPatch x kPatch numbers
constexpr int kSide = kThreads * kPatch;  // of what a block computes
constexpr int kDepth = 32;                // columns of x and of the table at a time

// All 256 threads copy rows first_row .. first_row + 63, columns start .. start + 31; 0 where there
// is nothing. A warp copies a row at a time.
__device__ void load_tile(float (*tile)[kDepth + 1], const float* matrix, int rows, int C,
                          int first_row, int start) {
  const int thread = static_cast<int>(threadIdx.y) * kThreads + static_cast<int>(threadIdx.x);
  const int column = thread % kDepth, c = start + column;
  for (int row = thread / kDepth; row < kSide; row += kThreads * kThreads / kDepth) {
    const bool there = first_row + row < rows && c < C;
    tile[row][column] = there ? row_of(matrix, first_row + row, C)[c] : 0.0f;
  }
}

__global__ void all_pairs_in_patches_kernel(const float* x,      // [N, C]
                                            const float* table,  // [M, C]
                                            float* out,          // [N, stride]
                                            int N, int M, int C, int stride) {
  __shared__ float x_tile[kSide][kDepth + 1], table_tile[kSide][kDepth + 1];
  const int thread_x = static_cast<int>(threadIdx.x), thread_y = static_cast<int>(threadIdx.y);
  const int first_n = static_cast<int>(blockIdx.y) * kSide;
  const int first_m = static_cast<int>(blockIdx.x) * kSide;
  float sum[kPatch][kPatch] = {};
  for (int start = 0; start < C; start += kDepth) {
    load_tile(x_tile, x, N, C, first_n, start);
    load_tile(table_tile, table, M, C, first_m, start);
    __syncthreads();
    for (int k = 0; k < kDepth; ++k) {
      // SOLUTION(02.8): column k of rows thread_y, thread_y + 16, ... of x_tile and of rows
      // thread_x, thread_x + 16, ... of table_tile, into registers; then their 16 products, into
      // sum.
      float x_part[kPatch], table_part[kPatch];
      for (int i = 0; i < kPatch; ++i) {
        x_part[i] = x_tile[thread_y + i * kThreads][k];
        table_part[i] = table_tile[thread_x + i * kThreads][k];
      }
      for (int i = 0; i < kPatch; ++i) {
        for (int j = 0; j < kPatch; ++j) sum[i][j] += x_part[i] * table_part[j];
      }
      // END(02.8)
    }
    __syncthreads();
  }
  // SOLUTION(02.8): each sum to its place in out, if there is one.
  for (int i = 0; i < kPatch; ++i) {
    for (int j = 0; j < kPatch; ++j) {
      const int n = first_n + thread_y + i * kThreads, m = first_m + thread_x + j * kThreads;
      if (n < N && m < M) row_of(out, n, stride)[m] = sum[i][j];
    }
  }
  // END(02.8)
}

// ---- 02.9 Nearest neighbours: a warp a cosine; then one warp finds one neighbour after another.

__global__ void cosines_with_row_kernel(const float* table,  // [V, C]
                                        float* cosines,      // [V]
                                        int row, int V, int C) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int v = thread / kWarpSize, lane = thread % kWarpSize;
  if (v >= V) return;
  // SOLUTION(02.9): cosines[v], of rows `row` and v of the table, as in 02.3.
  const float* a = row_of(table, row, C);
  const float* b = row_of(table, v, C);
  float dot = 0, a_square = 0, b_square = 0;
  for (int c = lane; c < C; c += kWarpSize) {
    dot += a[c] * b[c];
    a_square += a[c] * a[c];
    b_square += b[c] * b[c];
  }
  dot = warp_sum(dot);
  const float lengths = sqrtf(warp_sum(a_square)) * sqrtf(warp_sum(b_square));
  if (lane == 0) cosines[v] = lengths > 0 ? dot / lengths : 0.0f;
  // END(02.9)
}

struct Candidate {
  float cosine;
  int row;
};

// Whether a comes before b among the neighbours. No two rows are equal in this order, so that it
// does not matter which lane looks at which row, nor when.
__device__ bool is_nearer(const Candidate& a, const Candidate& b) {
  return a.cosine > b.cosine || (a.cosine == b.cosine && a.row < b.row);
}

__global__ void nearest_kernel(const float* cosines,  // [V]
                               int* neighbours,       // [k]
                               int row, int V, int k) {
  const int lane = static_cast<int>(threadIdx.x);  // the only warp
  Candidate last = {CUDART_INF_F, -1};             // nearer than any row
  for (int place = 0; place < k; ++place) {
    Candidate best = {-CUDART_INF_F, V};  // farther than any row
    // SOLUTION(02.9): the nearest row that comes after `last`, and is not `row`: first of those
    // that this lane looks at, then of all lanes, so that each has it in `best`.
    for (int v = lane; v < V; v += kWarpSize) {
      const Candidate one = {cosines[v], v};
      if (v != row && is_nearer(last, one) && is_nearer(one, best)) best = one;
    }
    for (int distance = kWarpSize / 2; distance > 0; distance /= 2) {
      const Candidate other = {__shfl_xor_sync(kAllLanes, best.cosine, distance),
                               __shfl_xor_sync(kAllLanes, best.row, distance)};
      if (is_nearer(other, best)) best = other;
    }
    // END(02.9)
    if (lane == 0) neighbours[place] = best.row;
    last = best;
  }
}

}  // namespace

void all_pairs_in_patches(const float* x, const float* table, float* out, int N, int M, int C,
                          int stride, const Launch& launch) {
  const dim3 block(kThreads, kThreads);
  const dim3 grid(static_cast<unsigned>(blocks_for(M, kSide)),
                  static_cast<unsigned>(blocks_for(N, kSide)));
  all_pairs_in_patches_kernel<<<grid, block, 0, launch.stream>>>(x, table, out, N, M, C, stride);
  CUDA_CHECK(cudaGetLastError());
}

void nearest_neighbours(const float* table, float* cosines, int* neighbours, int row, int V, int C,
                        int k, const Launch& launch) {
  constexpr int kRowThreads = 128;
  const int blocks = blocks_for(V, kRowThreads / kWarpSize);
  cosines_with_row_kernel<<<blocks, kRowThreads, 0, launch.stream>>>(table, cosines, row, V, C);
  CUDA_CHECK(cudaGetLastError());
  nearest_kernel<<<1, kWarpSize, 0, launch.stream>>>(cosines, neighbours, row, V, k);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson02
