// File: node_work.h
//
// Parameters of a graph's nodes, read into work and checked. Kernels: kernel_launch.h; copies:
// copy.h.

#ifndef ANDREA_SIMULATOR_RUNTIME_NODE_WORK_H_
#define ANDREA_SIMULATOR_RUNTIME_NODE_WORK_H_

#include <driver_types.h>
#include <simulator/synchronization.h>

#include "simulator/runtime/work.h"

namespace simulator {

// The work that a node's parameters describe; refused where they describe none.
cudaError_t read_node(const cudaMemsetParams* parameters, const char* function,
                      __simulator::__Where where, FillWork* fill);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_NODE_WORK_H_
