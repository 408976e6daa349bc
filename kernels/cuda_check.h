// File: cuda_check.h
//
// The one error macro round calls of the CUDA runtime:
//
//   CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, launch.stream));
//
// prints, when the call fails, the expression, file and line, CUDA's name of the error and its
// text, and ends the program: after most CUDA errors no later call can succeed.

#ifndef ANDREA_KERNELS_CUDA_CHECK_H_
#define ANDREA_KERNELS_CUDA_CHECK_H_

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace andrea {

inline void cuda_check(cudaError_t error, const char* expression, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s\n  failed with %s: %s\n", file, line, expression,
               cudaGetErrorName(error), cudaGetErrorString(error));
  std::abort();
}

}  // namespace andrea

// Ends the program, with what failed and where, unless the call returns cudaSuccess.
#define CUDA_CHECK(expression) ::andrea::cuda_check((expression), #expression, __FILE__, __LINE__)

#endif  // ANDREA_KERNELS_CUDA_CHECK_H_
