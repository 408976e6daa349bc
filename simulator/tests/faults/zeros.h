// File: zeros.h
//
// Device memory for a planted fault. Nobody frees it: each fault has a process of its own.

#ifndef ANDREA_SIMULATOR_TESTS_FAULTS_ZEROS_H_
#define ANDREA_SIMULATOR_TESTS_FAULTS_ZEROS_H_

#include <cuda_runtime.h>

namespace simulator_test {

// Room for `n` values, all zero.
template <typename T>
T* zeros(int n) {
  T* d_values;
  cudaMalloc(&d_values, n * sizeof(T));
  cudaMemset(d_values, 0, n * sizeof(T));
  return d_values;
}

}  // namespace simulator_test

#endif  // ANDREA_SIMULATOR_TESTS_FAULTS_ZEROS_H_
