// File: cublas_api.h
//
// cuBLAS: the calls, under the names that they have in the library. Programs include cublas_v2.h,
// which gives them the names that programs write.
//
// Matrices lie in columns, as in Fortran: element (i, j) of A is A[i + j * lda]. What C++ stores in
// rows is for these calls the transposed matrix; so for C = A * B in rows one asks for
// C^T = B^T * A^T, passing B first.
//
// A call with a wrong argument does nothing and returns what cuBLAS documents for it; in addition
// the argument, and what it must be, is told on standard error, with the line (the last parameter,
// which CUDA does not have and programs do not give).
//
// Sums are added up in float (in double for double, in 32 bits for integers), in the order of the
// index, whatever compute type allows less. Not declared, so that a program that calls them does
// not compile: complex numbers, packed and banded matrices, factorizations in batches, calls with
// 64-bit sizes (..._64), matrices spread over GPUs (cublasXt).

#ifndef ANDREA_SIMULATOR_INCLUDE_CUBLAS_API_H_
#define ANDREA_SIMULATOR_INCLUDE_CUBLAS_API_H_

#define CUBLAS_API_H_

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <driver_types.h>
#include <library_types.h>

#include <cstddef>
#include <cstdint>

#define CUBLASWINAPI

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 3
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16,
} cublasStatus_t;

typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2,
} cublasFillMode_t;

typedef enum {
  CUBLAS_DIAG_NON_UNIT = 0,
  CUBLAS_DIAG_UNIT = 1,
} cublasDiagType_t;

typedef enum {
  CUBLAS_SIDE_LEFT = 0,
  CUBLAS_SIDE_RIGHT = 1,
} cublasSideMode_t;

typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3,
} cublasOperation_t;

typedef enum {
  CUBLAS_POINTER_MODE_HOST = 0,
  CUBLAS_POINTER_MODE_DEVICE = 1,
} cublasPointerMode_t;

typedef enum {
  CUBLAS_ATOMICS_NOT_ALLOWED = 0,
  CUBLAS_ATOMICS_ALLOWED = 1,
} cublasAtomicsMode_t;

typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5,
  CUBLAS_GEMM_ALGO6 = 6,
  CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO8 = 8,
  CUBLAS_GEMM_ALGO9 = 9,
  CUBLAS_GEMM_ALGO10 = 10,
  CUBLAS_GEMM_ALGO11 = 11,
  CUBLAS_GEMM_ALGO12 = 12,
  CUBLAS_GEMM_ALGO13 = 13,
  CUBLAS_GEMM_ALGO14 = 14,
  CUBLAS_GEMM_ALGO15 = 15,
  CUBLAS_GEMM_ALGO16 = 16,
  CUBLAS_GEMM_ALGO17 = 17,
  CUBLAS_GEMM_ALGO18 = 18,
  CUBLAS_GEMM_ALGO19 = 19,
  CUBLAS_GEMM_ALGO20 = 20,
  CUBLAS_GEMM_ALGO21 = 21,
  CUBLAS_GEMM_ALGO22 = 22,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
  CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
  CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
  CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
  CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
  CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
  CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
  CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
  CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
  CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
  CUBLAS_GEMM_AUTOTUNE = 999,
} cublasGemmAlgo_t;

typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
  CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16,
} cublasMath_t;

typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;

struct cublasContext;
typedef struct cublasContext* cublasHandle_t;

typedef void (*cublasLogCallback)(const char* __message);

// The library and its handles.

cublasStatus_t cublasCreate_v2(cublasHandle_t* __handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t __handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t __handle, int* __version);
cublasStatus_t cublasGetProperty(libraryPropertyType __type, int* __value);
size_t cublasGetCudartVersion();
cublasStatus_t cublasSetStream_v2(cublasHandle_t __handle, cudaStream_t __stream_id);
cublasStatus_t cublasGetStream_v2(cublasHandle_t __handle, cudaStream_t* __stream_id);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t __handle, void* __workspace,
                                     size_t __workspace_size_in_bytes);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t __handle, cublasPointerMode_t __mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t __handle, cublasPointerMode_t* __mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t __handle, cublasAtomicsMode_t __mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t __handle, cublasAtomicsMode_t* __mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t __handle, cublasMath_t __mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t __handle, cublasMath_t* __mode);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t __handle, int __sm_count_target);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t __handle, int* __sm_count_target);
