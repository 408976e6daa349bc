#include "simulator/runtime/thread_variables.h"

namespace simulator::variables {

extern "C" {
__thread uint3 simulator_thread_index;
__thread uint3 simulator_block_index;
__thread dim3 simulator_block_size;
__thread dim3 simulator_grid_size;
alignas(1024) __thread char simulator_dynamic_shared[kDynamicSharedBytes];
}

}  // namespace simulator::variables
