// File: simulator/thread.h
//
// What a kernel knows of itself. Plain variables, one set for each OS thread, which the runtime
// sets whenever another GPU thread begins or goes on.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_THREAD_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_THREAD_H_

#include <simulator/language.h>
#include <vector_types.h>

// A kernel that stands in the loop over a row of threads (launch.h) must read the index anew for
// each thread, which GCC does not do with a constant. Where accesses are watched, that of a
// constant is not, and the loop calls the kernel.
#ifdef __SANITIZE_THREAD__
extern const __thread uint3 threadIdx __asm__("simulator_thread_index");
#else
extern __thread uint3 __thread_index __asm__("simulator_thread_index");
#define threadIdx (static_cast<const uint3&>(__thread_index))
#endif
extern const __thread uint3 blockIdx __asm__("simulator_block_index");
extern const __thread dim3 blockDim __asm__("simulator_block_size");
extern const __thread dim3 gridDim __asm__("simulator_grid_size");
constexpr int warpSize = 32;

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_THREAD_H_
