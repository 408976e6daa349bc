// Shared memory: tiles, trees, scans, buffers of several types.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "simulator/tests/correct/correct.h"

using simulator_test::counted;
using simulator_test::DeviceArray;
using simulator_test::equal;

// The loop's barrier stands before the next round's writes, which are of the other buffer.
__global__ void sum_with_two_buffers(const int* in, int* out, int tiles) {
  __shared__ int tile[2][64];
  const int i = threadIdx.x;
  tile[0][i] = in[i];
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    if (t + 1 < tiles) tile[(t + 1) % 2][i] = in[(t + 1) * 64 + i];
    for (int j = 0; j < 64; ++j) sum += tile[t % 2][j];
  }
  out[i] = sum;
}

CORRECT(two_buffers_and_one_barrier) {
  const DeviceArray<int> in(counted<int>(192));
  const DeviceArray<int> out(64);
  sum_with_two_buffers<<<1, 64>>>(in, out, 3);
  return equal(out.values(), std::vector<int>(64, 191 * 192 / 2));
}

__global__ void reduce_tree(const int* in, int* out, int n) {
  extern __shared__ int tree[];
  const int i = threadIdx.x;
  tree[i] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = blockDim.x / 2; distance > 0; distance /= 2) {
    if (i < distance) tree[i] += tree[i + distance];
    __syncthreads();
  }
  if (i == 0) *out = tree[0];
}

CORRECT(tree_in_place) {
  const DeviceArray<int> in(counted<int>(200));
  const DeviceArray<int> out(1);
  reduce_tree<<<1, 256, 256 * sizeof(int)>>>(in, out, 200);
  return equal(out.values(), {199 * 200 / 2});
}

// Warp-synchronous, with a __syncwarp between the reads and the writes of every step.
__global__ void reduce_last_warp(const int* in, int* out) {
  __shared__ int partial[128];
  const int i = threadIdx.x;
  partial[i] = in[i];
  __syncthreads();
  if (i < 64) partial[i] += partial[i + 64];
  __syncthreads();
  if (i >= 32) return;
  int sum = partial[i] + partial[i + 32];
  for (int distance = 16; distance > 0; distance /= 2) {
    partial[i] = sum;
    __syncwarp();
    sum += partial[(i + distance) % 32];
    __syncwarp();
  }
  if (i == 0) *out = sum;
}

CORRECT(last_warp_with_syncwarp) {
  const DeviceArray<int> in(counted<int>(128));
  const DeviceArray<int> out(1);
  reduce_last_warp<<<1, 128>>>(in, out);
  return equal(out.values(), {127 * 128 / 2});
}

__device__ void reduce_volatile(volatile int* lanes, int lane) {
  int value = lanes[lane];
  for (int distance = 16; distance > 0; distance /= 2) {
    value += lane + distance < 32 ? lanes[lane + distance] : 0;
    __syncwarp();
    lanes[lane] = value;
    __syncwarp();
  }
}

__global__ void reduce_each_warp(const int* in, int* out) {
  __shared__ int values[96];
  const int i = threadIdx.x;
  values[i] = in[i];
  __syncwarp();
  reduce_volatile(values + i / 32 * 32, i % 32);
  if (i % 32 == 0) out[i / 32] = values[i];
}

CORRECT(volatile_with_syncwarp) {
  const DeviceArray<int> in(std::vector<int>(96, 3));
  const DeviceArray<int> out(3);
  reduce_each_warp<<<1, 96>>>(in, out);
  return equal(out.values(), {96, 96, 96});
}

// Hillis and Steele: the reads of a step are parted from its writes by a barrier.
__global__ void scan(const int* in, int* out) {
  __shared__ int sums[97];
  const int i = threadIdx.x;
  sums[i] = in[i];
  __syncthreads();
  for (int distance = 1; distance < 97; distance *= 2) {
    const int before = i >= distance ? sums[i - distance] : 0;
    __syncthreads();
    sums[i] += before;
    __syncthreads();
  }
  out[i] = sums[i];
}

