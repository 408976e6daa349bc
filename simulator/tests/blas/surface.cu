// A program of the calls as teaching code writes them, which nvcc compiles as well:
//   nvcc -std=c++20 -arch=sm_80 -c surface.cu

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

// C = A * B, all three in rows, size x size, by every call that can.
inline cublasStatus_t multiply_rows(cublasHandle_t handle, const float* a, const float* b, float* c,
                                    int size, int way) {
  const float alpha = 1.0f, beta = 0.0f;
  switch (way) {
    case 0:
      return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &alpha, b, size, a,
                         size, &beta, c, size);
    case 1:
      return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &alpha, b, CUDA_R_32F,
                          size, a, CUDA_R_32F, size, &beta, c, CUDA_R_32F, size,
                          CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT_TENSOR_OP);
    case 2:
      return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &alpha, b, CUDA_R_32F,
                          size, a, CUDA_R_32F, size, &beta, c, CUDA_R_32F, size, CUDA_R_32F,
                          CUBLAS_GEMM_DEFAULT);
    case 3:
      return cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &alpha,
                                       b, size, 0, a, size, 0, &beta, c, size, size * size, 1);
    case 4:
      return cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &alpha,
                                        b, CUDA_R_32F, size, 0, a, CUDA_R_32F, size, 0, &beta, c,
                                        CUDA_R_32F, size, size * size, 1, CUBLAS_COMPUTE_32F,
                                        CUBLAS_GEMM_DEFAULT);
    default:
      return cublasSgemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &alpha, b,
                           CUDA_R_32F, size, a, CUDA_R_32F, size, &beta, c, CUDA_R_32F, size);
  }
}
inline constexpr int kWays = 6;

inline cublasStatus_t multiply_rows_lt(const float* a, const float* b, float* c, int size) {
  cublasLtHandle_t handle;
  cublasLtMatmulDesc_t description;
  cublasLtMatrixLayout_t layout;
  cublasStatus_t status = cublasLtCreate(&handle);
  if (status == CUBLAS_STATUS_SUCCESS) {
    status = cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  }
  if (status == CUBLAS_STATUS_SUCCESS) {
    status = cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, size, size, size);
  }
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const cublasLtOrder_t order = CUBLASLT_ORDER_ROW;
  cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof(order));
  const float alpha = 1.0f, beta = 0.0f;
  status = cublasLtMatmul(handle, description, &alpha, a, layout, b, layout, &beta, c, layout, c,
                          layout, nullptr, nullptr, 0, nullptr);
  cublasLtMatrixLayoutDestroy(layout);
  cublasLtMatmulDescDestroy(description);
  cublasLtDestroy(handle);
  return status;
}

// The other calls, with their types.
inline cublasStatus_t use_vectors(cublasHandle_t handle, int n, float* x, float* y, float* a) {
  const float one = 1.0f;
  float sum = 0;
  int position = 0;
  cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  cublasSaxpy(handle, n, &one, x, 1, y, 1);
  cublasSdot(handle, n, x, 1, y, 1, &sum);
  cublasSnrm2(handle, n, x, 1, &sum);
  cublasSasum(handle, n, x, 1, &sum);
  cublasIsamax(handle, n, x, 1, &position);
  cublasIsamin(handle, n, x, 1, &position);
  cublasScopy(handle, n, x, 1, y, 1);
  cublasSswap(handle, n, x, 1, y, 1);
  cublasSrot(handle, n, x, 1, y, 1, &one, &one);
  cublasSscal(handle, n, &one, x, 1);
  cublasSgemv(handle, CUBLAS_OP_T, n, n, &one, a, n, x, 1, &one, y, 1);
  cublasSger(handle, n, n, &one, x, 1, y, 1, a, n);
  cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, 1, &one, x, n, &one, a, n);
  cublasSsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, n, 1, &one, a, n, x, n, &one, y, n);
  cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, n, 1,
              &one, a, n, x, n);
  cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, 1, &one, x, n, &one, y, n, y, n);
  return cublasSdgmm(handle, CUBLAS_SIDE_LEFT, n, 1, x, n, y, 1, y, n);
}
