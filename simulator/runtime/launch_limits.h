// File: launch_limits.h
//
// What a launch must keep to, by the limits of the GPU of device.h.

#ifndef ANDREA_SIMULATOR_RUNTIME_LAUNCH_LIMITS_H_
#define ANDREA_SIMULATOR_RUNTIME_LAUNCH_LIMITS_H_

#include <driver_types.h>

#include <cstddef>

#include "simulator/runtime/grid.h"

namespace simulator {

// How much dynamic shared memory the kernel may have: what cudaFuncSetAttribute asked for, else
// what is left of 48 KB. For a kernel that only a call can tell (nullptr): the most that any kernel
// may have.
std::size_t dynamic_shared_limit(const void* kernel);
void set_dynamic_shared_limit(const void* kernel, std::size_t bytes);

// cudaSuccess, or the error that CUDA gives after a report was published that says which number is
// over which limit.
cudaError_t check_launch(const KernelLaunch& launch);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_RUNTIME_LAUNCH_LIMITS_H_
