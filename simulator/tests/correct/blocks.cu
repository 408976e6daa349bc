// Blocks that work together: atomics, locks, flags, the last one to finish.

#include <cooperative_groups.h>

#include "simulator/tests/correct/correct.h"

using simulator_test::counted;
using simulator_test::DeviceArray;
using simulator_test::equal;

namespace groups = cooperative_groups;

__device__ float atomic_max(float* address, float value) {
  int* const word = reinterpret_cast<int*>(address);
  int old = *word;
  while (__int_as_float(old) < value) {
    const int seen = atomicCAS(word, old, __float_as_int(value));
    if (seen == old) break;
    old = seen;
  }
  return __int_as_float(old);
}

__global__ void largest(const float* in, int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomic_max(out, in[i]);
}

CORRECT(maximum_by_compare_and_swap) {
  const DeviceArray<float> in(counted<float>(500, 0.5f));
  const DeviceArray<float> out(1);
  largest<<<8, 64>>>(in, 500, out);
  return equal(out.values(), {249.5f});
}

__device__ double atomic_add(double* address, double value) {
  auto* const word = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *word;
  unsigned long long assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void sum_doubles(const double* in, double* out) {
  atomic_add(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

CORRECT(double_sum_by_compare_and_swap) {
  const DeviceArray<double> in(counted<double>(256));
  const DeviceArray<double> out(1);
  sum_doubles<<<4, 64>>>(in, out);
  return equal(out.values(), {255.0 * 256.0 / 2.0});
}

__global__ void count_under_lock(int* lock, int* count) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *count += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

CORRECT(lock_with_fences) {
  const DeviceArray<int> lock(1);
  const DeviceArray<int> count(1);
  count_under_lock<<<20, 32>>>(lock, count);
  return equal(count.values(), {20});
}

// Every thread of the block for itself; lanes of one warp compete for the lock too.
__global__ void all_threads_lock(int* lock, int* count) {
  bool done = false;
  while (!done) {
    if (atomicExch(lock, 1) == 0) {
      __threadfence();
      *count += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

CORRECT(lock_by_every_lane) {
  const DeviceArray<int> lock(1);
  const DeviceArray<int> count(1);
  all_threads_lock<<<2, 64>>>(lock, count);
  return equal(count.values(), {128});
}

// The last block adds what the others stored: each thread fences its own part.
__global__ void sum_by_last_block(const int* in, int* partial, unsigned* finished, int* sum) {
  __shared__ bool last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[i] = in[i] * 2;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(finished, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  int total = 0;
  for (unsigned j = threadIdx.x; j < gridDim.x * blockDim.x; j += blockDim.x) total += partial[j];
  atomicAdd(sum, total);
}

CORRECT(last_block_with_a_fence_in_each_thread) {
  const DeviceArray<int> in(counted<int>(256));
  const DeviceArray<int> partial(256);
  const DeviceArray<unsigned> finished(1);
  const DeviceArray<int> sum(1);
  sum_by_last_block<<<4, 64>>>(in, partial, finished, sum);
  return equal(sum.values(), {255 * 256});
}

// The other form: one thread stores for its block, fences and counts; the counter goes back to 0.
__global__ void sum_by_last_thread(const int* in, volatile int* partial, unsigned* finished,
                                   int* sum) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = total;
  __threadfence();
  if (atomicInc(finished, gridDim.x - 1) != gridDim.x - 1) return;
  __threadfence();
  int all = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) all += partial[i];
  *sum = all;
}

CORRECT(last_block_with_a_fence_in_one_thread) {
  const DeviceArray<int> in(counted<int>(256));
  const DeviceArray<int> partial(4);
  const DeviceArray<unsigned> finished(1);
  const DeviceArray<int> sum(1);
  for (int round = 0; round < 3; ++round) sum_by_last_thread<<<4, 64>>>(in, partial, finished, sum);
  return equal(sum.values(), {255 * 256 / 2});
}

// Each block waits for the sum of all before it: blocks take their numbers in the order in which
// they start, so that whom one waits for is there already.
__global__ void scan_by_look_back(const int* in, int* out, unsigned* next, volatile int* sums,
                                  volatile int* ready) {
  __shared__ unsigned tile;
  __shared__ int before;
  if (threadIdx.x == 0) tile = atomicAdd(next, 1u);
  __syncthreads();
  const unsigned mine = tile;
  const int value = in[mine * 32 + threadIdx.x];
  int sum = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, sum, distance);
    if (static_cast<int>(threadIdx.x) >= distance) sum += other;
  }
  if (threadIdx.x == 31) {
    int carried = 0;
    if (mine > 0) {
      while (ready[mine - 1] == 0) {
      }
      __threadfence();
      carried = sums[mine - 1];
    }
    sums[mine] = carried + sum;
    __threadfence();
    ready[mine] = 1;
    before = carried;
  }
  __syncthreads();
  out[mine * 32 + threadIdx.x] = before + sum;
}

CORRECT(scan_with_flags_between_blocks) {
  const DeviceArray<int> in(std::vector<int>(320, 2));
  const DeviceArray<int> out(320);
  const DeviceArray<unsigned> next(1);
  const DeviceArray<int> sums(10);
  const DeviceArray<int> ready(10);
  scan_by_look_back<<<10, 32>>>(in, out, next, sums, ready);
  std::vector<int> expected;
  for (int i = 0; i < 320; ++i) expected.push_back(2 * (i + 1));
  return equal(out.values(), expected);
}

// A value goes from the block that comes second in the grid to the one that comes first.
__global__ void pass_backwards(int* value, int* flag, int* out) {
  if (blockIdx.x == 1) {
    *value = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    *out = *value;
  }
}

CORRECT(flag_with_fences) {
  const DeviceArray<int> value(1);
  const DeviceArray<int> flag(1);
  const DeviceArray<int> out(1);
  pass_backwards<<<2, 1>>>(value, flag, out);
  return equal(out.values(), {42});
}

// All blocks mark the same thing.
__global__ void mark_multiples(const int* in, int n, int* found) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (in[i] % 7 == 0) *found = 1;
  }
}

CORRECT(same_value_by_many_blocks) {
  const DeviceArray<int> in(counted<int>(1000));
  const DeviceArray<int> found(1);
  mark_multiples<<<4, 64>>>(in, 1000, found);
  return equal(found.values(), {1});
}

__global__ void every_kind_of_atomic(int* values, unsigned* bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin(&values[0], -i);
  atomicMax(&values[1], i);
  atomicSub(&values[2], 1);
  atomicAnd(&bits[0], ~(1u << i % 32));
  atomicOr(&bits[1], 1u << i % 32);
  atomicXor(&bits[2], 1u << i % 32);
}

CORRECT(atomics_of_every_kind) {
  const DeviceArray<int> values(3);
  const DeviceArray<unsigned> bits(std::vector<unsigned>{~0u, 0u, 0u});
  every_kind_of_atomic<<<2, 64>>>(values, bits);
  return equal(values.values(), {-127, 127, -128}) && equal(bits.values(), {0u, ~0u, 0u});
}

// Blocks that trade their halves of an array after a barrier of the whole grid.
__global__ void rotate(int* values, int rounds) {
  const groups::grid_group grid = groups::this_grid();
  const int n = gridDim.x * blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    const int next = values[(i + 1) % n];
    grid.sync();
    values[i] = next;
    grid.sync();
  }
}

CORRECT(grid_sync) {
  const DeviceArray<int> values(counted<int>(128));
  int* data = values;
  int rounds = 5;
  void* arguments[] = {&data, &rounds};
  cudaLaunchCooperativeKernel(rotate, dim3(4), dim3(32), arguments, 0, nullptr);
  std::vector<int> expected;
  for (int i = 0; i < 128; ++i) expected.push_back((i + 5) % 128);
  return equal(values.values(), expected);
}
