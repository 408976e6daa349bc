// File: simulator/groups/block_and_grid.h
//
// The block and the grid as groups.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_BLOCK_AND_GRID_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_BLOCK_AND_GRID_H_

#include <simulator/groups/thread_group.h>

namespace cooperative_groups {

// Memory that CUDA asks for where tiles of several warps are wanted; nothing is kept in it here.
template <unsigned __Max_block_size>
struct block_tile_memory {};

class thread_block : public thread_group {
 public:
  struct arrival_token {};

  static void sync(__SIMULATOR_WHERE) { __syncthreads(__file, __line); }
  // As CUDA has it for a block: the whole wait is in barrier_wait.
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&&, __SIMULATOR_WHERE) const { __syncthreads(__file, __line); }

  static unsigned thread_rank() { return __simulator::__linear_thread(); }
  static unsigned num_threads() { return __simulator::__block_threads(); }
  static unsigned size() { return __simulator::__block_threads(); }
  static dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  static dim3 group_dim() { return {blockDim.x, blockDim.y, blockDim.z}; }
  static dim3 dim_threads() { return group_dim(); }

 private:
  friend thread_block this_thread_block();

  thread_block() : thread_group(__simulator::__Group_kind::__block) {}
};

inline thread_block this_thread_block() { return thread_block(); }

template <unsigned __Max_block_size>
inline thread_block this_thread_block(block_tile_memory<__Max_block_size>&) {
  return this_thread_block();
}

class grid_group : public thread_group {
 public:
  struct arrival_token {};

  // Whether the kernel was launched so that all its blocks run at the same time.
  bool is_valid() const { return __simulator::__launched_cooperatively(); }

  void sync(__SIMULATOR_WHERE) const { __simulator::__grid_barrier({__file, __line}); }
  // The whole wait is in barrier_wait, which is what a program may at most rely on.
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&&, __SIMULATOR_WHERE) const {
    __simulator::__grid_barrier({__file, __line});
  }

  static unsigned long long thread_rank() {
    return block_rank() * __simulator::__block_threads() + __simulator::__linear_thread();
  }
  static unsigned long long num_threads() {
    return __simulator::__grid_blocks() * __simulator::__block_threads();
  }
  static unsigned long long size() { return num_threads(); }
  static unsigned long long block_rank() { return __simulator::__linear_block(); }
  static unsigned long long num_blocks() { return __simulator::__grid_blocks(); }
  static dim3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  static dim3 dim_blocks() { return {gridDim.x, gridDim.y, gridDim.z}; }
  static dim3 group_dim() { return dim_blocks(); }
  static dim3 thread_index() {
    return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
            blockIdx.z * blockDim.z + threadIdx.z};
  }
  static dim3 dim_threads() {
    return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z};
  }

 private:
  friend grid_group this_grid();

  grid_group() : thread_group(__simulator::__Group_kind::__grid) {}
};

inline grid_group this_grid() { return grid_group(); }

}  // namespace cooperative_groups

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_GROUPS_BLOCK_AND_GRID_H_
