// The ladder:
//
//   05.4 (lesson)   a thread a column, down all N rows: width threads on a card of a hundred
//                   thousand, each waiting for one number after the other
//   chunks          rows in up to 64 chunks, a block for each chunk and 128 bytes of columns, whose
//                   32 rows of threads add up through shared memory; then the chunks are added
//
// dy is read once: b N width bytes, for N width additions; the chunks' sums, 2 * 4 * 64 * width
// bytes written and read, are 0.4 % of that at N = 65,536 in bf16. At width = 3,072 it is 403 MB,
// 0.08 ms of an H200's memory.
//
// Where cublasLt adds up dy while it makes dweight of it (products.cu), dy is not read again, and
// this is what adds the sums to what earlier micro-batches left: as a matrix of one row.

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/bias_gradient.h"
#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"

namespace andrea::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kMostChunks = 64;
constexpr int kLeastRows = 128;  // of a chunk: fewer are not worth a second kernel
constexpr int kChunkThreads = 64;

// How the rows are cut, by N alone.
struct Chunks {
  int count;
  int rows;  // of each but the last
};

Chunks chunks_of(int N) {
  const int rows = blocks_for(N, std::min(kMostChunks, blocks_for(N, kLeastRows)));
  return {blocks_for(N, rows), rows};
}

// The numbers of one access, and how a block's threads lie over the matrix: kLanes side by side,
// 128 bytes together, and the others below them.
template <typename Number, bool kInPacks>
struct Tile {
  static constexpr int kWidth = kInPacks ? kPacked<Number> : 1;
  static constexpr int kLanes = kInPacks ? 8 : 32;
  static constexpr int kRows = kThreads / kLanes;
  static constexpr int kColumns = kLanes * kWidth;
};

// The sums over one chunk of rows: to row blockIdx.y of `sums`, or on top of it.
template <typename Number, bool kInPacks>
__global__ void column_sums_kernel(const Number* dy,  // [N, width]
                                   float* sums,       // [gridDim.y, width]
                                   int N, int width, int rows_of_chunk, bool add) {
  using T = Tile<Number, kInPacks>;
  // By k first, so that threads side by side store to banks side by side; and one lane's columns
  // are read later by threads side by side, for whom the rows of each k are shifted.
  __shared__ float partial[T::kWidth][kThreads + T::kLanes];
  const int lane = static_cast<int>(threadIdx.x) % T::kLanes;
  const int row = static_cast<int>(threadIdx.x) / T::kLanes;
  const int first_column = static_cast<int>(blockIdx.x) * T::kColumns;
  const int column = first_column + lane * T::kWidth;
  const int begin = static_cast<int>(blockIdx.y) * rows_of_chunk;
  const int end = min(N, begin + rows_of_chunk);

  float own[T::kWidth] = {};
  if (column < width) {
#pragma unroll 4
    for (int n = begin + row; n < end; n += T::kRows) {
      const Number* const at = dy + static_cast<std::int64_t>(n) * width + column;
      if constexpr (kInPacks) {
        const Packed<Number> numbers = load_packed(at);
        for (int k = 0; k < T::kWidth; ++k) own[k] += to_float(numbers.values[k]);
      } else {
        own[0] += to_float(*at);
      }
    }
  }
  for (int k = 0; k < T::kWidth; ++k) partial[k][threadIdx.x] = own[k];
  __syncthreads();

  const int c = static_cast<int>(threadIdx.x);
  if (c >= T::kColumns || first_column + c >= width) return;
  float sum = 0;
  for (int r = 0; r < T::kRows; ++r) sum += partial[c % T::kWidth][r * T::kLanes + c / T::kWidth];
  float* const to = sums + static_cast<std::int64_t>(blockIdx.y) * width + first_column + c;
  *to = add ? *to + sum : sum;
}

__global__ void sum_of_chunks_kernel(const float* sums,  // [chunks, width]
                                     float* dbias,       // [width]
                                     int chunks, int width, bool add) {
  const int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= width) return;
  float sum = 0;
#pragma unroll 8
  for (int chunk = 0; chunk < chunks; ++chunk) {
    sum += sums[static_cast<std::int64_t>(chunk) * width + c];
  }
  dbias[c] = add ? dbias[c] + sum : sum;
}

template <typename Number, bool kInPacks>
void launch_column_sums(const Number* dy, float* sums, int N, int width, const Chunks& chunks,
                        bool add, const Launch& launch) {
  const dim3 blocks(static_cast<unsigned>(blocks_for(width, Tile<Number, kInPacks>::kColumns)),
                    static_cast<unsigned>(chunks.count));
  column_sums_kernel<Number, kInPacks>
      <<<blocks, kThreads, 0, launch.stream>>>(dy, sums, N, width, chunks.rows, add);
  CUDA_CHECK(cudaGetLastError());
}

template <typename Number>
void launch_bias_gradient(const Number* dy, float* dbias, int N, int width, Accumulate accumulate,
                          const Launch& launch) {
  const Chunks chunks = chunks_of(N);
  const bool add = accumulate == Accumulate::add;
  const bool at_once = chunks.count == 1;
  float* const sums = at_once ? dbias : static_cast<float*>(launch.scratch);
  if (width % kPacked<Number> == 0 && is_aligned(dy)) {
    launch_column_sums<Number, true>(dy, sums, N, width, chunks, at_once && add, launch);
  } else {
    launch_column_sums<Number, false>(dy, sums, N, width, chunks, at_once && add, launch);
  }
  if (at_once) return;
  sum_of_chunks_kernel<<<blocks_for(width, kChunkThreads), kChunkThreads, 0, launch.stream>>>(
      sums, dbias, chunks.count, width, add);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

std::size_t bias_gradient_scratch_bytes(int N, int width) {
  const int chunks = chunks_of(N).count;
  return chunks == 1 ? 0 : sizeof(float) * static_cast<std::size_t>(chunks) * width;
}

void bias_gradient(const float* dy, float* dbias, int N, int width, Accumulate accumulate,
                   const Launch& launch) {
  launch_bias_gradient(dy, dbias, N, width, accumulate, launch);
}

void bias_gradient(const __nv_bfloat16* dy, float* dbias, int N, int width, Accumulate accumulate,
                   const Launch& launch) {
  launch_bias_gradient(dy, dbias, N, width, accumulate, launch);
}

}  // namespace andrea::cuda
