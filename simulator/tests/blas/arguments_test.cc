// Wrong arguments: the status that cuBLAS documents, and a report that names the argument.

#include <functional>

#include "simulator/tests/blas/blas.h"

namespace {

class Arguments : public Blas {
 protected:
  void SetUp() override {
    Blas::SetUp();
    ASSERT_EQ(cudaMalloc(&memory_, 1024 * sizeof(float)), cudaSuccess);
    ASSERT_EQ(cudaMemset(memory_, 0, 1024 * sizeof(float)), cudaSuccess);
  }

  // cublasSgemm for A 4 x 5 and B 5 x 6, with one thing changed.
  struct Gemm {
    cublasOperation_t transa = CUBLAS_OP_N, transb = CUBLAS_OP_N;
    int m = 4, n = 6, k = 5, lda = 4, ldb = 5, ldc = 4;
    const float* alpha = nullptr;
    const float* a = nullptr;
    const float* beta = nullptr;
    float* c = nullptr;
  };
  cublasStatus_t status_of(const std::function<void(Gemm&)>& change) {
    Gemm gemm;
    gemm.alpha = gemm.beta = &one_;
    gemm.a = gemm.c = memory_;
    gemm.c = memory_ + 512;
    change(gemm);
    return cublasSgemm(handle_, gemm.transa, gemm.transb, gemm.m, gemm.n, gemm.k, gemm.alpha,
                       gemm.a, gemm.lda, memory_ + 256, gemm.ldb, gemm.beta, gemm.c, gemm.ldc);
  }

