// The general matrix products against Eigen, and that they are the same for any number of threads.

#include <cmath>
#include <limits>

#include "simulator/tests/blas/blas.h"

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class Gemm : public Blas {
 protected:
  // All of cublasGemmEx for one combination of types; results are whole numbers or halves, exact.
  template <typename In, typename Out, typename Scale>
  void expect_products(cudaDataType in, cudaDataType out, cublasComputeType_t compute_type,
                       bool whole_factors = false) {
    unsigned seed = 1;
    for (const int m : {1, 3, 31, 33}) {
      for (const int n : {2, 33}) {
        for (const int k : {1, 31}) {
          for (const cublasOperation_t transa : kOperations) {
            for (const cublasOperation_t transb : {CUBLAS_OP_N, CUBLAS_OP_T}) {
              const double factor = whole_factors ? -2 : -0.5;
              const Numbers a = random_numbers(m, k, ++seed);
              const Numbers b = random_numbers(k, n, ++seed);
              const Numbers c = random_numbers(m, n, ++seed);
              const int lda = (transa == CUBLAS_OP_N ? m : k) + 3;
              const int ldb = (transb == CUBLAS_OP_N ? k : n) + 1;
              const DeviceMatrix<In> device_a(turned(a, transa), (lda + 3) / 4 * 4);
              const DeviceMatrix<In> device_b(turned(b, transb), (ldb + 3) / 4 * 4);
              const DeviceMatrix<Out> device_c(c, m + 5);
              const Scale alpha = from_double<Scale>(factor);
              const Scale beta = from_double<Scale>(1);
              ASSERT_EQ(cublasGemmEx(handle_, transa, transb, m, n, k, &alpha, device_a.get(), in,
                                     device_a.leading(), device_b.get(), in, device_b.leading(),
                                     &beta, device_c.get(), out, device_c.leading(), compute_type,
                                     CUBLAS_GEMM_DEFAULT),
                        CUBLAS_STATUS_SUCCESS);
              const Numbers exact = factor * a * b + c;
              Numbers rounded = exact;
              for (double& number : rounded.reshaped()) {
                number = to_double(from_double<Out>(number));
              }
              ASSERT_EQ(device_c.numbers(), rounded) << m << " x " << n << " x " << k;
            }
          }
        }
      }
    }
  }
};

TEST_F(Gemm, IsEigensForAllTransposesSizesAndFactors) {
  unsigned seed = 0;
  for (const int m : kSizes) {
    for (const int n : kSizes) {
      for (const int k : {1, 3, 97}) {
        for (const cublasOperation_t transa : kOperations) {
          for (const cublasOperation_t transb : {CUBLAS_OP_N, CUBLAS_OP_T}) {
            const double alpha_number = kFactors[seed % 3];
            const double beta_number = kFactors[seed / 3 % 3];
            const Numbers a = random_numbers(m, k, ++seed);
            const Numbers b = random_numbers(k, n, seed + 1000);
            const Numbers c = random_numbers(m, n, seed + 2000);
            const DeviceMatrix<float> device_a(turned(a, transa),
                                               (transa == CUBLAS_OP_N ? m : k) + seed % 3);
            const DeviceMatrix<float> device_b(turned(b, transb),
                                               (transb == CUBLAS_OP_N ? k : n) + seed % 2);
            const DeviceMatrix<float> device_c(c, m + seed % 5);
            const float alpha = static_cast<float>(alpha_number);
            const float beta = static_cast<float>(beta_number);
            ASSERT_EQ(cublasSgemm(handle_, transa, transb, m, n, k, &alpha, device_a.get(),
                                  device_a.leading(), device_b.get(), device_b.leading(), &beta,
                                  device_c.get(), device_c.leading()),
                      CUBLAS_STATUS_SUCCESS);
            const Numbers expected = alpha_number * a * b + beta_number * c;
            ASSERT_EQ(device_c.numbers(), expected) << m << " x " << n << " x " << k;
          }
        }
      }
    }
  }
}

TEST_F(Gemm, OfDoublesKeepsTheirPrecision) {
  const Numbers a = Numbers::Random(97, 300);
  const Numbers b = Numbers::Random(300, 33);
  const DeviceMatrix<double> device_a(a, 100);
  const DeviceMatrix<double> device_b(b, 300);
  const DeviceMatrix<double> device_c(97, 33, 97);
  const double alpha = 1.5;
  const double beta = 0;
  ASSERT_EQ(cublasDgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 97, 33, 300, &alpha, device_a.get(), 100,
                        device_b.get(), 300, &beta, device_c.get(), 97),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_LT((device_c.numbers() - 1.5 * a * b).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(Gemm, OfOtherTypes) {
  expect_products<__half, __half, float>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
  expect_products<__half, float, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC);
  expect_products<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  expect_products<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF,
                                                       CUBLAS_COMPUTE_32F);
  expect_products<__nv_bfloat16, float, float>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  expect_products<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
  expect_products<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
  expect_products<std::int8_t, std::int32_t, std::int32_t>(CUDA_R_8I, CUDA_R_32I,
                                                           CUBLAS_COMPUTE_32I, true);
  expect_products<std::int8_t, float, float>(CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F);
}

