// File: context.h
//
// What a cuBLAS handle stands for.

#ifndef ANDREA_SIMULATOR_BLAS_CONTEXT_H_
#define ANDREA_SIMULATOR_BLAS_CONTEXT_H_

#include <cublas_v2.h>

struct cublasContext {
  cudaStream_t stream = nullptr;                                // null: the default stream
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;  // where alpha and beta lie
  cublasAtomicsMode_t atomics_mode =
      CUBLAS_ATOMICS_NOT_ALLOWED;  // kept, and of no effect: no result depends on an order
  cublasMath_t math_mode =
      CUBLAS_DEFAULT_MATH;        // kept; every product is made in the types that it is asked for
  int multiprocessor_target = 0;  // kept, and of no effect
};

#endif  // ANDREA_SIMULATOR_BLAS_CONTEXT_H_