const char* cublasGetStatusName(cublasStatus_t __status);
const char* cublasGetStatusString(cublasStatus_t __status);
cublasStatus_t cublasLoggerConfigure(int __log_is_on, int __log_to_std_out, int __log_to_std_err,
                                     const char* __log_file_name);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback __user_callback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* __user_callback);

// Copies between host and device. Matrices lie in columns on both sides.

cublasStatus_t cublasSetVector(int __n, int __element_bytes, const void* __x, int __incx,
                               void* __device, int __incy, __SIMULATOR_CALLER);
cublasStatus_t cublasGetVector(int __n, int __element_bytes, const void* __x, int __incx, void* __y,
                               int __incy, __SIMULATOR_CALLER);
cublasStatus_t cublasSetMatrix(int __rows, int __columns, int __element_bytes, const void* __A,
                               int __lda, void* __B, int __ldb, __SIMULATOR_CALLER);
cublasStatus_t cublasGetMatrix(int __rows, int __columns, int __element_bytes, const void* __A,
                               int __lda, void* __B, int __ldb, __SIMULATOR_CALLER);
cublasStatus_t cublasSetVectorAsync(int __n, int __element_bytes, const void* __host, int __incx,
                                    void* __device, int __incy, cudaStream_t __stream,
                                    __SIMULATOR_CALLER);
cublasStatus_t cublasGetVectorAsync(int __n, int __element_bytes, const void* __device, int __incx,
                                    void* __host, int __incy, cudaStream_t __stream,
                                    __SIMULATOR_CALLER);
cublasStatus_t cublasSetMatrixAsync(int __rows, int __columns, int __element_bytes, const void* __A,
                                    int __lda, void* __B, int __ldb, cudaStream_t __stream,
                                    __SIMULATOR_CALLER);
cublasStatus_t cublasGetMatrixAsync(int __rows, int __columns, int __element_bytes, const void* __A,
                                    int __lda, void* __B, int __ldb, cudaStream_t __stream,
                                    __SIMULATOR_CALLER);

// Vectors.

cublasStatus_t cublasSaxpy_v2(cublasHandle_t __handle, int __n, const float* __alpha,
                              const float* __x, int __incx, float* __y, int __incy,
                              __SIMULATOR_CALLER);
cublasStatus_t cublasDaxpy_v2(cublasHandle_t __handle, int __n, const double* __alpha,
                              const double* __x, int __incx, double* __y, int __incy,
                              __SIMULATOR_CALLER);
cublasStatus_t cublasSdot_v2(cublasHandle_t __handle, int __n, const float* __x, int __incx,
                             const float* __y, int __incy, float* __result, __SIMULATOR_CALLER);
cublasStatus_t cublasDdot_v2(cublasHandle_t __handle, int __n, const double* __x, int __incx,
                             const double* __y, int __incy, double* __result, __SIMULATOR_CALLER);
cublasStatus_t cublasSnrm2_v2(cublasHandle_t __handle, int __n, const float* __x, int __incx,
                              float* __result, __SIMULATOR_CALLER);
cublasStatus_t cublasDnrm2_v2(cublasHandle_t __handle, int __n, const double* __x, int __incx,
                              double* __result, __SIMULATOR_CALLER);
cublasStatus_t cublasSasum_v2(cublasHandle_t __handle, int __n, const float* __x, int __incx,
                              float* __result, __SIMULATOR_CALLER);
cublasStatus_t cublasDasum_v2(cublasHandle_t __handle, int __n, const double* __x, int __incx,
                              double* __result, __SIMULATOR_CALLER);
cublasStatus_t cublasSscal_v2(cublasHandle_t __handle, int __n, const float* __alpha, float* __x,
                              int __incx, __SIMULATOR_CALLER);
cublasStatus_t cublasDscal_v2(cublasHandle_t __handle, int __n, const double* __alpha, double* __x,
                              int __incx, __SIMULATOR_CALLER);
cublasStatus_t cublasScopy_v2(cublasHandle_t __handle, int __n, const float* __x, int __incx,
                              float* __y, int __incy, __SIMULATOR_CALLER);
cublasStatus_t cublasDcopy_v2(cublasHandle_t __handle, int __n, const double* __x, int __incx,
                              double* __y, int __incy, __SIMULATOR_CALLER);
cublasStatus_t cublasSswap_v2(cublasHandle_t __handle, int __n, float* __x, int __incx, float* __y,
                              int __incy, __SIMULATOR_CALLER);
