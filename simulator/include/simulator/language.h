// File: simulator/language.h
//
// CUDA's qualifiers as macros, and the two macros that the rewriter puts in place of what C++
// cannot parse: a launch (see launch.h) and the array of dynamic shared memory.

#ifndef ANDREA_SIMULATOR_INCLUDE_SIMULATOR_LANGUAGE_H_
#define ANDREA_SIMULATOR_INCLUDE_SIMULATOR_LANGUAGE_H_

#define __global__
#define __device__
#define __host__
#define __constant__
// A section of their own tells them from variables of the host.
#define __managed__ __attribute__((section("simulator_managed")))
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
// The check build inlines little, and GCC cannot always do it there when it must.
#ifdef __SANITIZE_THREAD__
#define __forceinline__ inline
#else
#define __forceinline__ inline __attribute__((always_inline))
#endif

#ifdef __CUDACC__

// The rewriter puts this for __noinline__, which cannot be a macro: libstdc++ writes the same word
// inside an attribute.
#define __SIMULATOR_NOINLINE __attribute__((noinline))

// One copy for each OS thread: a block runs on one OS thread from its first thread to its last.
// Not thread_local, which would allow a dynamic initialiser and call a wrapper at each access.
#define __shared__ static __thread

// Every array of dynamic shared memory is the same memory, whatever its name and type.
#define __SIMULATOR_DYNAMIC __thread
#define __SIMULATOR_DYNAMIC_NAME __asm__("simulator_dynamic_shared")

#endif  // __CUDACC__

#endif  // ANDREA_SIMULATOR_INCLUDE_SIMULATOR_LANGUAGE_H_
