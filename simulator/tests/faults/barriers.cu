// Barriers that not all threads come to.

#include <cooperative_groups.h>

#include "simulator/tests/faults/fault.h"
#include "simulator/tests/faults/zeros.h"

using simulator_test::Builds;
using simulator_test::zeros;

// 260 channels and 256 threads: four threads make a second round, and their barrier there meets the
// others' barrier after the loop.
__global__ void barrier_in_loop(const float* in, float* out, int channels) {
  __shared__ float sums[256];
  sums[threadIdx.x] = 0.0f;
  for (int channel = threadIdx.x; channel < channels; channel += blockDim.x) {
    sums[threadIdx.x] += in[channel];
    __syncthreads();  // fault: different_trip_counts
  }
  __syncthreads();  // fault: different_trip_counts
  if (threadIdx.x == 0) *out = sums[0];
}

FAULT(different_trip_counts, {.kind = "barrier-divergence"}) {
  barrier_in_loop<<<1, 256>>>(zeros<float>(260), zeros<float>(1), 260);
}

__global__ void barrier_in_branch(const float* in, float* out) {
  __shared__ float half[64];
  if (threadIdx.x < 64) {
    half[threadIdx.x] = in[threadIdx.x];
    __syncthreads();  // fault: barrier_in_branch
  }
  out[threadIdx.x] = in[threadIdx.x];
  __syncthreads();  // fault: barrier_in_branch
  if (threadIdx.x < 64) out[threadIdx.x] += half[63 - threadIdx.x];
}

FAULT(barrier_in_branch, {.kind = "barrier-divergence"}) {
  barrier_in_branch<<<1, 128>>>(zeros<float>(128), zeros<float>(128));
}

__global__ void barrier_in_each_branch(float* out) {
  if (threadIdx.x % 2 == 0) {
    out[threadIdx.x] = 1.0f;
    __syncthreads();  // fault: barrier_in_each_branch
  } else {
    out[threadIdx.x] = 2.0f;
    __syncthreads();  // fault: barrier_in_each_branch
  }
}

FAULT(barrier_in_each_branch, {.kind = "barrier-divergence"}) {
  barrier_in_each_branch<<<1, 64>>>(zeros<float>(64));
}

__global__ void barrier_and_vote(int* out) {
  if (threadIdx.x < 32) {
    __syncthreads();  // fault: different_kinds_of_barrier
  } else {
    *out = __syncthreads_or(threadIdx.x == 40);  // fault: different_kinds_of_barrier
  }
}

FAULT(different_kinds_of_barrier, {.kind = "barrier-divergence", .builds = Builds::both}) {
  int* d_out;
  cudaMalloc(&d_out, sizeof(int));
  barrier_and_vote<<<1, 64>>>(d_out);
}

// Half a warp waits for the block, the other half for the warp.
__global__ void barrier_against_warp(float* out) {
  if (threadIdx.x < 16) {
    __syncthreads();  // fault: barrier_against_syncwarp
  } else {
    __syncwarp();  // fault: barrier_against_syncwarp
  }
  out[threadIdx.x] = 1.0f;
}

FAULT(barrier_against_syncwarp, {.kind = "deadlock", .builds = Builds::both}) {
  barrier_against_warp<<<1, 32>>>(zeros<float>(32));
}

// One warp waits at the barrier before it raises the flag for which the other spins.
__global__ void flag_behind_barrier(float* out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    __syncthreads();  // fault: flag_behind_barrier
    if (threadIdx.x == 0) ready = 1;
  } else {
    while (ready == 0) {  // fault: flag_behind_barrier
    }
    __syncthreads();
  }
  out[threadIdx.x] = 1.0f;
}

FAULT(flag_behind_barrier, {.kind = "no-progress",
                            .variable = simulator_test::seen_by_check("ready"),
                            .builds = Builds::both}) {
  flag_behind_barrier<<<1, 64>>>(zeros<float>(64));
}

// The barrier of a grid whose blocks need not all be there.
__global__ void sync_of_grid(float* out) {
  out[blockIdx.x] = 1.0f;
  cooperative_groups::this_grid().sync();  // fault: grid_sync_without_cooperation
  if (blockIdx.x == 0) out[0] += out[gridDim.x - 1];
}

FAULT(grid_sync_without_cooperation, {.kind = "grid-sync", .builds = Builds::both}) {
  sync_of_grid<<<4, 1>>>(zeros<float>(4));
}

// Half the blocks wait for the grid, the others are done with their own barrier only.
__global__ void sync_of_some_blocks(float* out) {
  if (blockIdx.x % 2 == 0 && threadIdx.x < 32) {
    cooperative_groups::this_grid().sync();  // fault: grid_sync_of_some_threads
  }
  __syncthreads();  // fault: grid_sync_of_some_threads
  out[blockIdx.x] = 1.0f;
}

FAULT(grid_sync_of_some_threads, {.kind = "barrier-divergence", .builds = Builds::both}) {
  float* d_out = zeros<float>(4);
  void* arguments[] = {&d_out};
  cudaLaunchCooperativeKernel(sync_of_some_blocks, dim3(4), dim3(64), arguments, 0, nullptr);
}
