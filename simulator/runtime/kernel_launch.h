// File: kernel_launch.h
//
// Launches of kernels whose arguments come by their addresses and whose types are known by the
// kernel's symbol alone: for cudaLaunchKernel((void*)kernel, ...) and the nodes of graphs.

#ifndef ANDREA_SIMULATOR_RUNTIME_KERNEL_LAUNCH_H_
#define ANDREA_SIMULATOR_RUNTIME_KERNEL_LAUNCH_H_

#include <driver_types.h>
#include <simulator/synchronization.h>

#include "simulator/runtime/work.h"

namespace simulator {

// Fills `work` with a launch that has copies of the arguments; checks its sizes.
cudaError_t read_launch(const cudaKernelNodeParams& parameters, const char* function,
                        __simulator::__Where where, KernelWork* work);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_KERNEL_LAUNCH_H_
