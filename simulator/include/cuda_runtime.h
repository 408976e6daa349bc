// File: cuda_runtime.h
//
// What nvcc gives every .cu file by itself. In a file of the host alone (no __CUDACC__) it is the
// host's calls and the types; device code needs the compiler's flags, see docs/simulator.md.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUDA_RUNTIME_H_
#define ANDREA_SIMULATOR_INCLUDE_CUDA_RUNTIME_H_

// NVIDIA's helper headers ask by these names whether the runtime has been included.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__
#endif

#include <cuda_runtime_api.h>
#include <driver_types.h>
#include <simulator/language.h>
#include <vector_functions.h>
#include <vector_types.h>

#ifdef __CUDACC__

#include <simulator/atomics.h>
#include <simulator/launch.h>
#include <simulator/math.h>
#include <simulator/synchronization.h>
#include <simulator/thread.h>
#include <simulator/warp.h>

// Under nvcc these are there without an #include.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_CUDA_RUNTIME_H_
