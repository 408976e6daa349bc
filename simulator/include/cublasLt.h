// File: cublasLt.h
//
// cublasLt: matrix products D = epilogue(alpha * op(A) * op(B) + beta * C), described by objects
// instead of arguments: layouts of the matrices, a description of the operation, a preference.
//
// Supported: the types of cublasGemmEx, both orders (row order without an epilogue), strided
// batches, the epilogues named in cublasLtEpilogue_t but for RELU_AUX and DRELU. GELU is the tanh
// form. There is one algorithm, and it needs no workspace; pointers must be what the heuristic was
// told of them, multiples of 16 bytes where it was told so. What is not supported returns
// CUBLAS_STATUS_NOT_SUPPORTED and is told on standard error. Not declared: transforms of matrices,
// the parts of an algorithm (tiles, stages, clusters).

#ifndef ANDREA_SIMULATOR_INCLUDE_CUBLASLT_H_
#define ANDREA_SIMULATOR_INCLUDE_CUBLASLT_H_

#include <cublas_api.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

typedef struct cublasLtContext* cublasLtHandle_t;

typedef struct {
  uint64_t data[8];
} cublasLtMatrixLayoutOpaque_t;
typedef cublasLtMatrixLayoutOpaque_t* cublasLtMatrixLayout_t;

typedef struct {
  uint64_t data[32];
} cublasLtMatmulDescOpaque_t;
typedef cublasLtMatmulDescOpaque_t* cublasLtMatmulDesc_t;

typedef struct {
  uint64_t data[8];
} cublasLtMatmulPreferenceOpaque_t;
typedef cublasLtMatmulPreferenceOpaque_t* cublasLtMatmulPreference_t;

typedef struct {
  uint64_t data[8];
} cublasLtMatmulAlgo_t;

typedef enum {
  CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F = 0,
  CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3 = 1,
  CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 = 2,
  CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F = 3,
  CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F = 4,
  CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F = 5,
  CUBLASLT_MATMUL_MATRIX_SCALE_END,
} cublasLtMatmulMatrixScale_t;

typedef enum {
  CUBLASLT_POINTER_MODE_HOST = CUBLAS_POINTER_MODE_HOST,
  CUBLASLT_POINTER_MODE_DEVICE = CUBLAS_POINTER_MODE_DEVICE,
  CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4,
} cublasLtPointerMode_t;

typedef enum {
  CUBLASLT_POINTER_MODE_MASK_HOST = 1,
  CUBLASLT_POINTER_MODE_MASK_DEVICE = 2,
  CUBLASLT_POINTER_MODE_MASK_DEVICE_VECTOR = 4,
  CUBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_ZERO = 8,
  CUBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_HOST = 16,
} cublasLtPointerModeMask_t;

typedef enum {
  CUBLASLT_ORDER_COL = 0,
  CUBLASLT_ORDER_ROW = 1,
  CUBLASLT_ORDER_COL32 = 2,
  CUBLASLT_ORDER_COL4_4R2_8C = 3,
  CUBLASLT_ORDER_COL32_2R_4R4 = 4,
} cublasLtOrder_t;

typedef enum {
  CUBLASLT_BATCH_MODE_STRIDED = 0,
  CUBLASLT_BATCH_MODE_POINTER_ARRAY = 1,
} cublasLtBatchMode_t;

typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
  CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7,
  CUBLASLT_MATRIX_LAYOUT_BATCH_MODE = 8,
} cublasLtMatrixLayoutAttribute_t;

typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_TRANSC = 5,
  CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
  CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,
  CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,
  CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,
  CUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31,
  CUBLASLT_MATMUL_DESC_B_SCALE_MODE = 32,
  CUBLASLT_MATMUL_DESC_C_SCALE_MODE = 33,
  CUBLASLT_MATMUL_DESC_D_SCALE_MODE = 34,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE = 35,
  CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER = 36,
  CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE = 37,
  CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR = 38,
} cublasLtMatmulDescAttributes_t;

typedef enum {
  CUBLASLT_REDUCTION_SCHEME_NONE = 0,
  CUBLASLT_REDUCTION_SCHEME_INPLACE = 1,
  CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
  CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
  CUBLASLT_REDUCTION_SCHEME_MASK = 0x7,
} cublasLtReductionScheme_t;

typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_RELU_AUX = (CUBLASLT_EPILOGUE_RELU | 128),
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = (CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_BIAS),
  CUBLASLT_EPILOGUE_RELU_AUX_BIAS = (CUBLASLT_EPILOGUE_RELU_AUX | CUBLASLT_EPILOGUE_BIAS),
  CUBLASLT_EPILOGUE_DRELU = 8 | 128,
  CUBLASLT_EPILOGUE_DRELU_BGRAD = CUBLASLT_EPILOGUE_DRELU | 16,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_AUX = (CUBLASLT_EPILOGUE_GELU | 128),
  CUBLASLT_EPILOGUE_GELU_BIAS = (CUBLASLT_EPILOGUE_GELU | CUBLASLT_EPILOGUE_BIAS),
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = (CUBLASLT_EPILOGUE_GELU_AUX | CUBLASLT_EPILOGUE_BIAS),
  CUBLASLT_EPILOGUE_DGELU = 64 | 128,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = CUBLASLT_EPILOGUE_DGELU | 16,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512,
} cublasLtEpilogue_t;