  float* memory_ = nullptr;
  const float one_ = 1;
};

TEST_F(Arguments, OfAProduct) {
  const struct {
    std::function<void(Gemm&)> change;
    cublasStatus_t status;
    const char* words;
    bool error = false;
  } kTable[] = {
      {[](Gemm& gemm) { gemm.transa = static_cast<cublasOperation_t>(7); },
       CUBLAS_STATUS_INVALID_VALUE, "argument 2, transa, is 7"},
      {[](Gemm& gemm) { gemm.transb = static_cast<cublasOperation_t>(-1); },
       CUBLAS_STATUS_INVALID_VALUE, "argument 3, transb"},
      {[](Gemm& gemm) { gemm.m = -1; }, CUBLAS_STATUS_INVALID_VALUE, "argument 4, m, is -1"},
      {[](Gemm& gemm) { gemm.n = -2; }, CUBLAS_STATUS_INVALID_VALUE, "argument 5, n, is -2"},
      {[](Gemm& gemm) { gemm.k = -3; }, CUBLAS_STATUS_INVALID_VALUE, "argument 6, k, is -3"},
      {[](Gemm& gemm) { gemm.alpha = nullptr; }, CUBLAS_STATUS_INVALID_VALUE,
       "argument 7, alpha, is null"},
      {[](Gemm& gemm) { gemm.alpha = gemm.c; }, CUBLAS_STATUS_INVALID_VALUE,
       "argument 7, alpha, is a pointer into the device's memory"},
      {[](Gemm& gemm) { gemm.a = nullptr; }, CUBLAS_STATUS_INVALID_VALUE, "argument 8, A, is null"},
      {[](Gemm& gemm) { gemm.a = gemm.alpha; }, CUBLAS_STATUS_EXECUTION_FAILED,
       "argument 8, A, points into the host's memory", true},
      {[](Gemm& gemm) { gemm.lda = 3; }, CUBLAS_STATUS_INVALID_VALUE,
       "argument 9, lda, is 3; it must be at least 4, the number of rows of A"},
      {[](Gemm& gemm) { gemm.transa = CUBLAS_OP_T; }, CUBLAS_STATUS_INVALID_VALUE,
       "argument 9, lda, is 4; it must be at least 5"},
      {[](Gemm& gemm) { gemm.lda = 1000; }, CUBLAS_STATUS_EXECUTION_FAILED,
       "argument 8, A, has 4096 bytes up to the end of its allocation, and the call touches 16016",
       true},
      {[](Gemm& gemm) { gemm.ldb = 4; }, CUBLAS_STATUS_INVALID_VALUE, "argument 11, ldb, is 4"},
      {[](Gemm& gemm) { gemm.beta = nullptr; }, CUBLAS_STATUS_INVALID_VALUE,
       "argument 12, beta, is null"},
      {[](Gemm& gemm) { gemm.c = nullptr; }, CUBLAS_STATUS_INVALID_VALUE,
       "argument 13, C, is null"},
      {[](Gemm& gemm) { gemm.ldc = 3; }, CUBLAS_STATUS_INVALID_VALUE, "argument 14, ldc, is 3"},
  };
  for (const auto& row : kTable) {
    EXPECT_EQ(status_of(row.change), row.status) << row.words;
    EXPECT_TRUE(reported(row.words, row.error));
  }
  EXPECT_EQ(status_of([](Gemm&) {}), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(status_of([](Gemm& gemm) { gemm.m = 0; }), CUBLAS_STATUS_SUCCESS);
}

TEST_F(Arguments, ReportsTellOfColumnsAndOfTheLine) {
  status_of([](Gemm& gemm) { gemm.lda = 3; });
  ASSERT_EQ(simulator::published().size(), 1u);
  const simulator::Report report = simulator::published().front();
  simulator::forget_published();
  EXPECT_NE(report.cause.find("lda counts the elements of a column"), std::string::npos);
  EXPECT_NE(report.cause.find("CUBLAS_STATUS_INVALID_VALUE"), std::string::npos);
  ASSERT_EQ(report.parties.size(), 1u);
  ASSERT_EQ(report.parties[0].lines.size(), 1u);
  EXPECT_NE(report.parties[0].lines[0].file.find("arguments_test.cc"), std::string::npos);
}

TEST_F(Arguments, Handles) {
  EXPECT_EQ(cublasSscal(nullptr, 1, &one_, memory_, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_TRUE(reported("argument 1, handle, is null"));
  cublasHandle_t gone = nullptr;
  ASSERT_EQ(cublasCreate(&gone), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasDestroy(gone), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSscal(gone, 1, &one_, memory_, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_TRUE(reported("argument 1, handle"));
  EXPECT_EQ(cublasDestroy(gone), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSetStream(gone, nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(Arguments, WhatAHandleHolds) {
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  EXPECT_EQ(cublasSetMathMode(handle_, CUBLAS_TF32_TENSOR_OP_MATH), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetMathMode(handle_, &math), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(math, CUBLAS_TF32_TENSOR_OP_MATH);
  EXPECT_EQ(cublasSetMathMode(handle_, static_cast<cublasMath_t>(77)), CUBLAS_STATUS_INVALID_VALUE);
  cudaStream_t stream = nullptr;
  cudaStream_t got = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cublasSetStream(handle_, stream), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetStream(handle_, &got), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(got, stream);
  EXPECT_EQ(cublasSetStream(handle_, nullptr), CUBLAS_STATUS_SUCCESS);
  cudaStreamDestroy(stream);
  int version = 0;
  EXPECT_EQ(cublasGetVersion(handle_, &version), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(version, CUBLAS_VERSION);
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED");
  EXPECT_STREQ(cublasGetStatusName(static_cast<cublasStatus_t>(99)), "CUBLAS_STATUS_UNKNOWN");
  EXPECT_GT(std::string(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE)).size(), 0u);
}

TEST_F(Arguments, TypesWithoutAProduct) {
  const auto status = [this](cudaDataType a, cudaDataType b, cudaDataType c,
                             cublasComputeType_t compute_type) {
    return cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one_, memory_, a, 4, memory_,
                        b, 4, &one_, memory_ + 512, c, 4, compute_type, CUBLAS_GEMM_DEFAULT);
  };
  EXPECT_EQ(status(CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_TRUE(reported("A of CUDA_R_16F, B of CUDA_R_32F"));
  EXPECT_EQ(status(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16F, CUBLAS_COMPUTE_32F),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_TRUE(reported("C of CUDA_R_16F"));
  EXPECT_EQ(status(CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_16F),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_TRUE(reported("no product is defined"));
  EXPECT_EQ(status(CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_TRUE(reported("another type"));
}

TEST_F(Arguments, ABatchMustNotBeWrittenToOnePlace) {
  EXPECT_EQ(cublasSgemmStridedBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one_, memory_, 4,
                                      16, memory_, 4, 0, &one_, memory_ + 512, 4, 0, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("argument 17, strideC, is 0"));
}

}  // namespace