TEST_F(Gemm, WhatAFactorOfZeroHidesIsNotRead) {
  const Numbers nan = Numbers::Constant(3, 3, kNan);
  const Numbers one = Numbers::Ones(3, 3);
  const DeviceMatrix<float> bad(nan, 3);
  const DeviceMatrix<float> good(one, 3);
  const DeviceMatrix<float> c(nan, 3);
  const float zero = 0;
  const float unit = 1;
  ASSERT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &unit, good.get(), 3,
                        good.get(), 3, &zero, c.get(), 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.numbers(), 3 * one);
  ASSERT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &zero, bad.get(), 3, nullptr, 3,
                        &unit, c.get(), 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.numbers(), 3 * one);
  ASSERT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 0, &unit, nullptr, 3, nullptr, 1,
                        &zero, c.get(), 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.numbers(), 0 * one);
  // NaN in A is not hidden by zeros in B.
  const DeviceMatrix<float> zeros(0 * one, 3);
  ASSERT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &unit, bad.get(), 3,
                        zeros.get(), 3, &zero, c.get(), 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_TRUE(c.numbers().array().isNaN().all());
}

TEST_F(Gemm, BatchesAtEqualDistances) {
  // Interleaved, as the heads of an attention are: matrices side by side in each column.
  const int m = 5, n = 7, k = 3, batches = 4;
  const Numbers a = random_numbers(m * batches, k, 1);
  const Numbers b = random_numbers(k, n * batches, 2);
  const DeviceMatrix<__half> device_a(a, m * batches);
  const DeviceMatrix<__half> device_b(b, k);
  const DeviceMatrix<__half> device_c(m * batches, n, m * batches);
  const __half alpha(1.0f);
  const __half beta(0.0f);
  ASSERT_EQ(cublasHgemmStridedBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha,
                                      device_a.get(), m * batches, m, device_b.get(), k, k * n,
                                      &beta, device_c.get(), m * batches, m, batches),
            CUBLAS_STATUS_SUCCESS);
  const Numbers c = device_c.numbers();
  for (int i = 0; i < batches; ++i) {
    EXPECT_EQ(Numbers(c.middleRows(i * m, m)), a.middleRows(i * m, m) * b.middleCols(i * n, n));
  }
}

TEST_F(Gemm, BatchesByPointers) {
  const int size = 4, batches = 3;
  const Numbers a = random_numbers(size, size * batches, 1);
  const DeviceMatrix<float> device_a(a, size);
  const DeviceMatrix<float> device_c(size, size * batches, size);
  std::vector<float*> a_pointers, c_pointers;
  for (int i = 0; i < batches; ++i) {
    a_pointers.push_back(device_a.get() + i * size * size);
    c_pointers.push_back(device_c.get() + (batches - 1 - i) * size * size);
  }
  float** pointers = nullptr;
  ASSERT_EQ(cudaMalloc(&pointers, 2 * batches * sizeof(float*)), cudaSuccess);
  cudaMemcpy(pointers, a_pointers.data(), batches * sizeof(float*), cudaMemcpyHostToDevice);
  cudaMemcpy(pointers + batches, c_pointers.data(), batches * sizeof(float*),
             cudaMemcpyHostToDevice);
  const float alpha = 1;
  const float beta = 0;
  ASSERT_EQ(
      cublasSgemmBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_T, size, size, size, &alpha, pointers,
                         size, pointers, size, &beta, pointers + batches, size, batches),
      CUBLAS_STATUS_SUCCESS);
  const Numbers c = device_c.numbers();
  for (int i = 0; i < batches; ++i) {
    const Numbers one = a.middleCols(i * size, size);
    EXPECT_EQ(Numbers(c.middleCols((batches - 1 - i) * size, size)), one * one.transpose());
  }
  // The array lies on the host.
  EXPECT_EQ(cublasSgemmBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_T, size, size, size, &alpha,
                               a_pointers.data(), size, pointers, size, &beta, pointers + batches,
                               size, batches),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_TRUE(reported("argument 8, Aarray, points into the host's memory", true));
  // One of its pointers is none of the device's.
  float* const bad = nullptr;
  cudaMemcpy(pointers + 1, &bad, sizeof(bad), cudaMemcpyHostToDevice);
  cublasSgemmBatched(handle_, CUBLAS_OP_N, CUBLAS_OP_T, size, size, size, &alpha, pointers, size,
                     pointers, size, &beta, pointers + batches, size, batches);
  EXPECT_TRUE(reported("element 1 of Aarray", true));
  cudaDeviceReset();
}

TEST_F(Gemm, FactorsOnTheDevice) {
  const Numbers a = random_numbers(3, 3, 1);
  const DeviceMatrix<float> device_a(a, 3);
  const DeviceMatrix<float> c(Numbers::Constant(3, 3, kNan), 3);
  ASSERT_EQ(cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  Numbers values(2, 1);
  values << -0.5, 0;
  const DeviceMatrix<float> given(values, 2);
  ASSERT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, given.get(), device_a.get(), 3,
                        device_a.get(), 3, given.get() + 1, c.get(), 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.numbers(), -0.5 * a * a);
  const float host = 1;
  EXPECT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &host, device_a.get(), 3,
                        device_a.get(), 3, given.get() + 1, c.get(), 3),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_TRUE(reported("argument 7, alpha, points into the host's memory", true));
}

TEST_F(Gemm, IsDoneByAGraphEachTimeItIsLaunched) {
  const Numbers a = random_numbers(33, 33, 1);
  const DeviceMatrix<float> device_a(a, 33);
  const DeviceMatrix<float> c(Numbers::Ones(33, 33), 33);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cublasSetStream(handle_, stream), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  {
    // They may end before the graph is launched: their values were taken.
    const float alpha = 1;
    const float beta = 1;
    ASSERT_EQ(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, 33, 33, 33, &alpha, device_a.get(), 33,
                          device_a.get(), 33, &beta, c.get(), 33),
              CUBLAS_STATUS_SUCCESS);
  }
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(c.numbers(), Numbers::Ones(33, 33));
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  for (int launch = 1; launch <= 3; ++launch) {
    ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(c.numbers(), Numbers(Numbers::Ones(33, 33) + launch * a * a));
  }
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

}  // namespace
