#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/utility>
#include <stdexcept>

#include "simulator/tests/groups/copies.h"

namespace cg = cooperative_groups;

#ifdef __NVCC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace simulator_test {
namespace {

using Kernel = void (*)(const float*, float*, int);

__device__ void use(const float* tile, float* out) {
  out[threadIdx.x] = 2 * tile[kTile - 1 - threadIdx.x];
}

__global__ void group_kernel(const float* in, float* out, int tiles) {
  __shared__ float tile[kTile];
  auto block = cg::this_thread_block();
  for (int t = 0; t < tiles; ++t) {
    cg::memcpy_async(block, tile, in + t * kTile, sizeof(float) * kTile);
    cg::wait(block);
    use(tile, out + t * kTile);
    block.sync();
  }
}

__global__ void group_of_two_kernel(const float* in, float* out, int tiles) {
  __shared__ float tile[2][kTile];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], int{kTile}, in, int{kTile});
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(block, tile[(t + 1) % 2], int{kTile}, in + (t + 1) * kTile, int{kTile});
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    use(tile[t % 2], out + t * kTile);
    block.sync();
  }
}

__global__ void primitives_kernel(const float* in, float* out, int tiles) {
  __shared__ float tile[2][kTile];
  const unsigned i = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][i], &in[i], sizeof(float));
  __pipeline_commit();
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      __pipeline_memcpy_async(&tile[(t + 1) % 2][i], &in[(t + 1) * kTile + i], sizeof(float));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    use(tile[t % 2], out + t * kTile);
    __syncthreads();
  }
}

__global__ void barrier_kernel(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float tile[kTile];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  for (int t = 0; t < tiles; ++t) {
    cuda::memcpy_async(block, tile, in + t * kTile, cuda::aligned_size_t<16>(sizeof(float) * kTile),
                       barrier);
    barrier.arrive_and_wait();
    use(tile, out + t * kTile);
    auto token = barrier.arrive();
    barrier.wait(cuda::std::move(token));
  }
}

__global__ void own_pipeline_kernel(const float* in, float* out, int tiles) {
  __shared__ float tile[2][kTile];
  auto pipeline = cuda::make_pipeline();
  int begun = 0;
  for (int t = 0; t < tiles; ++t) {
    for (; begun < tiles && begun < t + 2; ++begun) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&tile[begun % 2][threadIdx.x], &in[begun * kTile + threadIdx.x],
                         sizeof(float), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    __syncthreads();
    use(tile[t % 2], out + t * kTile);
    __syncthreads();
    pipeline.consumer_release();
  }
}

__global__ void unified_kernel(const float* in, float* out, int tiles) {
  __shared__ float tile[2][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int begun = 0;
  for (int t = 0; t < tiles; ++t) {
    for (; begun < tiles && begun < t + 2; ++begun) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tile[begun % 2], in + begun * kTile, sizeof(float) * kTile,
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    use(tile[t % 2], out + t * kTile);
    pipeline.consumer_release();
  }
}

template <typename Pipeline>
__device__ void produce_or_consume(Pipeline& pipeline, bool produces, float (*tile)[kTile],
                                   const float* in, float* out, int tiles) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int t = 0; t < tiles; ++t) {
    if (produces) {
      pipeline.producer_acquire();
      cuda::memcpy_async(warp, tile[t % 3], in + t * kTile, sizeof(float) * kTile, pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      use(tile[t % 3], out + t * kTile);
      pipeline.consumer_release();
    }
  }
}