cublasStatus_t cublasDswap_v2(cublasHandle_t __handle, int __n, double* __x, int __incx,
                              double* __y, int __incy, __SIMULATOR_CALLER);
cublasStatus_t cublasSrot_v2(cublasHandle_t __handle, int __n, float* __x, int __incx, float* __y,
                             int __incy, const float* __c, const float* __s, __SIMULATOR_CALLER);
cublasStatus_t cublasDrot_v2(cublasHandle_t __handle, int __n, double* __x, int __incx, double* __y,
                             int __incy, const double* __c, const double* __s, __SIMULATOR_CALLER);
cublasStatus_t cublasIsamax_v2(cublasHandle_t __handle, int __n, const float* __x, int __incx,
                               int* __result, __SIMULATOR_CALLER);
cublasStatus_t cublasIdamax_v2(cublasHandle_t __handle, int __n, const double* __x, int __incx,
                               int* __result, __SIMULATOR_CALLER);
cublasStatus_t cublasIsamin_v2(cublasHandle_t __handle, int __n, const float* __x, int __incx,
                               int* __result, __SIMULATOR_CALLER);
cublasStatus_t cublasIdamin_v2(cublasHandle_t __handle, int __n, const double* __x, int __incx,
                               int* __result, __SIMULATOR_CALLER);

// A matrix and vectors.

cublasStatus_t cublasSgemv_v2(cublasHandle_t __handle, cublasOperation_t __trans, int __m, int __n,
                              const float* __alpha, const float* __A, int __lda, const float* __x,
                              int __incx, const float* __beta, float* __y, int __incy,
                              __SIMULATOR_CALLER);
cublasStatus_t cublasDgemv_v2(cublasHandle_t __handle, cublasOperation_t __trans, int __m, int __n,
                              const double* __alpha, const double* __A, int __lda,
                              const double* __x, int __incx, const double* __beta, double* __y,
                              int __incy, __SIMULATOR_CALLER);
cublasStatus_t cublasSger_v2(cublasHandle_t __handle, int __m, int __n, const float* __alpha,
                             const float* __x, int __incx, const float* __y, int __incy, float* __A,
                             int __lda, __SIMULATOR_CALLER);
cublasStatus_t cublasDger_v2(cublasHandle_t __handle, int __m, int __n, const double* __alpha,
                             const double* __x, int __incx, const double* __y, int __incy,
                             double* __A, int __lda, __SIMULATOR_CALLER);

// Matrix products.

cublasStatus_t cublasSgemm_v2(cublasHandle_t __handle, cublasOperation_t __transa,
                              cublasOperation_t __transb, int __m, int __n, int __k,
                              const float* __alpha, const float* __A, int __lda, const float* __B,
                              int __ldb, const float* __beta, float* __C, int __ldc,
                              __SIMULATOR_CALLER);
cublasStatus_t cublasDgemm_v2(cublasHandle_t __handle, cublasOperation_t __transa,
                              cublasOperation_t __transb, int __m, int __n, int __k,
                              const double* __alpha, const double* __A, int __lda,
                              const double* __B, int __ldb, const double* __beta, double* __C,
                              int __ldc, __SIMULATOR_CALLER);
cublasStatus_t cublasHgemm(cublasHandle_t __handle, cublasOperation_t __transa,
                           cublasOperation_t __transb, int __m, int __n, int __k,
                           const __half* __alpha, const __half* __A, int __lda, const __half* __B,
                           int __ldb, const __half* __beta, __half* __C, int __ldc,
                           __SIMULATOR_CALLER);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t __handle, cublasOperation_t __transa,
                                         cublasOperation_t __transb, int __m, int __n, int __k,
                                         const float* __alpha, const float* __A, int __lda,
                                         long long __A_stride, const float* __B, int __ldb,
                                         long long __B_stride, const float* __beta, float* __C,
                                         int __ldc, long long __C_stride, int __batch_count,
                                         __SIMULATOR_CALLER);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t __handle, cublasOperation_t __transa,
                                         cublasOperation_t __transb, int __m, int __n, int __k,
                                         const double* __alpha, const double* __A, int __lda,
                                         long long __A_stride, const double* __B, int __ldb,
                                         long long __B_stride, const double* __beta, double* __C,
                                         int __ldc, long long __C_stride, int __batch_count,
                                         __SIMULATOR_CALLER);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t __handle, cublasOperation_t __transa,
                                         cublasOperation_t __transb, int __m, int __n, int __k,
                                         const __half* __alpha, const __half* __A, int __lda,
                                         long long __A_stride, const __half* __B, int __ldb,
                                         long long __B_stride, const __half* __beta, __half* __C,
                                         int __ldc, long long __C_stride, int __batch_count,
                                         __SIMULATOR_CALLER);
