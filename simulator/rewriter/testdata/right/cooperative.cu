// Cooperative groups.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <typename Tile>
__device__ int tile_sum(const Tile& tile, int value) {
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
  return value;
}

__global__ void kernel(const int* x, int* y, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  int value = 0;
  for (int i = block.thread_rank(); i < n; i += block.size()) value += x[i];
  value = tile_sum(tile, value);
  if (tile.thread_rank() == 0) atomicAdd(y, value);
  block.sync();
  if (block.thread_rank() == 0) y[1] = y[0];
}
