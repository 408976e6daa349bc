// File: calls_instead_of_launches.h
//
// Enough of CUDA's language for the rewritten hard cases to be compiled: a launch calls the kernel
// once, as a plain function, and notes its configuration.

#ifndef ANDREA_SIMULATOR_REWRITER_TESTDATA_CALLS_INSTEAD_OF_LAUNCHES_H_
#define ANDREA_SIMULATOR_REWRITER_TESTDATA_CALLS_INSTEAD_OF_LAUNCHES_H_

#include <cstddef>

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x_size = 1, unsigned y_size = 1, unsigned z_size = 1)
      : x(x_size), y(y_size), z(z_size) {}
};

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
#define __SIMULATOR_NOINLINE __attribute__((noinline))

#define __SIMULATOR_DYNAMIC __thread
#define __SIMULATOR_DYNAMIC_NAME __asm__("simulator_dynamic_shared")

struct Configuration {
  dim3 grid, block;
  std::size_t shared_bytes;
  void* stream;
};
inline Configuration last_configuration;

inline void configure(dim3 grid, dim3 block, std::size_t shared_bytes = 0, void* stream = nullptr) {
  last_configuration = {grid, block, shared_bytes, stream};
}

#define __SIMULATOR_LAUNCH(kernel, configuration, ...) \
  (configure configuration, kernel(__VA_ARGS__))

#endif  // ANDREA_SIMULATOR_REWRITER_TESTDATA_CALLS_INSTEAD_OF_LAUNCHES_H_