// The last warp produces.
__global__ void partitioned_kernel(const float* in, float* out, int tiles) {
  __shared__ float tile[3][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  const bool produces = threadIdx.x >= kTile;
  auto pipeline =
      cuda::make_pipeline(cg::this_thread_block(), &state,
                          produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  produce_or_consume(pipeline, produces, tile, in, out, tiles);
}

__global__ void counted_kernel(const float* in, float* out, int tiles) {
  __shared__ float tile[3][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state, std::size_t{32});
  produce_or_consume(pipeline, threadIdx.x >= kTile, tile, in, out, tiles);
}

__global__ void zero_fill_kernel(const float* in, float* out, int) {
  __shared__ __align__(16) float tile[kTile];
  __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[threadIdx.x * 4], 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = tile[threadIdx.x * 4 + i];
}

__global__ void odd_sizes_kernel(const float* in, float* out, int) {
  __shared__ float tile[kTile];
  auto block = cg::this_thread_block();
  for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x) tile[i] = 0;
  block.sync();
  cg::memcpy_async(block, tile + 1, in, 12);
  cg::memcpy_async(block, tile + 7, in + 10, 100);
  cg::wait(block);
  for (unsigned i = threadIdx.x; i < kTile; i += blockDim.x) out[i] = tile[i];
}

// Warp w takes part in w + 1 rounds.
__global__ void dropping_kernel(const float*, float* out, int) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int came[4];
  if (threadIdx.x < 4) came[threadIdx.x] = 0;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  const int last = static_cast<int>(threadIdx.x / 32);
  for (int round = 0; round < last; ++round) {
    atomicAdd(&came[round], 1);
    barrier.arrive_and_wait();
    if (threadIdx.x == blockDim.x - 1) out[round] = static_cast<float>(came[round]);
  }
  atomicAdd(&came[last], 1);
  barrier.arrive_and_drop();
}

__global__ void parity_kernel(const float*, float* out, int rounds) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int value[8];
  if (threadIdx.x == 0) init(&barrier, 32);
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x < 32) {
      if (threadIdx.x == 0) value[round] = round * round;
      __syncwarp();
      (void)barrier.arrive();
      barrier.wait_parity(round % 2 == 1);
    } else {
      barrier.wait_parity(round % 2 == 1);
      if (threadIdx.x == 40) out[round] = static_cast<float>(value[round]);
    }
    __syncthreads();
  }
}

float* on_device(const Floats& values) {
  float* pointer;
  cudaMalloc(&pointer, values.size() * sizeof(float));
  cudaMemcpy(pointer, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  return pointer;
}

void must(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

Floats run(Kernel kernel, const Floats& in, int threads, int rounds) {
  float* const d_in = on_device(in);
  float* const d_out = on_device(Floats(in.size(), -1.0f));
  kernel<<<1, threads>>>(d_in, d_out, rounds);
  Floats out(in.size());
  must(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  cudaFree(d_in);
  cudaFree(d_out);
  return out;
}

Floats run_tiles(Kernel kernel, const Floats& in, int threads = kTile) {
  return run(kernel, in, threads, static_cast<int>(in.size()) / kTile);
}

__device__ cuda::atomic<unsigned, cuda::thread_scope_device> blocks_done{0};

__global__ void last_block_kernel(const float* in, float* partial, float* result) {
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int i = 0; i < kTile; ++i) sum += in[blockIdx.x * kTile + i];
  partial[blockIdx.x] = sum;
  if (blocks_done.fetch_add(1, cuda::memory_order_acq_rel) != gridDim.x - 1) return;
  float total = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) total += partial[block];
  *result = total;
  blocks_done.store(0, cuda::memory_order_relaxed);
}

__global__ void ring_kernel(int* value, int* flags) {
  const int block = static_cast<int>(blockIdx.x);
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[block]);
  cuda::atomic_ref<int, cuda::thread_scope_device> next(flags[(block + 1) % gridDim.x]);
  if (threadIdx.x == 0) {
    if (block > 0) {
      while (mine.load(cuda::std::memory_order_acquire) == 0) {
      }
    }
    *value += block + 1;
    next.store(1, cuda::std::memory_order_release);
    if (block == 0) mine.wait(0, cuda::memory_order_acquire);
  }
}

__global__ void lock_kernel(int* counter, int* lock) {
  cuda::atomic_ref<int, cuda::thread_scope_device> held(*lock);
  int free = 0;
  while (!held.compare_exchange_weak(free, 1, cuda::memory_order_acquire,
                                     cuda::memory_order_relaxed)) {
    free = 0;
  }
  ++*counter;
  held.store(0, cuda::memory_order_release);
}

