// Lesson 02: dot products, for pairs and for all pairs. What each function computes stands in
// kernel.h; README.md explains the ideas, in the same order. Its exercises are tried by
//
//   bazel test //lessons/02_dot_product_similarity:kernel_test
//
// row_of(x, n, C) is where row n of x begins (lessons/rows.cuh). warp_sum(value) is the sum over
// the 32 lanes, by the steps of your maximum in 00.5; all lanes call it (lessons/reductions.cuh).

#include "kernels/cuda_check.h"
#include "kernels/dot_similarity.h"
#include "kernels/launch_size.h"
#include "lessons/02_dot_product_similarity/kernel.h"
#include "lessons/reductions.cuh"
#include "lessons/rows.cuh"

namespace andrea::lesson02 {
namespace {

// ---- 02.1 The dot product: one thread goes along two rows.

__global__ void pair_dots_kernel(const float* a,  // [N, C]
                                 const float* b,  // [N, C]
                                 float* dots,     // [N]
                                 int N, int C) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // TODO(02.1): if there is a pair n, the sum of the products of row n of a and row n of b,
  // written to dots, about 6 lines.
}

// ---- 02.2 The cosine: the dot product without the lengths.

__global__ void pair_cosines_kernel(const float* a,  // [N, C]
                                    const float* b,  // [N, C]
                                    float* cosines,  // [N]
                                    int N, int C) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= N) return;
  const float* a_row = row_of(a, n, C);
  const float* b_row = row_of(b, n, C);
  // TODO(02.2): a . b, a . a and b . b in one loop; from them the cosine, which is 0 where a
  // vector has no length, about 8 lines.
}

// ---- 02.3 The same by 32 lanes that go along the rows side by side.

constexpr int kPairThreads = 128;  // four warps, so four pairs a block

__global__ void pair_cosines_by_warps_kernel(const float* a,  // [N, C]
                                             const float* b,  // [N, C]
                                             float* cosines,  // [N]
                                             int N, int C) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int n = thread / kWarpSize;  // the same in all lanes: a warp goes on, or leaves, as a whole
  const int lane = thread % kWarpSize;
  if (n >= N) return;
  const float* a_row = row_of(a, n, C);
  const float* b_row = row_of(b, n, C);
  // TODO(02.3): the three sums over the columns of this lane; those of all lanes together; then
  // one lane writes the cosine, about 10 lines.
}

// ---- 02.4 All pairs: x counts rows of the table, y counts rows of x.

__global__ void all_pairs_kernel(const float* x,      // [N, C]
                                 const float* table,  // [M, C]
                                 float* out,          // [N, stride]
                                 int N, int M, int C, int stride) {
  const int m = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  // TODO(02.4): out[n, m], if there is one; the rows of out lie stride apart, about 6 lines.
}

// ---- 02.5 The same from tiles: what a block loads once, its 1,024 threads use 32 times each.

constexpr int kTile = 32;

__global__ void all_pairs_in_tiles_kernel(const float* x,      // [N, C]
                                          const float* table,  // [M, C]
                                          float* out,          // [N, stride]
                                          int N, int M, int C, int stride) {
  const int column = static_cast<int>(threadIdx.x), row = static_cast<int>(threadIdx.y);
  const int first_n = static_cast<int>(blockIdx.y) * kTile;
  const int first_m = static_cast<int>(blockIdx.x) * kTile;
  // TODO(02.5): 32 columns at a time: all threads load a tile of x and one of the table, 0
  // where there is nothing; then each adds the 32 products that are its own. At the end it writes
  // out[first_n + row, first_m + column], if there is one, about 13 lines.
}

// ---- 02.6 Backward: x[n] took part in row n of out, so that row brings its gradient.

__global__ void gradient_of_x_kernel(const float* dout,   // [N, stride]
                                     const float* table,  // [M, C]
                                     float* dx,           // [N, C]
                                     int N, int M, int C, int stride) {
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int n = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  // TODO(02.6): dx[n, c], if there is one, about 5 lines.
}

// ---- 02.7 Backward: table[m] took part in column m of out.

