// File: cuda_profiler_api.h
//
// Calls by which a program marks the part that an attached profiler should record. The simulator
// counts a whole run, so they succeed and change nothing, as on a GPU with no profiler attached.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUDA_PROFILER_API_H_
#define ANDREA_SIMULATOR_INCLUDE_CUDA_PROFILER_API_H_

#define __CUDA_PROFILER_API_H__

#include "driver_types.h"

inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

#endif  // ANDREA_SIMULATOR_INCLUDE_CUDA_PROFILER_API_H_
