// File: cuda_runtime.h
//
// The few calls of the CUDA runtime that host code of this repository makes, on the CPU: device
// memory is host memory, and every stream has finished what it was given when the call returns.
// The names, arguments and errors are CUDA's, so that the same source compiles against the toolkit.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUDA_RUNTIME_H_
#define ANDREA_SIMULATOR_INCLUDE_CUDA_RUNTIME_H_

#include <cstddef>

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
};

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};

typedef struct CUstream_st* cudaStream_t;

const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

// 256-byte aligned; large blocks are 2 MB aligned and ask the kernel for huge pages, which spares
// a training step most of its TLB misses.
cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t cudaFree(void* pointer);

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes,
                            cudaStream_t stream = nullptr);

cudaError_t cudaStreamSynchronize(cudaStream_t stream);

#endif  // ANDREA_SIMULATOR_INCLUDE_CUDA_RUNTIME_H_