cublasStatus_t cublasSgemmBatched(cublasHandle_t __handle, cublasOperation_t __transa,
                                  cublasOperation_t __transb, int __m, int __n, int __k,
                                  const float* __alpha, const float* const __A_array[], int __lda,
                                  const float* const __B_array[], int __ldb, const float* __beta,
                                  float* const __C_array[], int __ldc, int __batch_count,
                                  __SIMULATOR_CALLER);
cublasStatus_t cublasDgemmBatched(cublasHandle_t __handle, cublasOperation_t __transa,
                                  cublasOperation_t __transb, int __m, int __n, int __k,
                                  const double* __alpha, const double* const __A_array[], int __lda,
                                  const double* const __B_array[], int __ldb, const double* __beta,
                                  double* const __C_array[], int __ldc, int __batch_count,
                                  __SIMULATOR_CALLER);
cublasStatus_t cublasHgemmBatched(cublasHandle_t __handle, cublasOperation_t __transa,
                                  cublasOperation_t __transb, int __m, int __n, int __k,
                                  const __half* __alpha, const __half* const __A_array[], int __lda,
                                  const __half* const __B_array[], int __ldb, const __half* __beta,
                                  __half* const __C_array[], int __ldc, int __batch_count,
                                  __SIMULATOR_CALLER);
cublasStatus_t cublasSgemmEx(cublasHandle_t __handle, cublasOperation_t __transa,
                             cublasOperation_t __transb, int __m, int __n, int __k,
                             const float* __alpha, const void* __A, cudaDataType __A_type,
                             int __lda, const void* __B, cudaDataType __B_type, int __ldb,
                             const float* __beta, void* __C, cudaDataType __C_type, int __ldc,
                             __SIMULATOR_CALLER);
cublasStatus_t cublasGemmEx(cublasHandle_t __handle, cublasOperation_t __transa,
                            cublasOperation_t __transb, int __m, int __n, int __k,
                            const void* __alpha, const void* __A, cudaDataType __A_type, int __lda,
                            const void* __B, cudaDataType __B_type, int __ldb, const void* __beta,
                            void* __C, cudaDataType __C_type, int __ldc,
                            cublasComputeType_t __compute_type, cublasGemmAlgo_t __algorithm,
                            __SIMULATOR_CALLER);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa,
                                          cublasOperation_t __transb, int __m, int __n, int __k,
                                          const void* __alpha, const void* __A,
                                          cudaDataType __A_type, int __lda, long long __A_stride,
                                          const void* __B, cudaDataType __B_type, int __ldb,
                                          long long __B_stride, const void* __beta, void* __C,
                                          cudaDataType __C_type, int __ldc, long long __C_stride,
                                          int __batch_count, cublasComputeType_t __compute_type,
                                          cublasGemmAlgo_t __algorithm, __SIMULATOR_CALLER);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa,
                                   cublasOperation_t __transb, int __m, int __n, int __k,
                                   const void* __alpha, const void* const __A_array[],
                                   cudaDataType __A_type, int __lda, const void* const __B_array[],
                                   cudaDataType __B_type, int __ldb, const void* __beta,
                                   void* const __C_array[], cudaDataType __C_type, int __ldc,
                                   int __batch_count, cublasComputeType_t __compute_type,
                                   cublasGemmAlgo_t __algorithm, __SIMULATOR_CALLER);

// Other work on matrices.

cublasStatus_t cublasSsyrk_v2(cublasHandle_t __handle, cublasFillMode_t __uplo,
                              cublasOperation_t __trans, int __n, int __k, const float* __alpha,
                              const float* __A, int __lda, const float* __beta, float* __C,
                              int __ldc, __SIMULATOR_CALLER);
cublasStatus_t cublasDsyrk_v2(cublasHandle_t __handle, cublasFillMode_t __uplo,
                              cublasOperation_t __trans, int __n, int __k, const double* __alpha,
                              const double* __A, int __lda, const double* __beta, double* __C,
                              int __ldc, __SIMULATOR_CALLER);
