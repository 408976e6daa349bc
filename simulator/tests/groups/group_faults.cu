// Mistakes with groups, tensor cores, asynchronous copies, barrier objects and atomic objects.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <tensor_core.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "simulator/tests/faults/fault.h"
#include "simulator/tests/faults/zeros.h"

namespace cg = cooperative_groups;
using nvcuda::wmma::accumulator;
using nvcuda::wmma::fragment;
using nvcuda::wmma::matrix_a;
using nvcuda::wmma::row_major;
using simulator_test::Builds;
using simulator_test::Level;
using simulator_test::zeros;

__global__ void tile_sync_missing(int* out) {
  __shared__ int values[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  values[threadIdx.x] = static_cast<int>(threadIdx.x);  // fault: tile_sync_missing
  out[threadIdx.x] = values[threadIdx.x ^ 7];           // fault: tile_sync_missing
  tile.sync();
}

FAULT(tile_sync_missing, {.kind = "race", .variable = "values"}) {
  tile_sync_missing<<<1, 32>>>(zeros<int>(32));
}

// The tile's sync does not reach the neighbouring tile.
__global__ void tile_sync_too_small(int* out) {
  __shared__ int values[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  values[threadIdx.x] = static_cast<int>(threadIdx.x);  // fault: tile_sync_too_small
  tile.sync();
  out[threadIdx.x] = values[threadIdx.x ^ 8];  // fault: tile_sync_too_small
}

FAULT(tile_sync_too_small, {.kind = "race", .variable = "values"}) {
  tile_sync_too_small<<<1, 32>>>(zeros<int>(32));
}

__global__ void grid_sync(int* out) {
  cg::this_grid().sync();  // fault: grid_sync_in_normal_launch
  out[threadIdx.x] = 1;
}

FAULT(grid_sync_in_normal_launch, {.kind = "grid-sync", .builds = Builds::both}) {
  grid_sync<<<2, 32>>>(zeros<int>(32));
}

__global__ void tile_in_branch(int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int value = static_cast<int>(threadIdx.x);
  if (value % 2 == 0) {
    value = tile.shfl(value, 0);  // fault: tile_in_branch
  }
  block.sync();  // fault: tile_in_branch
  out[threadIdx.x] = value;
}

FAULT(tile_in_branch, {.kind = "deadlock", .builds = Builds::both}) {
  tile_in_branch<<<1, 32>>>(zeros<int>(32));
}

__global__ void odd_tile(int* out, unsigned size) {
  cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), size);  // fault: odd_tile
  out[threadIdx.x] = static_cast<int>(tile.thread_rank());
}

FAULT(odd_tile, {.kind = "tile-size", .builds = Builds::both}) {
  odd_tile<<<1, 32>>>(zeros<int>(32), 6);
}

__global__ void half_a_warp(const __half* a, float* out) {
  if (threadIdx.x >= 16) return;
  fragment<matrix_a, 16, 16, 16, __half, row_major> loaded;
  nvcuda::wmma::load_matrix_sync(loaded, a, 16);  // fault: half_a_warp
  out[threadIdx.x] = __half2float(loaded.x[0]);
}

FAULT(half_a_warp, {.kind = "warp-divergence", .builds = Builds::both}) {
  half_a_warp<<<1, 32>>>(zeros<__half>(256), zeros<float>(32));
}

__global__ void short_rows(const __half* a, float* out, int stride) {
  fragment<matrix_a, 16, 16, 16, __half, row_major> loaded;
  nvcuda::wmma::load_matrix_sync(loaded, a, stride);  // fault: odd_stride
  out[threadIdx.x] = __half2float(loaded.x[0]);
}

FAULT(odd_stride, {.kind = "wmma-arguments", .builds = Builds::both}) {
  short_rows<<<1, 32>>>(zeros<__half>(512), zeros<float>(32), 20);
}

__global__ void matrix_of_a_lane(float* sums) {
  fragment<accumulator, 16, 16, 16, float> zero;
  nvcuda::wmma::fill_fragment(zero, 0.0f);
  nvcuda::wmma::store_matrix_sync(&sums[threadIdx.x * 16], zero, 16,  // fault: matrix_of_a_lane
                                  nvcuda::wmma::mem_row_major);
}

FAULT(matrix_of_a_lane, {.kind = "wmma-arguments", .builds = Builds::both}) {
  matrix_of_a_lane<<<1, 32>>>(zeros<float>(1024));
}

