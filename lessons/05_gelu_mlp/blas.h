// File: blas.h
//
// What a lesson needs to call cuBLAS: the handle, and a check of what every call returns.
//
//   CUBLAS_CHECK(cublasSgemm(blas_handle(launch), ...));

#ifndef ANDREA_LESSONS_05_GELU_MLP_BLAS_H_
#define ANDREA_LESSONS_05_GELU_MLP_BLAS_H_

#include <cublas_v2.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "kernels/cuda_check.h"
#include "kernels/launch.h"

namespace andrea {

inline void cublas_check(cublasStatus_t status, const char* expression, const char* file,
                         int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s:%d: %s\n  failed with %s\n", file, line, expression,
               cublasGetStatusName(status));
  std::abort();
}

#define CUBLAS_CHECK(expression) \
  ::andrea::cublas_check((expression), #expression, __FILE__, __LINE__)

// A handle that puts its work into the launch's stream: the launch's own, or one that is made for
// the current device at the first call and kept until the program ends. Making one takes
// milliseconds and megabytes of the device, and cannot be recorded in a graph; asking for it again
// costs nothing. For one thread of the host.
inline cublasHandle_t blas_handle(const Launch& launch) {
  cublasHandle_t handle = launch.blas;
  if (handle == nullptr) {
    static std::map<int, cublasHandle_t> of_device;
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    cublasHandle_t& own = of_device[device];
    if (own == nullptr) CUBLAS_CHECK(cublasCreate(&own));
    handle = own;
  }
  CUBLAS_CHECK(cublasSetStream(handle, launch.stream));
  return handle;
}

}  // namespace andrea

#endif  // ANDREA_LESSONS_05_GELU_MLP_BLAS_H_
