#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <stdexcept>

#include "simulator/tests/groups/groups.h"

namespace cg = cooperative_groups;

namespace simulator_test {
namespace {

using Kernel = void (*)(const int*, int*);

Numbers run(Kernel kernel, const Numbers& in, int threads, bool cooperative = false) {
  const std::size_t bytes = in.size() * sizeof(int);
  int* d_in;
  int* d_out;
  cudaMalloc(&d_in, bytes);
  cudaMalloc(&d_out, bytes);
  cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, bytes);
  const int blocks = static_cast<int>(in.size()) / threads;
  if (cooperative) {
    void* arguments[] = {&d_in, &d_out};
    cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), blocks, threads, arguments, 0,
                                nullptr);
  } else {
    kernel<<<blocks, threads>>>(d_in, d_out);
  }
  Numbers out(in.size());
  const cudaError_t error = cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
  return out;
}

__device__ int here() { return static_cast<int>(cg::this_grid().thread_rank()); }

__global__ void shuffle_down_kernel(const int* in, int* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int sum = in[here()];
  for (unsigned distance = tile.size() / 2; distance > 0; distance /= 2) {
    sum += tile.shfl_down(sum, distance);
  }
  out[here()] = tile.shfl(sum, 0);
}

// Takes a tile of whatever parent.
__device__ int sum_of(cg::thread_block_tile<8> tile, int value) {
  for (unsigned mask = 1; mask < tile.num_threads(); mask *= 2) value += tile.shfl_xor(value, mask);
  return value;
}

__global__ void shuffle_xor_kernel(const int* in, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  out[here()] = sum_of(cg::tiled_partition<8>(warp), in[here()]);
}

__global__ void neighbours_kernel(const int* in, int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int value = in[here()];
  out[here()] =
      tile.shfl(value, 15) + 100 * tile.shfl_down(value, 1) + 10000 * tile.shfl_up(value, 1);
}

__global__ void tile_numbers_kernel(const int*, int* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  out[here()] = static_cast<int>(tile.meta_group_rank() * 100 + tile.meta_group_size());
}

__global__ void inner_tile_numbers_kernel(const int*, int* out) {
  auto tile = cg::tiled_partition<4>(cg::tiled_partition<16>(cg::this_thread_block()));
  out[here()] = static_cast<int>(tile.meta_group_rank() * 100 + tile.meta_group_size());
}

__global__ void odd_ranks_kernel(const int* in, int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int odd = in[here()] % 2;
  const unsigned ranks = tile.ballot(odd);
  const bool agree = tile.any(odd) == (ranks != 0) && tile.all(odd) == (ranks == 0xffff);
  out[here()] = agree ? static_cast<int>(ranks) : -1;
}

__global__ void equal_ranks_kernel(const int* in, int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned equal = tile.match_any(in[here()]);
  int all_equal = 0;
  const unsigned all = tile.match_all(in[here()], all_equal);
  const bool agree = (all_equal != 0) == (equal == 0xffff) && all == (all_equal != 0 ? 0xffff : 0);
  out[here()] = agree ? static_cast<int>(equal) : -1;
}

__global__ void dynamic_tiles_kernel(const int*, int* out) {
  cg::thread_group half_warp = cg::tiled_partition(cg::this_thread_block(), 16);
  cg::thread_group tile = cg::tiled_partition(half_warp, 8);
  tile.sync();
  out[here()] = static_cast<int>(tile.thread_rank() + 10 * tile.size());
}

__global__ void coalesced_sums_kernel(const int* in, int* out) {
  const int value = in[here()];
  out[here()] = -1;
  if (value % 2 == 1) {
    cg::coalesced_group odd = cg::coalesced_threads();
    out[here()] = cg::reduce(odd, value, cg::plus<int>());
  }
}

__global__ void labeled_scans_kernel(const int* in, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto same = cg::labeled_partition(warp, in[here()] % 3);
  out[here()] = cg::inclusive_scan(same, in[here()]);
}

__global__ void binary_parts_kernel(const int* in, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto part = cg::binary_partition(warp, in[here()] < 5);
  out[here()] = static_cast<int>(part.size() + 100 * part.meta_group_rank());
}

