// File: thread_variables.h
//
// threadIdx and its like, which are constants to a kernel and variables to the runtime.

#ifndef ANDREA_SIMULATOR_RUNTIME_THREAD_VARIABLES_H_
#define ANDREA_SIMULATOR_RUNTIME_THREAD_VARIABLES_H_

#include <vector_types.h>

#include <cstddef>

namespace simulator::variables {

// Room for the dynamic shared memory of a block, the most that any supported GPU gives.
inline constexpr std::size_t kDynamicSharedBytes = 227 * 1024;

extern "C" {
extern __thread uint3 simulator_thread_index;
extern __thread uint3 simulator_block_index;
extern __thread dim3 simulator_block_size;
extern __thread dim3 simulator_grid_size;
extern __thread char simulator_dynamic_shared[kDynamicSharedBytes];
}

inline void set_thread(uint3 index) { simulator_thread_index = index; }
inline uint3 thread() { return simulator_thread_index; }

inline void set_block(uint3 index, dim3 block_size, dim3 grid_size) {
  simulator_block_index = index;
  simulator_block_size = block_size;
  simulator_grid_size = grid_size;
}

}  // namespace simulator::variables

#endif  // ANDREA_SIMULATOR_RUNTIME_THREAD_VARIABLES_H_