typedef enum {
  CUBLASLT_SEARCH_BEST_FIT = 0,
  CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID = 1,
  CUBLASLT_SEARCH_RESERVED_02 = 2,
  CUBLASLT_SEARCH_RESERVED_03 = 3,
  CUBLASLT_SEARCH_RESERVED_04 = 4,
  CUBLASLT_SEARCH_RESERVED_05 = 5,
  CUBLASLT_SEARCH_RESERVED_06 = 6,
  CUBLASLT_SEARCH_RESERVED_07 = 7,
  CUBLASLT_SEARCH_RESERVED_08 = 8,
  CUBLASLT_SEARCH_RESERVED_09 = 9,
} cublasLtMatmulSearch_t;

typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
  CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
  CUBLASLT_MATMUL_PREF_IMPL_MASK = 12,
} cublasLtMatmulPreferenceAttributes_t;

typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

typedef void (*cublasLtLoggerCallback_t)(int __level, const char* __function,
                                         const char* __message);

cublasStatus_t cublasLtCreate(cublasLtHandle_t* __handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t __handle);
const char* cublasLtGetStatusName(cublasStatus_t __status);
const char* cublasLtGetStatusString(cublasStatus_t __status);
size_t cublasLtGetVersion();
size_t cublasLtGetCudartVersion();
cublasStatus_t cublasLtGetProperty(libraryPropertyType __type, int* __value);

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t __layout, size_t __size,
                                                 cudaDataType __type, uint64_t __rows,
                                                 uint64_t __columns, int64_t __leading);
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* __layout, cudaDataType __type,
                                          uint64_t __rows, uint64_t __columns, int64_t __leading);
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t __layout);
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t __layout,
                                                cublasLtMatrixLayoutAttribute_t __which,
                                                const void* __buffer, size_t __bytes);
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t __layout,
                                                cublasLtMatrixLayoutAttribute_t __which,
                                                void* __buffer, size_t __bytes, size_t* __written);

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t __description, size_t __size,
                                               cublasComputeType_t __compute_type,
                                               cudaDataType __scale_type);
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* __description,
                                        cublasComputeType_t __compute_type,
                                        cudaDataType __scale_type);
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t __description);
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t __description,
                                              cublasLtMatmulDescAttributes_t __which,
                                              const void* __buffer, size_t __bytes);
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t __description,
                                              cublasLtMatmulDescAttributes_t __which,
                                              void* __buffer, size_t __bytes, size_t* __written);

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t __preference,
                                                     size_t __size);
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* __preference);
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t __preference);
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t __preference,
                                                    cublasLtMatmulPreferenceAttributes_t __which,
                                                    const void* __buffer, size_t __bytes);
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t __preference,
                                                    cublasLtMatmulPreferenceAttributes_t __which,
                                                    void* __buffer, size_t __bytes,
                                                    size_t* __written);

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t __handle, cublasLtMatmulDesc_t __description,
    cublasLtMatrixLayout_t __A_layout, cublasLtMatrixLayout_t __B_layout,
    cublasLtMatrixLayout_t __C_layout, cublasLtMatrixLayout_t __D_layout,
    cublasLtMatmulPreference_t __preference, int __requested,
    cublasLtMatmulHeuristicResult_t __results[], int* __returned, __SIMULATOR_CALLER);
cublasStatus_t cublasLtMatmulAlgoCheck(
    cublasLtHandle_t __handle, cublasLtMatmulDesc_t __description,
    cublasLtMatrixLayout_t __A_layout, cublasLtMatrixLayout_t __B_layout,
    cublasLtMatrixLayout_t __C_layout, cublasLtMatrixLayout_t __D_layout,
    const cublasLtMatmulAlgo_t* __algorithm, cublasLtMatmulHeuristicResult_t* __result,
    __SIMULATOR_CALLER);
cublasStatus_t cublasLtMatmul(cublasLtHandle_t __handle, cublasLtMatmulDesc_t __description,
                              const void* __alpha, const void* __A,
                              cublasLtMatrixLayout_t __A_layout, const void* __B,
                              cublasLtMatrixLayout_t __B_layout, const void* __beta,
                              const void* __C, cublasLtMatrixLayout_t __C_layout, void* __D,
                              cublasLtMatrixLayout_t __D_layout,
                              const cublasLtMatmulAlgo_t* __algorithm, void* __workspace,
                              size_t __workspace_bytes, cudaStream_t __stream, __SIMULATOR_CALLER);

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t __callback);
cublasStatus_t cublasLtLoggerSetFile(FILE* __file);
cublasStatus_t cublasLtLoggerOpenFile(const char* __name);
cublasStatus_t cublasLtLoggerSetLevel(int __level);
cublasStatus_t cublasLtLoggerSetMask(int __mask);
cublasStatus_t cublasLtLoggerForceDisable();

// Objects in the program's own memory instead of the library's.

inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t __layout, cudaDataType __type,
                                               uint64_t __rows, uint64_t __columns,
                                               int64_t __leading) {
  return cublasLtMatrixLayoutInit_internal(__layout, sizeof(*__layout), __type, __rows, __columns,
                                           __leading);
}
inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t __description,
                                             cublasComputeType_t __compute_type,
                                             cudaDataType __scale_type) {
  return cublasLtMatmulDescInit_internal(__description, sizeof(*__description), __compute_type,
                                         __scale_type);
}
inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t __preference) {
  return cublasLtMatmulPreferenceInit_internal(__preference, sizeof(*__preference));
}

#endif  // ANDREA_SIMULATOR_INCLUDE_CUBLASLT_H_