__global__ void gradient_of_table_kernel(const float* dout,  // [N, stride]
                                         const float* x,     // [N, C]
                                         float* dtable,      // [M, C]
                                         int N, int M, int C, int stride, Accumulate accumulate) {
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int m = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  // TODO(02.7): the sum of dtable[m, c], if there is one; with Accumulate::add, what is there
  // already counts too, about 5 lines.
}

// A grid of blocks of 32 x 8 threads, for a matrix with a thread a number.
constexpr unsigned kBlockColumns = 32, kBlockRows = 8;

dim3 grid_for(int rows, int columns) {
  return {static_cast<unsigned>(blocks_for(columns, kBlockColumns)),
          static_cast<unsigned>(blocks_for(rows, kBlockRows))};
}

}  // namespace

// ---- The launches, which are given.

void pair_dots(const float* a, const float* b, float* dots, int N, int C, const Launch& launch) {
  pair_dots_kernel<<<blocks_for(N, 128), 128, 0, launch.stream>>>(a, b, dots, N, C);
  CUDA_CHECK(cudaGetLastError());
}

void pair_cosines(const float* a, const float* b, float* cosines, int N, int C,
                  const Launch& launch) {
  pair_cosines_kernel<<<blocks_for(N, 128), 128, 0, launch.stream>>>(a, b, cosines, N, C);
  CUDA_CHECK(cudaGetLastError());
}

void pair_cosines_by_warps(const float* a, const float* b, float* cosines, int N, int C,
                           const Launch& launch) {
  const int blocks = blocks_for(N, kPairThreads / kWarpSize);
  pair_cosines_by_warps_kernel<<<blocks, kPairThreads, 0, launch.stream>>>(a, b, cosines, N, C);
  CUDA_CHECK(cudaGetLastError());
}

void all_pairs(const float* x, const float* table, float* out, int N, int M, int C, int stride,
               const Launch& launch) {
  const dim3 block(kBlockColumns, kBlockRows);
  all_pairs_kernel<<<grid_for(N, M), block, 0, launch.stream>>>(x, table, out, N, M, C, stride);
  CUDA_CHECK(cudaGetLastError());
}

void all_pairs_in_tiles(const float* x, const float* table, float* out, int N, int M, int C,
                        int stride, const Launch& launch) {
  const dim3 block(kTile, kTile);
  const dim3 grid(static_cast<unsigned>(blocks_for(M, kTile)),
                  static_cast<unsigned>(blocks_for(N, kTile)));
  all_pairs_in_tiles_kernel<<<grid, block, 0, launch.stream>>>(x, table, out, N, M, C, stride);
  CUDA_CHECK(cudaGetLastError());
}

void gradient_of_x(const float* dout, const float* table, float* dx, int N, int M, int C,
                   int stride, const Launch& launch) {
  const dim3 block(kBlockColumns, kBlockRows);
  gradient_of_x_kernel<<<grid_for(N, C), block, 0, launch.stream>>>(dout, table, dx, N, M, C,
                                                                    stride);
  CUDA_CHECK(cudaGetLastError());
}

void gradient_of_table(const float* dout, const float* x, float* dtable, int N, int M, int C,
                       int stride, Accumulate accumulate, const Launch& launch) {
  const dim3 block(kBlockColumns, kBlockRows);
  gradient_of_table_kernel<<<grid_for(M, C), block, 0, launch.stream>>>(dout, x, dtable, N, M, C,
                                                                        stride, accumulate);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace andrea::lesson02

// ---- kernels/dot_similarity.h, made of these: this is what a model calls.

namespace andrea {

std::size_t dot_similarity_scratch_bytes(int, int, int) { return 0; }

void dot_similarity_forward(const float* x, const float* table, float* out, int N, int M, int C,
                            int stride, const Launch& launch) {
  lesson02::all_pairs_in_tiles(x, table, out, N, M, C, stride, launch);
}

void dot_similarity_backward(const float* dout, const float* x, const float* table, float* dx,
                             float* dtable, int N, int M, int C, int stride, Accumulate accumulate,
                             const Launch& launch) {
  if (dx != nullptr) lesson02::gradient_of_x(dout, table, dx, N, M, C, stride, launch);
  lesson02::gradient_of_table(dout, x, dtable, N, M, C, stride, accumulate, launch);
}

}  // namespace andrea