CORRECT(scan_with_two_barriers) {
  const DeviceArray<int> in(std::vector<int>(97, 1));
  const DeviceArray<int> out(97);
  scan<<<1, 97>>>(in, out);
  std::vector<int> expected = counted<int>(97);
  for (int& value : expected) ++value;
  return equal(out.values(), expected);
}

// A column of padding, which nobody writes or reads.
__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][16 + 1];
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  const int to_x = blockIdx.y * 16 + threadIdx.x;
  const int to_y = blockIdx.x * 16 + threadIdx.y;
  if (to_x < rows && to_y < columns) out[to_y * rows + to_x] = tile[threadIdx.x][threadIdx.y];
}

CORRECT(transpose_with_padding) {
  constexpr int kRows = 37;
  constexpr int kColumns = 21;
  const DeviceArray<float> in(counted<float>(kRows * kColumns));
  const DeviceArray<float> out(kRows * kColumns);
  transpose<<<dim3(2, 3), dim3(16, 16)>>>(in, out, kRows, kColumns);
  std::vector<float> expected(kRows * kColumns);
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kColumns; ++x)
      expected[x * kRows + y] = static_cast<float>(y * kColumns + x);
  }
  return equal(out.values(), expected);
}

// One piece of dynamic shared memory, carved into arrays of three types.
__global__ void carve(const float* in, float* out, int n) {
  extern __shared__ double memory[];
  double* const sums = memory;
  float* const values = reinterpret_cast<float*>(sums + 2);
  char* const marks = reinterpret_cast<char*>(values + n);
  const int i = threadIdx.x;
  values[i] = in[i];
  marks[i] = static_cast<char>(in[i] > 10.0f);
  if (i < 2) sums[i] = 0.0;
  __syncthreads();
  atomicAdd(&sums[static_cast<int>(marks[i])], static_cast<double>(values[i]));
  __syncthreads();
  out[i] = static_cast<float>(sums[static_cast<int>(marks[n - 1 - i])]);
}

CORRECT(arrays_in_dynamic_memory) {
  constexpr int kSize = 33;
  const DeviceArray<float> in(counted<float>(kSize));
  const DeviceArray<float> out(kSize);
  carve<<<1, kSize, 2 * sizeof(double) + kSize*(sizeof(float) + 1)>>>(in, out, kSize);
  std::vector<float> expected;
  for (int i = 0; i < kSize; ++i) expected.push_back(kSize - 1 - i > 10 ? 473.0f : 55.0f);
  return equal(out.values(), expected);
}

// Neighbours write neighbouring halves and bytes of a word.
__global__ void narrow_types(const float* in, __half* halves_out, __nv_bfloat16* brains_out,
                             unsigned char* bytes_out) {
  __shared__ __half halves[64];
  __shared__ __nv_bfloat16 brains[64];
  __shared__ unsigned char bytes[64];
  const int i = threadIdx.x;
  halves[i] = __float2half(in[i]);
  brains[i] = __float2bfloat16(in[i]);
  bytes[i] = static_cast<unsigned char>(in[i]);
  __syncthreads();
  halves_out[i] = halves[63 - i];
  brains_out[i] = brains[63 - i];
  bytes_out[i] = bytes[63 - i];
}

CORRECT(neighbours_in_one_word) {
  const DeviceArray<float> in(counted<float>(64));
  const DeviceArray<__half> halves(64);
  const DeviceArray<__nv_bfloat16> brains(64);
  const DeviceArray<unsigned char> bytes(64);
  narrow_types<<<1, 64>>>(in, halves, brains, bytes);
  bool right = true;
  for (int i = 0; i < 64; ++i) {
    const auto expected = static_cast<float>(63 - i);
    right = equal(__half2float(halves.values()[i]), expected) &&
            equal(__bfloat162float(brains.values()[i]), expected) &&
            equal(static_cast<float>(bytes.values()[i]), expected) && right;
  }
  return right;
}