__global__ void extremes_kernel(const int* in, int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int value = in[here()];
  out[here()] = cg::reduce(warp, value, cg::less<int>()) +
                100 * cg::reduce(warp, value, cg::greater<int>()) +
                10000 * cg::reduce(warp, value, cg::bit_xor<int>());
}

__global__ void exclusive_products_kernel(const int* in, int* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  out[here()] = cg::exclusive_scan(tile, in[here()] % 3 + 1, [](int a, int b) { return a * b; });
}

struct Large {
  int numbers[5];
};

__global__ void large_values_kernel(const int* in, int* out) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  Large mine;
  for (int i = 0; i < 5; ++i) mine.numbers[i] = in[here()] * (i + 1);
  const Large other = tile.shfl_xor(mine, 3u);
  int sum = 0;
  for (int number : other.numbers) sum += number;
  out[here()] = sum;
}

__global__ void invoked_once_kernel(const int* in, int* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  __shared__ int totals[32];
  int* const total = &totals[tile.meta_group_rank()];
  cg::invoke_one(tile, [&] { *total = 1000; });
  tile.sync();
  const int added = in[here()];
  out[here()] = cg::invoke_one_broadcast(tile, [&] { return atomicAdd(total, added) + added; });
}

__global__ void reversed_in_tiles_kernel(const int* in, int* out) {
  __shared__ int values[256];
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  const int first = static_cast<int>(threadIdx.x - tile.thread_rank());
  for (int round = 0; round < 3; ++round) {
    values[threadIdx.x] = round == 0 ? in[here()] : out[here()];
    tile.sync();
    out[here()] = values[first + 3 - tile.thread_rank()];
    cg::sync(tile);
  }
}

__global__ void reversed_in_grid_kernel(const int* in, int* out) {
  cg::grid_group grid = cg::this_grid();
  const auto n = static_cast<int>(grid.size());
  for (int round = 0; round < 3; ++round) {
    const int value = round == 0 ? in[n - 1 - here()] : out[n - 1 - here()];
    grid.sync();
    out[here()] = value;
    grid.sync();
  }
}

}  // namespace

Numbers sums_by_shuffle_down(const Numbers& in, int threads) {
  return run(shuffle_down_kernel, in, threads);
}
Numbers sums_by_shuffle_xor(const Numbers& in, int threads) {
  return run(shuffle_xor_kernel, in, threads);
}
Numbers neighbours(const Numbers& in, int threads) { return run(neighbours_kernel, in, threads); }
Numbers tile_numbers(const Numbers& in, int threads) {
  return run(tile_numbers_kernel, in, threads);
}
Numbers inner_tile_numbers(const Numbers& in, int threads) {
  return run(inner_tile_numbers_kernel, in, threads);
}
Numbers odd_ranks(const Numbers& in, int threads) { return run(odd_ranks_kernel, in, threads); }
Numbers equal_ranks(const Numbers& in, int threads) { return run(equal_ranks_kernel, in, threads); }
Numbers dynamic_tiles(const Numbers& in, int threads) {
  return run(dynamic_tiles_kernel, in, threads);
}
Numbers coalesced_sums(const Numbers& in, int threads) {
  return run(coalesced_sums_kernel, in, threads);
}
Numbers labeled_scans(const Numbers& in, int threads) {
  return run(labeled_scans_kernel, in, threads);
}
Numbers binary_parts(const Numbers& in, int threads) {
  return run(binary_parts_kernel, in, threads);
}
Numbers extremes(const Numbers& in, int threads) { return run(extremes_kernel, in, threads); }
Numbers exclusive_products(const Numbers& in, int threads) {
  return run(exclusive_products_kernel, in, threads);
}
Numbers large_values(const Numbers& in, int threads) {
  return run(large_values_kernel, in, threads);
}
Numbers invoked_once(const Numbers& in, int threads) {
  return run(invoked_once_kernel, in, threads);
}
Numbers reversed_in_tiles(const Numbers& in, int threads) {
  return run(reversed_in_tiles_kernel, in, threads);
}
Numbers reversed_in_grid(const Numbers& in, int threads) {
  return run(reversed_in_grid_kernel, in, threads, true);
}

}  // namespace simulator_test
