// File: kernels.h
//
// Two small kernels for the simulator, whose check build turns the checker on for all of a program.

#ifndef ANDREA_TESTS_MIXED_SETS_KERNELS_H_
#define ANDREA_TESTS_MIXED_SETS_KERNELS_H_

#include <cuda_runtime.h>

namespace andrea {

// to[i] = value
void fill(float* to, float value, int count, cudaStream_t stream);

// to[i] = factor * from[i]
void scale(const float* from, float* to, float factor, int count, cudaStream_t stream);

// to[i] = 2 from[i], by residual_forward
void twice(const float* from, float* to, int count, cudaStream_t stream);

}  // namespace andrea

#endif  // ANDREA_TESTS_MIXED_SETS_KERNELS_H_
