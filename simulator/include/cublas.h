// File: cublas.h
//
// The interface that cuBLAS had before 2011, without handles. Refused: cublas_v2.h is the one.

#ifndef ANDREA_SIMULATOR_INCLUDE_CUBLAS_H_
#define ANDREA_SIMULATOR_INCLUDE_CUBLAS_H_

#error \
    "The old interface of cuBLAS (cublas.h, without handles) is not supported: include <cublas_v2.h>, make a handle with cublasCreate, and pass it to each call."

#endif  // ANDREA_SIMULATOR_INCLUDE_CUBLAS_H_
