// The embedding: rows of two tables gathered, and what they receive summed up.
//
// The ladder, from lesson 01's kernels:
//
//   01.1, 01.2  a block a row, a number a load; the positions in a pass of their own
//   01.5        16 bytes a load
//   here        both tables at once: N C numbers written, at most as many read from each table
//
//   01.3        float atomics: as few bytes, but another order of additions, and another result,
//               in each run; a token that fills half of a batch makes one row of memory a queue
//   01.6        a block a row of the table, which looks through all N tokens: in order, V N reads
//   here        the positions are sorted by token first, and a block a row of the table adds up
//               those of its own; a long row is split among many blocks
//
// Backward reads dout twice, for either table, and writes the tables (adding: reads them too): at
// N = 16,384, C = 768, V = 8,576 in bf16 50 MB + 26 MB + 3 MB, and N C additions a table. The sort
// moves 16 bytes a position in each of log2(N / 2048) passes; its launches, of microseconds, cost
// more than its bytes.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kernels/cuda/embed.h"
#include "kernels/cuda/number.cuh"
#include "kernels/cuda/sums.cuh"
#include "kernels/cuda/vector.cuh"
#include "kernels/cuda_check.h"
#include "kernels/launch_size.h"

namespace andrea::cuda {
namespace {

// A warp for each 32 vectors of a row, 8 warps at most.
int threads_for(int vectors) { return std::min(blocks_for(vectors, kWarp), 8) * kWarp; }

// ---- Forward: a warp a row of `out`.

constexpr int kRowsOfBlock = 8;

template <typename Number, int kWidth>
__global__ void embed_kernel(const int* tokens, const Number* token_table,
                             const Number* position_table, Number* out, int N, int T, int C) {
  const int n = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (n >= N) return;
  const Number* token_row = row_at(token_table, tokens[n], C);
  const Number* position_row = row_at(position_table, n % T, C);
  for (int vector = static_cast<int>(threadIdx.x); vector < C / kWidth; vector += kWarp) {
    auto sum = load_vector<kWidth>(token_row, vector);
    if (position_table != nullptr) {
      const auto position = load_vector<kWidth>(position_row, vector);
#pragma unroll
      for (int k = 0; k < kWidth; ++k) {
        sum.values[k] = from_float<Number>(to_float(sum.values[k]) + to_float(position.values[k]));
      }
    }
    store_vector(row_at(out, n, C), vector, sum);
  }
}

// ---- Backward, first part: the positions in the order of their tokens, and those of one token in
// their own order. A key is a token and a position, so no two are equal, and any way of sorting
// gives the same result.

using Key = unsigned long long;

__host__ __device__ constexpr Key key_of(int token, int n) {
  return static_cast<Key>(token) << 32 | static_cast<Key>(n);
}
__device__ int token_of(Key key) { return static_cast<int>(key >> 32); }
__device__ int position_of(Key key) { return static_cast<int>(key & 0xffffffffu); }

// How many of the sorted keys[begin] .. keys[end - 1] are less than `key`.
__device__ int count_below(const Key* keys, int begin, int end, Key key) {
  int low = begin, high = end;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (keys[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - begin;
}

// A block sorts a chunk in shared memory, by Batcher's bitonic network (1968): a thread has two
// keys at a time and puts them in order. Places behind the end hold the largest key there is.
constexpr int kChunk = 2048;

__global__ void sort_chunks_kernel(const int* tokens, Key* keys, int N) {
  __shared__ Key chunk[kChunk];
  const int begin = static_cast<int>(blockIdx.x) * kChunk;
  const auto thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int length = 2 * threads;  // a power of two
  for (int i = thread; i < length; i += threads) {
    chunk[i] = begin + i < N ? key_of(tokens[begin + i], begin + i) : ~Key{0};
  }
  __syncthreads();
  for (int size = 2; size <= length; size *= 2) {
    for (int distance = size / 2; distance > 0; distance /= 2) {
      const int low = 2 * thread - (thread & (distance - 1)), high = low + distance;
      const bool ascends = (low & size) == 0 || size == length;
      const Key first = chunk[low], second = chunk[high];
      if ((first > second) == ascends) {
        chunk[low] = second;
        chunk[high] = first;
      }
      __syncthreads();
    }
  }
  for (int i = thread; i < length && begin + i < N; i += threads) keys[begin + i] = chunk[i];
}

// Pairs of neighbouring sorted runs become one run each: behind its own place in its run a key has
// as many places as there are smaller keys in the other.
__global__ void merge_runs_kernel(const Key* keys, Key* merged, int N, int length) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= N) return;
  const int run = i / length;
  const int other = min((run ^ 1) * length, N), other_end = min(N - other, length) + other;
  const int pair = run / 2 * 2 * length;
  merged[pair + i - run * length + count_below(keys, other, other_end, keys[i])] = keys[i];
}

// Where the positions of each token begin among the sorted ones; starts[V] is N.
__global__ void token_starts_kernel(const Key* keys, int* starts, int N, int V) {
  const int v = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (v <= V) starts[v] = count_below(keys, 0, N, key_of(v, 0));
}

// ---- Backward, second part: sums of rows of dout.

// What a number of a gradient becomes.
template <int kWidth>
__device__ void store_sum(float* row, int vector, const float (&sum)[kWidth], bool add) {
  Vector<float, kWidth> result = {};
  if (add) result = load_vector<kWidth>(row, vector);
#pragma unroll
  for (int k = 0; k < kWidth; ++k) result.values[k] += sum[k];
  store_vector(row, vector, result);
}

template <typename Number, int kWidth>
__device__ void add_vector(const Number* row, int vector, float (&sum)[kWidth]) {
  const auto numbers = load_vector<kWidth>(row, vector);
#pragma unroll
  for (int k = 0; k < kWidth; ++k) sum[k] += to_float(numbers.values[k]);
}

// The rows of dout whose positions are keys[begin] .. keys[end - 1].
template <typename Number, int kWidth>
__device__ void add_rows(const Number* dout, const Key* keys, int begin, int end, int C, int vector,
                         float (&sum)[kWidth]) {
#pragma unroll 4
  for (int i = begin; i < end; ++i) {
    add_vector(row_at(dout, position_of(keys[i]), C), vector, sum);
  }
}

// A token with more positions than this is a long one: their sum is taken in pieces. Piece p is
// that of the sorted positions p * kPiece .. (p + 1) * kPiece - 1, of which at most two long tokens
// have a part: the first of them in slot 0, the last in slot 1.
constexpr int kPiece = 64;

template <typename Number, int kWidth>
__global__ void long_tokens_kernel(const Number* dout, const Key* keys, const int* starts,
                                   float* partial,  // [pieces, 2, C]
                                   int N, int C) {
  const int piece = static_cast<int>(blockIdx.x);
  const int begin = piece * kPiece, end = min(begin + kPiece, N);
  const int tokens[] = {token_of(keys[begin]), token_of(keys[end - 1])};
  for (int slot = 0; slot < 2; ++slot) {
    if (slot == 1 && tokens[1] == tokens[0]) return;
    const int first = starts[tokens[slot]], last = starts[tokens[slot] + 1];
    if (last - first <= kPiece) continue;
    float* const row = row_at(partial, 2 * piece + slot, C);
    for (int vector = static_cast<int>(threadIdx.x); vector < C / kWidth;
         vector += static_cast<int>(blockDim.x)) {
      float sum[kWidth] = {};
      add_rows<Number, kWidth>(dout, keys, max(begin, first), min(end, last), C, vector, sum);
      store_sum<kWidth>(row, vector, sum, false);
    }
  }
}

// A block a row of dtoken_table.
template <typename Number, int kWidth>
__global__ void token_gradients_kernel(const Number* dout, const Key* keys, const int* starts,
                                       const float* partial,  // [pieces, 2, C]
                                       float* dtoken_table,   // [V, C]
                                       int C, bool add) {
  const int v = static_cast<int>(blockIdx.x);
  const int first = starts[v], last = starts[v + 1];
  if (add && first == last) return;
  for (int vector = static_cast<int>(threadIdx.x); vector < C / kWidth;
       vector += static_cast<int>(blockDim.x)) {
    float sum[kWidth] = {};
    if (last - first <= kPiece) {
      add_rows<Number, kWidth>(dout, keys, first, last, C, vector, sum);
    } else {
#pragma unroll 4
      for (int piece = first / kPiece; piece <= (last - 1) / kPiece; ++piece) {
        const int slot = piece * kPiece < first ? 1 : 0;
        add_vector(row_at(partial, 2 * piece + slot, C), vector, sum);
      }
    }
    store_sum<kWidth>(row_at(dtoken_table, v, C), vector, sum, add);
  }
}

// A block a row of dposition_table.
template <typename Number, int kWidth>
__global__ void position_gradients_kernel(const Number* dout, float* dposition_table, int B, int T,
                                          int C, bool add) {
  const int t = static_cast<int>(blockIdx.x);
  for (int vector = static_cast<int>(threadIdx.x); vector < C / kWidth;
       vector += static_cast<int>(blockDim.x)) {
    float sum[kWidth] = {};
#pragma unroll 4
    for (int b = 0; b < B; ++b) {
      add_vector(row_at(dout, static_cast<std::int64_t>(b) * T + t, C), vector, sum);
    }
    store_sum<kWidth>(row_at(dposition_table, t, C), vector, sum, add);
  }
}

// ---- The working memory of backward.

struct Scratch {
  Key* keys;       // [N]
  Key* merged;     // [N]
  int* starts;     // [V + 1]
  float* partial;  // [pieces, 2, C]
  std::size_t bytes;
};

Scratch scratch_in(void* memory, int N, int C, int V) {
  std::size_t bytes = 0;
  const auto take = [&](std::size_t numbers, std::size_t size) -> void* {
    std::byte* const begin = static_cast<std::byte*>(memory);
    std::byte* const here = begin != nullptr ? begin + bytes : nullptr;  // null: only to measure
    bytes += align_up(numbers * size);
    return here;
  };
  const auto positions = static_cast<std::size_t>(N);
  const auto pieces = static_cast<std::size_t>(blocks_for(N, kPiece));
  Scratch scratch;
  scratch.keys = static_cast<Key*>(take(positions, sizeof(Key)));
  scratch.merged = static_cast<Key*>(take(positions, sizeof(Key)));
  scratch.starts = static_cast<int*>(take(static_cast<std::size_t>(V) + 1, sizeof(int)));
  scratch.partial =
      static_cast<float*>(take(pieces * 2 * static_cast<std::size_t>(C), sizeof(float)));
  scratch.bytes = bytes;
  return scratch;
}

// The sorted keys are where the result says.
Key* sort_positions(const int* tokens, const Scratch& scratch, int N, const Launch& launch) {
  // No more threads than half of the keys, rounded up to a power of two.
  int threads = kWarp;
  while (2 * threads < std::min(N, kChunk)) threads *= 2;
  Key *keys = scratch.keys, *merged = scratch.merged;
  sort_chunks_kernel<<<blocks_for(N, kChunk), threads, 0, launch.stream>>>(tokens, keys, N);
  CUDA_CHECK(cudaGetLastError());
  for (int length = kChunk; length < N; length *= 2) {
    merge_runs_kernel<<<blocks_for(N, 256), 256, 0, launch.stream>>>(keys, merged, N, length);
    CUDA_CHECK(cudaGetLastError());
    std::swap(keys, merged);
  }
  return keys;
}

template <int kWidth, typename Number>
void embed_with(const int* tokens, const Number* token_table, const Number* position_table,
                Number* out, int B, int T, int C, const Launch& launch) {
  const dim3 block(kWarp, kRowsOfBlock);
  embed_kernel<Number, kWidth><<<blocks_for(B * T, kRowsOfBlock), block, 0, launch.stream>>>(
      tokens, token_table, position_table, out, B * T, T, C);
  CUDA_CHECK(cudaGetLastError());
}

template <typename Number>
void embed_any(const int* tokens, const Number* token_table, const Number* position_table,
               Number* out, int B, int T, int C, const Launch& launch) {
  if (is_packed<Number>(C)) {
    embed_with<kPacked<Number>>(tokens, token_table, position_table, out, B, T, C, launch);
  } else {
    embed_with<1>(tokens, token_table, position_table, out, B, T, C, launch);
  }
}

template <int kWidth, typename Number>
void backward_with(const Number* dout, const int* tokens, float* dtoken_table,
                   float* dposition_table, int B, int T, int C, int V, bool add,
                   const Launch& launch) {
  const int N = B * T;
  const Scratch scratch = scratch_in(launch.scratch, N, C, V);
  const int threads = threads_for(C / kWidth);
  const Key* const keys = sort_positions(tokens, scratch, N, launch);
  token_starts_kernel<<<blocks_for(V + 1, 256), 256, 0, launch.stream>>>(keys, scratch.starts, N,
                                                                         V);
  CUDA_CHECK(cudaGetLastError());
  long_tokens_kernel<Number, kWidth><<<blocks_for(N, kPiece), threads, 0, launch.stream>>>(
      dout, keys, scratch.starts, scratch.partial, N, C);
  CUDA_CHECK(cudaGetLastError());
  token_gradients_kernel<Number, kWidth><<<V, threads, 0, launch.stream>>>(
      dout, keys, scratch.starts, scratch.partial, dtoken_table, C, add);
  CUDA_CHECK(cudaGetLastError());
  if (dposition_table == nullptr) return;
  position_gradients_kernel<Number, kWidth>
      <<<T, threads, 0, launch.stream>>>(dout, dposition_table, B, T, C, add);
  CUDA_CHECK(cudaGetLastError());
}

template <typename Number>
void backward_any(const Number* dout, const int* tokens, float* dtoken_table,
                  float* dposition_table, int B, int T, int C, int V, Accumulate accumulate,
                  const Launch& launch) {
  const bool add = accumulate == Accumulate::add;
  if (is_packed<Number>(C)) {
    backward_with<kPacked<Number>>(dout, tokens, dtoken_table, dposition_table, B, T, C, V, add,
                                   launch);
  } else {
    backward_with<1>(dout, tokens, dtoken_table, dposition_table, B, T, C, V, add, launch);
  }
}

}  // namespace

void embed(const int* tokens, const float* token_table, const float* position_table, float* out,
           int B, int T, int C, const Launch& launch) {
  embed_any(tokens, token_table, position_table, out, B, T, C, launch);
}

void embed(const int* tokens, const __nv_bfloat16* token_table, const __nv_bfloat16* position_table,
           __nv_bfloat16* out, int B, int T, int C, const Launch& launch) {
  embed_any(tokens, token_table, position_table, out, B, T, C, launch);
}

std::size_t embed_backward_scratch_bytes(int B, int T, int C, int V) {
  return scratch_in(nullptr, B * T, C, V).bytes;
}

void embed_backward(const float* dout, const int* tokens, float* dtoken_table,
                    float* dposition_table, int B, int T, int C, int V, Accumulate accumulate,
                    const Launch& launch) {
  backward_any(dout, tokens, dtoken_table, dposition_table, B, T, C, V, accumulate, launch);
}

void embed_backward(const __nv_bfloat16* dout, const int* tokens, float* dtoken_table,
                    float* dposition_table, int B, int T, int C, int V, Accumulate accumulate,
                    const Launch& launch) {
  backward_any(dout, tokens, dtoken_table, dposition_table, B, T, C, V, accumulate, launch);
}

}  // namespace andrea::cuda
