// File: context.h
//
// What a cuBLAS handle stands for.

#ifndef ANDREA_SIMULATOR_BLAS_CONTEXT_H_
#define ANDREA_SIMULATOR_BLAS_CONTEXT_H_

#include <cublas_v2.h>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  int multiprocessor_target = 0;
};

#endif  // ANDREA_SIMULATOR_BLAS_CONTEXT_H_