__global__ void operations_kernel(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> shared;
  shared.store(5);
  out[0] = shared.fetch_add(3);
  out[1] = shared.exchange(20);
  out[2] = shared.fetch_sub(6, cuda::memory_order_relaxed);
  out[3] = shared.fetch_and(12);
  out[4] = shared.fetch_or(3);
  out[5] = shared.fetch_xor(5);
  out[6] = shared.fetch_max(100);
  out[7] = shared.fetch_min(7);
  out[8] = ++shared;
  out[9] = shared--;
  int expected = 1;
  out[10] = shared.compare_exchange_strong(expected, 9);
  out[11] = expected;
  out[12] = shared.compare_exchange_strong(expected, 9);
  out[13] = shared;
  cuda::std::atomic<float>* const real = reinterpret_cast<cuda::std::atomic<float>*>(&out[15]);
  real->store(1.5f);
  real->fetch_add(2.0f);
  out[14] = static_cast<int>(2 * real->load());
}

}  // namespace

Floats by_group(const Floats& in) { return run_tiles(group_kernel, in); }
Floats by_group_of_two(const Floats& in) { return run_tiles(group_of_two_kernel, in); }
Floats by_primitives(const Floats& in) { return run_tiles(primitives_kernel, in); }
Floats by_barrier(const Floats& in) { return run_tiles(barrier_kernel, in); }
Floats by_own_pipeline(const Floats& in) { return run_tiles(own_pipeline_kernel, in); }
Floats by_unified_pipeline(const Floats& in) { return run_tiles(unified_kernel, in); }
Floats by_partitioned_pipeline(const Floats& in) {
  return run_tiles(partitioned_kernel, in, kTile + 32);
}
Floats by_counted_pipeline(const Floats& in) { return run_tiles(counted_kernel, in, kTile + 32); }

Floats zero_filled(const Floats& in) { return run(zero_fill_kernel, in, 32, 1); }
Floats of_odd_sizes(const Floats& in) { return run(odd_sizes_kernel, in, 32, 1); }
Floats dropping_out() { return run(dropping_kernel, Floats(4), 128, 4); }
Floats by_parity() { return run(parity_kernel, Floats(8), 64, 8); }

float sum_by_last_block(const Floats& in) {
  const int blocks = static_cast<int>(in.size()) / kTile;
  float* const d_in = on_device(in);
  float* const partial = on_device(Floats(static_cast<std::size_t>(blocks)));
  float* const result = on_device(Floats(1));
  last_block_kernel<<<blocks, 64>>>(d_in, partial, result);
  float sum = 0;
  must(cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost));
  return sum;
}

int round_the_ring(int blocks) {
  int* value;
  int* flags;
  cudaMalloc(&value, sizeof(int));
  cudaMalloc(&flags, blocks * sizeof(int));
  cudaMemset(value, 0, sizeof(int));
  cudaMemset(flags, 0, blocks * sizeof(int));
  ring_kernel<<<blocks, 32>>>(value, flags);
  int result = 0;
  must(cudaMemcpy(&result, value, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

int counted_under_lock(int blocks, int threads) {
  int* counter;
  cudaMalloc(&counter, 2 * sizeof(int));
  cudaMemset(counter, 0, 2 * sizeof(int));
  lock_kernel<<<blocks, threads>>>(counter, counter + 1);
  int result = 0;
  must(cudaMemcpy(&result, counter, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

std::vector<int> operations() {
  std::vector<int> results(16);
  int* out;
  cudaMalloc(&out, results.size() * sizeof(int));
  operations_kernel<<<1, 1>>>(out);
  must(cudaMemcpy(results.data(), out, results.size() * sizeof(int), cudaMemcpyDeviceToHost));
  results.resize(15);
  return results;
}

}  // namespace simulator_test