// What a warp stores another reads after no barrier.
__global__ void stored_matrix(float* out) {
  __shared__ __align__(32) float sums[256];
  if (threadIdx.x < 32) {
    fragment<accumulator, 16, 16, 16, float> ones;
    nvcuda::wmma::fill_fragment(ones, 1.0f);
    nvcuda::wmma::store_matrix_sync(sums, ones, 16,  // fault: stored_matrix
                                    nvcuda::wmma::mem_row_major);
  } else {
    out[threadIdx.x - 32] = sums[threadIdx.x - 32];  // fault: stored_matrix
  }
}

FAULT(stored_matrix, {.kind = "race", .variable = "sums"}) {
  stored_matrix<<<1, 64>>>(zeros<float>(32));
}

__global__ void ldmatrix_from_global(const __half* rows, unsigned* out) {
  unsigned loaded;
  tensor_core::ldmatrix_x1(loaded, &rows[threadIdx.x % 8 * 8]);  // fault: ldmatrix_from_global
  out[threadIdx.x] = loaded;
}

FAULT(ldmatrix_from_global, {.kind = "ldmatrix-address", .builds = Builds::both}) {
  ldmatrix_from_global<<<1, 32>>>(zeros<__half>(64), zeros<unsigned>(32));
}

__global__ void odd_address(const float* in, float* out) {
  __shared__ __align__(16) float tile[40];
  tensor_core::cp_async<16>(&tile[threadIdx.x + 1], &in[threadIdx.x + 1]);  // fault: odd_address
  tensor_core::cp_async_commit_group();
  tensor_core::cp_async_wait_group<0>();
  out[threadIdx.x] = tile[threadIdx.x];
}

FAULT(odd_address, {.kind = "misaligned", .builds = Builds::both}) {
  odd_address<<<1, 1>>>(zeros<float>(64), zeros<float>(32));
}

__global__ void read_before_wait(const float* in, float* out) {
  __shared__ __align__(16) float tile[128];
  const unsigned first = threadIdx.x * 4;
  tensor_core::cp_async<16>(&tile[first], &in[first]);  // fault: read_before_wait
  tensor_core::cp_async_commit_group();
  out[threadIdx.x] = tile[first];  // fault: read_before_wait
  tensor_core::cp_async_wait_group<0>();
}

FAULT(read_before_wait, {.kind = "async-copy", .variable = "tile"}) {
  read_before_wait<<<1, 32>>>(zeros<float>(128), zeros<float>(32));
}

// The copy belongs to no group, and so is not waited for.
__global__ void commit_missing(const float* in, float* out) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);  // fault: commit_missing
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // fault: commit_missing
}

FAULT(commit_missing, {.kind = "async-copy", .variable = "tile"}) {
  commit_missing<<<1, 64>>>(zeros<float>(64), zeros<float>(64));
}

// Two groups are on their way, and the wait leaves both there.
__global__ void one_stage_too_many(const float* in, float* out) {
  __shared__ float tile[2][64];
  for (int stage = 0; stage < 2; ++stage) {
    __pipeline_memcpy_async(&tile[stage][threadIdx.x],  // fault: one_stage_too_many
                            &in[stage * 64 + threadIdx.x], 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(2);
  __syncthreads();
  out[threadIdx.x] = tile[0][63 - threadIdx.x];  // fault: one_stage_too_many
}

FAULT(one_stage_too_many, {.kind = "async-copy", .variable = "tile"}) {
  one_stage_too_many<<<1, 64>>>(zeros<float>(128), zeros<float>(64));
}

__global__ void pipeline_without_wait(const float* in, float* out) {
  __shared__ float tile[64];
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x],  // fault: pipeline_without_wait
                     sizeof(float), pipeline);
  pipeline.producer_commit();
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // fault: pipeline_without_wait
}

FAULT(pipeline_without_wait, {.kind = "async-copy", .variable = "tile"}) {
  pipeline_without_wait<<<1, 64>>>(zeros<float>(64), zeros<float>(64));
}

// Each thread has waited for its own copies, not for those of the others.
__global__ void barrier_after_wait_missing(const float* in, float* out) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x],  // fault: barrier_after_wait_missing
                          &in[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  if (threadIdx.x == 0) out[0] = tile[63];  // fault: barrier_after_wait_missing
}

FAULT(barrier_after_wait_missing, {.kind = "race", .variable = "tile"}) {
  barrier_after_wait_missing<<<1, 64>>>(zeros<float>(64), zeros<float>(64));
}

