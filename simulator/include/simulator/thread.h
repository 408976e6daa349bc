// File: simulator/thread.h
//
// What a kernel knows of itself. Plain variables, one set for each OS thread, which the runtime
// sets whenever another GPU thread begins or goes on.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_THREAD_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_THREAD_H_

#include <simulator/language.h>
#include <vector_types.h>

extern const __thread uint3 threadIdx __asm__("simulator_thread_index");
extern const __thread uint3 blockIdx __asm__("simulator_block_index");
extern const __thread dim3 blockDim __asm__("simulator_block_size");
extern const __thread dim3 gridDim __asm__("simulator_grid_size");
constexpr int warpSize = 32;

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_THREAD_H_
