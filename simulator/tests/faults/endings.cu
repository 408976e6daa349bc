// Kernels that end badly, do not end, or cannot begin.

#include <cooperative_groups.h>

#include <cassert>

#include "simulator/tests/faults/fault.h"
#include "simulator/tests/faults/zeros.h"

using simulator_test::Builds;
using simulator_test::seen_by_check;
using simulator_test::zeros;

__global__ void assert_positive(const int* values) {
  assert(values[threadIdx.x] > 0);  // fault: failed_assertion
}

FAULT(failed_assertion, {.kind = "assert", .builds = Builds::both}) {
  assert_positive<<<1, 32>>>(zeros<int>(32));
}

__global__ void trap_on_zero(const int* values) {
  if (values[threadIdx.x] == 0) __trap();  // fault: trap
}

FAULT(trap, {.kind = "trap", .builds = Builds::both}) { trap_on_zero<<<1, 32>>>(zeros<int>(32)); }

__global__ void divide(const int* divisors, int* out) {
  out[threadIdx.x] = 100 / divisors[threadIdx.x];  // fault: division_by_zero
}

FAULT(division_by_zero, {.kind = "division-by-zero", .builds = Builds::both}) {
  divide<<<1, 32>>>(zeros<int>(32), zeros<int>(32));
}

__global__ void wrap(int* out, int size) {
  out[threadIdx.x] = static_cast<int>(threadIdx.x) % size;  // fault: remainder_by_zero
}

FAULT(remainder_by_zero, {.kind = "division-by-zero", .builds = Builds::both}) {
  wrap<<<1, 32>>>(zeros<int>(32), 0);
}

// The step is 0 where it was computed by a division that rounds down.
__global__ void endless_loop(float* out, int n, int step) {
  for (int i = threadIdx.x; i < n; i += step) out[i] += 1.0f;  // fault: endless_loop
}

FAULT(endless_loop, {.kind = "no-progress", .builds = Builds::both}) {
  endless_loop<<<1, 1>>>(zeros<float>(32), 32, 16 / 32);
}

// The thread that should raise the flag has returned.
__global__ void wait_for_flag(volatile int* flag, int n) {
  if (threadIdx.x == 0) {
    if (n == 0) return;
    *flag = 1;
  }
  while (*flag == 0) {  // fault: flag_never_raised
  }
}

FAULT(flag_never_raised,
      {.kind = "no-progress", .variable = seen_by_check("d_values"), .builds = Builds::both}) {
  wait_for_flag<<<1, 32>>>(zeros<int>(1), 0);
}

// The host raises the flag too late: after the kernel.
__global__ void wait_for_host(const volatile int* go, int* out) {
  while (*go == 0) {  // fault: host_never_says_go
  }
  *out = 1;
}

FAULT(host_never_says_go,
      {.kind = "no-progress", .variable = seen_by_check("go"), .builds = Builds::both}) {
  int* go;
  cudaHostAlloc(&go, sizeof(int), cudaHostAllocMapped);
  *go = 0;
  wait_for_host<<<1, 1>>>(go, zeros<int>(1));
}

// The error never becomes small enough: it is not computed anew.
__global__ void iterate(float* values, float error) {
  __shared__ float next[32];
  while (error > 1e-3f) {
    next[threadIdx.x] = 0.5f * values[threadIdx.x];
    __syncthreads();  // fault: barriers_for_ever
    values[threadIdx.x] = next[threadIdx.x];
  }
}

FAULT(barriers_for_ever, {.kind = "no-progress", .builds = Builds::both}) {
  iterate<<<1, 32>>>(zeros<float>(32), 1.0f);
}

__global__ void iterate_by_shuffles(int* values, int least) {
  int sum = values[threadIdx.x];
  while (sum <= least) {
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_xor_sync(~0u, sum, step);  // fault: shuffles_for_ever
  }
  values[threadIdx.x] = sum;
}

FAULT(shuffles_for_ever, {.kind = "no-progress", .builds = Builds::both}) {
  iterate_by_shuffles<<<1, 32>>>(zeros<int>(32), 0);
}