// The next tile is begun while others still read this one.
__global__ void buffer_still_read(const float* in, float* out) {
  __shared__ float tile[64];
  auto block = cg::this_thread_block();
  for (int t = 0; t < 2; ++t) {
    cg::memcpy_async(block, tile, in + t * 64, sizeof tile);  // fault: buffer_still_read
    cg::wait(block);
    out[t * 64 + threadIdx.x] = tile[63 - threadIdx.x];  // fault: buffer_still_read
  }
}

FAULT(buffer_still_read, {.kind = "race", .variable = "tile"}) {
  buffer_still_read<<<1, 64>>>(zeros<float>(128), zeros<float>(128));
}

__global__ void source_changed(float* in, float* out) {
  __shared__ float tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);  // fault: source_changed
  __pipeline_commit();
  in[threadIdx.x] = 1.0f;  // fault: source_changed
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

FAULT(source_changed, {.kind = "async-copy", .variable = "d_values"}) {
  source_changed<<<1, 32>>>(zeros<float>(32), zeros<float>(32));
}

__global__ void destination_changed(const float* in, float* out) {
  __shared__ float tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);  // fault: destination_changed
  __pipeline_commit();
  tile[threadIdx.x] = 1.0f;  // fault: destination_changed
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

FAULT(destination_changed, {.kind = "async-copy", .variable = "tile"}) {
  destination_changed<<<1, 32>>>(zeros<float>(32), zeros<float>(32));
}

__global__ void never_initialised(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  barrier.arrive_and_wait();  // fault: never_initialised
  out[threadIdx.x] = 1;
}

FAULT(never_initialised, {.kind = "barrier-not-initialised", .builds = Builds::both}) {
  never_initialised<<<1, 32>>>(zeros<int>(32));
}

__global__ void used_at_once(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 64);  // fault: used_at_once
  barrier.arrive_and_wait();                 // fault: used_at_once
  out[threadIdx.x] = 1;
}

FAULT(used_at_once, {.kind = "race", .variable = "barrier"}) {
  used_at_once<<<1, 64>>>(zeros<int>(64));
}

__global__ void too_few_arrive(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 64);
  __syncthreads();
  if (threadIdx.x < 32) {
    barrier.arrive_and_wait();  // fault: too_few_arrive
  }
  out[threadIdx.x] = 1;
}

FAULT(too_few_arrive, {.kind = "deadlock", .builds = Builds::both}) {
  too_few_arrive<<<1, 64>>>(zeros<int>(64));
}

__global__ void too_many_arrive(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 64);
  __syncthreads();
  auto token = barrier.arrive(3);  // fault: too_many_arrive
  barrier.wait(static_cast<decltype(token)&&>(token));
  out[threadIdx.x] = 1;
}

FAULT(too_many_arrive, {.kind = "barrier-count", .builds = Builds::both}) {
  too_many_arrive<<<1, 64>>>(zeros<int>(64));
}

// Between the arrival and the wait nothing is ordered.
__global__ void read_between(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int values[64];
  if (threadIdx.x == 0) init(&barrier, 64);
  __syncthreads();
  values[threadIdx.x] = static_cast<int>(threadIdx.x) + 1;  // fault: read_between
  auto token = barrier.arrive();
  out[threadIdx.x] = values[63 - threadIdx.x];  // fault: read_between
  barrier.wait(static_cast<decltype(token)&&>(token));
}

FAULT(read_between, {.kind = "race", .variable = "values"}) {
  read_between<<<1, 64>>>(zeros<int>(64));
}

__global__ void release_missing(const float* in, float* out) {
  __shared__ float tile[64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int t = 0; t < 2; ++t) {
    pipeline.producer_acquire();  // fault: release_missing
    cuda::memcpy_async(block, tile, in + t * 64, sizeof tile, pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    out[t * 64 + threadIdx.x] = tile[63 - threadIdx.x];
  }
}

FAULT(release_missing, {.kind = "deadlock", .builds = Builds::both}) {
  release_missing<<<1, 64>>>(zeros<float>(128), zeros<float>(128));
}

// A relaxed flag says nothing of what was written before it.
__global__ void relaxed_flag(int* flag, int* d_data) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    d_data[0] = 42;  // fault: relaxed_flag
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_relaxed) == 0) {
    }
    d_data[1] = d_data[0];  // fault: relaxed_flag
  }
}

FAULT(relaxed_flag, {.kind = "race", .variable = "d_values"}) {
  relaxed_flag<<<2, 32>>>(zeros<int>(1), zeros<int>(2));
}