__global__ void histogram(const int* values, int n, int* counts) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[values[i]], 1);
  }
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

CORRECT(histogram_with_atomics) {
  std::vector<int> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i % 8);
  const DeviceArray<int> in(values);
  const DeviceArray<int> counts(8);
  histogram<<<3, 64>>>(in, 1000, counts);
  return equal(counts.values(), std::vector<int>(8, 125));
}

// Everybody finds the same, and says so.
__global__ void any_negative(const int* values, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (values[threadIdx.x] < 0) found = 1;
  __syncthreads();
  out[threadIdx.x] = found;
}

CORRECT(same_value_by_many_threads) {
  std::vector<int> values(100, -5);
  values[7] = 3;
  const DeviceArray<int> in(values);
  const DeviceArray<int> out(100);
  any_negative<<<1, 100>>>(in, out);
  return equal(out.values(), std::vector<int>(100, 1));
}

// A warp tells the next by a volatile flag that its part is there, with a fence on both sides.
__global__ void relay(int* out) {
  __shared__ volatile int turn;
  __shared__ int baton;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    baton = 0;
    turn = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (turn != warp) {
    }
    __threadfence_block();
    baton = baton * 10 + warp + 1;
    __threadfence_block();
    turn = warp + 1;
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = baton;
}

CORRECT(flags_between_warps) {
  const DeviceArray<int> out(1);
  relay<<<1, 96>>>(out);
  return equal(out.values(), {123});
}

// Two uses of one array, parted by a barrier.
__device__ int block_sum(int value) {
  __shared__ int sums[32];
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  }
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  int total = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) total += sums[warp];
  __syncthreads();
  return total;
}

__global__ void mean_and_spread(const int* in, int* out) {
  const int mean = block_sum(in[threadIdx.x]) / static_cast<int>(blockDim.x);
  const int distance = in[threadIdx.x] - mean;
  const int spread = block_sum(distance * distance);
  if (threadIdx.x == 0) {
    out[0] = mean;
    out[1] = spread;
  }
}

CORRECT(shared_array_of_a_function_used_twice) {
  std::vector<int> values;
  for (int i = 0; i < 128; ++i) values.push_back(i % 2 == 0 ? 4 : 6);
  const DeviceArray<int> in(values);
  const DeviceArray<int> out(2);
  mean_and_spread<<<1, 128>>>(in, out);
  return equal(out.values(), {5, 128});
}

// A function that gives away the address of its array.
__device__ float* scratch() {
  __shared__ float values[32];
  return values;
}

__global__ void mirror(const float* in, float* out) {
  float* const values = scratch();
  values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = values[31 - threadIdx.x];
}

CORRECT(address_of_a_functions_shared_array) {
  const DeviceArray<float> in(counted<float>(32));
  const DeviceArray<float> out(32);
  mirror<<<1, 32>>>(in, out);
  std::vector<float> expected;
  for (int i = 0; i < 32; ++i) expected.push_back(static_cast<float>(31 - i));
  return equal(out.values(), expected);
}

// The first thread waits for the last one of its block, which has not begun then.
__global__ void wait_for_last_thread(volatile int* ready, int* out) {
  if (threadIdx.x == blockDim.x - 1) {
    *out = 7;
    __threadfence();
    *ready = 1;
  }
  if (threadIdx.x == 0) {
    while (*ready == 0) {
    }
    __threadfence();
    out[1] = out[0] + 1;
  }
}

CORRECT(first_thread_waits_for_the_last) {
  const DeviceArray<int> ready(1);
  const DeviceArray<int> out(2);
  wait_for_last_thread<<<1, 64>>>(ready, out);
  return equal(out.values(), {7, 8});
}