__global__ void iterate_over_grid(float* values, int rounds) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int round = 0; round != rounds; round += 2) {
    values[grid.thread_rank()] += 1.0f;
    grid.sync();  // fault: grid_barriers_for_ever
  }
}

FAULT(grid_barriers_for_ever, {.kind = "no-progress", .builds = Builds::both}) {
  float* d_values = zeros<float>(64);
  int rounds = 5;
  void* arguments[] = {&d_values, &rounds};
  cudaLaunchCooperativeKernel(iterate_over_grid, dim3(2), dim3(32), arguments, 0, nullptr);
}

// Two locks, taken in opposite orders.
__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {  // fault: locks_in_opposite_order
  }
}

__global__ void take_two_locks(int* locks) {
  const int first = blockIdx.x % 2;
  take(&locks[first]);
  atomicAdd(&locks[2], 1);
  while (atomicAdd(&locks[2], 0) < 2) {
  }
  take(&locks[1 - first]);
  atomicExch(&locks[1 - first], 0);
  atomicExch(&locks[first], 0);
}

FAULT(locks_in_opposite_order,
      {.kind = "no-progress", .variable = seen_by_check("d_values"), .builds = Builds::both}) {
  take_two_locks<<<2, 1>>>(zeros<int>(3));
}

// Counts down by twos from an odd number, and never meets 0.
struct Countdown {
  volatile int* steps;
  __device__ int go(int n) { return n ? go(n - 2) + *steps : *steps; }  // fault: endless_recursion
};

__global__ void recurse(int* out, int n) { *out = Countdown{out + 1}.go(n); }

FAULT(endless_recursion, {.kind = "stack-overflow", .builds = Builds::both}) {
  recurse<<<1, 1>>>(zeros<int>(2), 7);
}

// 256 KB for each thread.
__global__ void large_local_array(float* out, int n) {  // fault: large_local_array
  float values[65536];
  for (int i = 0; i < n; ++i) values[i] = out[i % 32];
  for (int i = 0; i < n; ++i) out[i % 32] += values[n - 1 - i];
}

FAULT(large_local_array, {.kind = "stack-overflow", .builds = Builds::both}) {
  large_local_array<<<1, 1>>>(zeros<float>(32), 65536);
}

__global__ void fill(float* out) { out[threadIdx.x] = 1.0f; }
__global__ void fill_shared(float* out) {
  extern __shared__ float values[];
  values[threadIdx.x] = 1.0f;
  out[threadIdx.x] = values[threadIdx.x];
}

FAULT(block_of_2000_threads, {.kind = "launch", .builds = Builds::both}) {
  fill<<<1, 2000>>>(nullptr);  // fault: block_of_2000_threads
}

FAULT(block_too_deep, {.kind = "launch", .builds = Builds::both}) {
  fill<<<1, dim3(1, 1, 128)>>>(nullptr);  // fault: block_too_deep
}

FAULT(shared_memory_of_300_kb, {.kind = "launch", .builds = Builds::both}) {
  fill_shared<<<1, 32, 300 * 1024>>>(nullptr);  // fault: shared_memory_of_300_kb
}

FAULT(shared_memory_not_asked_for, {.kind = "launch", .builds = Builds::both}) {
  fill_shared<<<1, 32, 64 * 1024>>>(nullptr);  // fault: shared_memory_not_asked_for
}

FAULT(grid_of_no_blocks, {.kind = "launch", .builds = Builds::both}) {
  const int n = 3;
  fill<<<n / 4, 32>>>(nullptr);  // fault: grid_of_no_blocks
}

FAULT(negative_grid, {.kind = "launch", .builds = Builds::both}) {
  int n = -64;
  fill<<<n / 32, 32>>>(nullptr);  // fault: negative_grid
}

FAULT(grid_too_high, {.kind = "launch", .builds = Builds::both}) {
  fill<<<dim3(1, 70000), 32>>>(nullptr);  // fault: grid_too_high
}