cublasStatus_t cublasSsymm_v2(cublasHandle_t __handle, cublasSideMode_t __side,
                              cublasFillMode_t __uplo, int __m, int __n, const float* __alpha,
                              const float* __A, int __lda, const float* __B, int __ldb,
                              const float* __beta, float* __C, int __ldc, __SIMULATOR_CALLER);
cublasStatus_t cublasDsymm_v2(cublasHandle_t __handle, cublasSideMode_t __side,
                              cublasFillMode_t __uplo, int __m, int __n, const double* __alpha,
                              const double* __A, int __lda, const double* __B, int __ldb,
                              const double* __beta, double* __C, int __ldc, __SIMULATOR_CALLER);
cublasStatus_t cublasStrsm_v2(cublasHandle_t __handle, cublasSideMode_t __side,
                              cublasFillMode_t __uplo, cublasOperation_t __trans,
                              cublasDiagType_t __diag, int __m, int __n, const float* __alpha,
                              const float* __A, int __lda, float* __B, int __ldb,
                              __SIMULATOR_CALLER);
cublasStatus_t cublasDtrsm_v2(cublasHandle_t __handle, cublasSideMode_t __side,
                              cublasFillMode_t __uplo, cublasOperation_t __trans,
                              cublasDiagType_t __diag, int __m, int __n, const double* __alpha,
                              const double* __A, int __lda, double* __B, int __ldb,
                              __SIMULATOR_CALLER);
cublasStatus_t cublasSgeam(cublasHandle_t __handle, cublasOperation_t __transa,
                           cublasOperation_t __transb, int __m, int __n, const float* __alpha,
                           const float* __A, int __lda, const float* __beta, const float* __B,
                           int __ldb, float* __C, int __ldc, __SIMULATOR_CALLER);
cublasStatus_t cublasDgeam(cublasHandle_t __handle, cublasOperation_t __transa,
                           cublasOperation_t __transb, int __m, int __n, const double* __alpha,
                           const double* __A, int __lda, const double* __beta, const double* __B,
                           int __ldb, double* __C, int __ldc, __SIMULATOR_CALLER);
cublasStatus_t cublasSdgmm(cublasHandle_t __handle, cublasSideMode_t __mode, int __m, int __n,
                           const float* __A, int __lda, const float* __x, int __incx, float* __C,
                           int __ldc, __SIMULATOR_CALLER);
cublasStatus_t cublasDdgmm(cublasHandle_t __handle, cublasSideMode_t __mode, int __m, int __n,
                           const double* __A, int __lda, const double* __x, int __incx, double* __C,
                           int __ldc, __SIMULATOR_CALLER);

// As before CUDA 11, with the type of the sums in place of the compute type.
cublasStatus_t cublasGemmEx(cublasHandle_t __handle, cublasOperation_t __transa,
                            cublasOperation_t __transb, int __m, int __n, int __k,
                            const void* __alpha, const void* __A, cudaDataType __A_type, int __lda,
                            const void* __B, cudaDataType __B_type, int __ldb, const void* __beta,
                            void* __C, cudaDataType __C_type, int __ldc,
                            cudaDataType __compute_type, cublasGemmAlgo_t __algorithm,
                            __SIMULATOR_CALLER);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa,
                                          cublasOperation_t __transb, int __m, int __n, int __k,
                                          const void* __alpha, const void* __A,
                                          cudaDataType __A_type, int __lda, long long __A_stride,
                                          const void* __B, cudaDataType __B_type, int __ldb,
                                          long long __B_stride, const void* __beta, void* __C,
                                          cudaDataType __C_type, int __ldc, long long __C_stride,
                                          int __batch_count, cudaDataType __compute_type,
                                          cublasGemmAlgo_t __algorithm, __SIMULATOR_CALLER);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa,
                                   cublasOperation_t __transb, int __m, int __n, int __k,
                                   const void* __alpha, const void* const __A_array[],
                                   cudaDataType __A_type, int __lda, const void* const __B_array[],
                                   cudaDataType __B_type, int __ldb, const void* __beta,
                                   void* const __C_array[], cudaDataType __C_type, int __ldc,
                                   int __batch_count, cudaDataType __compute_type,
                                   cublasGemmAlgo_t __algorithm, __SIMULATOR_CALLER);

#endif  // ANDREA_SIMULATOR_INCLUDE_CUBLAS_API_H_
