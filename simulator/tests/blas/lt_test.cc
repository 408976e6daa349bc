// cublasLtMatmul: each epilogue against its formula in double, orders, batches, wrong descriptions.

#include <cublasLt.h>

#include <cmath>

#include "simulator/tests/blas/blas.h"

namespace {

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

// By differences, so that the formula under test is not repeated.
double gelu_slope(double x) { return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5; }

struct Layout {
  cublasLtMatrixLayout_t get = nullptr;
  Layout(cudaDataType type, int rows, int columns, int leading) {
    EXPECT_EQ(cublasLtMatrixLayoutCreate(&get, type, rows, columns, leading),
              CUBLAS_STATUS_SUCCESS);
  }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  ~Layout() { EXPECT_EQ(cublasLtMatrixLayoutDestroy(get), CUBLAS_STATUS_SUCCESS); }

  template <typename T>
  void set(cublasLtMatrixLayoutAttribute_t which, T value) {
    EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(get, which, &value, sizeof(value)),
              CUBLAS_STATUS_SUCCESS);
  }
};

class Lt : public Blas {
 protected:
  void SetUp() override {
    Blas::SetUp();
    ASSERT_EQ(cublasLtCreate(&lt_), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulDescCreate(&description_, CUBLAS_COMPUTE_32F, CUDA_R_32F),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulPreferenceCreate(&preference_), CUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cublasLtMatmulPreferenceDestroy(preference_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatmulDescDestroy(description_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtDestroy(lt_), CUBLAS_STATUS_SUCCESS);
    Blas::TearDown();
  }

  template <typename T>
  cublasStatus_t set(cublasLtMatmulDescAttributes_t which, T value) {
    return cublasLtMatmulDescSetAttribute(description_, which, &value, sizeof(value));
  }

  // As programs do it: an algorithm is asked for, then used.
  template <typename T>
  cublasStatus_t matmul(const T* a, const Layout& a_layout, const T* b, const Layout& b_layout,
                        T* d, const Layout& d_layout, float alpha = 1, float beta = 0) {
    cublasLtMatmulHeuristicResult_t result{};
    int found = -1;
    const cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(lt_, description_, a_layout.get, b_layout.get, d_layout.get,
                                       d_layout.get, preference_, 1, &result, &found);
    EXPECT_EQ(found, status == CUBLAS_STATUS_SUCCESS ? 1 : 0);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    return cublasLtMatmul(lt_, description_, &alpha, a, a_layout.get, b, b_layout.get, &beta, d,
                          d_layout.get, d, d_layout.get, &result.algo, nullptr, 0, nullptr);
  }

  // One epilogue, on matrices of T.
  template <typename T>
  void expect_epilogue(cublasLtEpilogue_t epilogue, cudaDataType type, double tolerance) {
    const int m = 33, n = 7, k = 31, auxiliary_leading = 40;
    const Numbers a = random_numbers(m, k, 1) / 8;
    const Numbers b = random_numbers(k, n, 2) / 8;
    const Numbers bias = random_numbers(m, 1, 3) / 4;
    const Numbers saved = random_numbers(m, n, 4) / 4;
    const DeviceMatrix<T> device_a(turned(a, CUBLAS_OP_T), k + 1);
    const DeviceMatrix<T> device_b(b, k);
    const DeviceMatrix<T> device_d(m, n, m + 2);
    const DeviceMatrix<T> device_bias(bias, m);
    const DeviceMatrix<T> device_gradient(std::max(m, n), 1, std::max(m, n));
    const DeviceMatrix<T> device_auxiliary(saved, auxiliary_leading);
    const bool gradient = epilogue == CUBLASLT_EPILOGUE_DGELU_BGRAD ||
                          epilogue == CUBLASLT_EPILOGUE_BGRADA ||
                          epilogue == CUBLASLT_EPILOGUE_BGRADB;
    const void* const bias_pointer = gradient ? device_gradient.get() : device_bias.get();
    ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias_pointer), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, type), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, device_auxiliary.get()),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{auxiliary_leading}),
              CUBLAS_STATUS_SUCCESS);
    const Layout a_layout(type, k, m, k + 1), b_layout(type, k, n, k), d_layout(type, m, n, m + 2);
    ASSERT_EQ(matmul(device_a.get(), a_layout, device_b.get(), b_layout, device_d.get(), d_layout),
              CUBLAS_STATUS_SUCCESS);

    Numbers x = a * b;
    if (epilogue & CUBLASLT_EPILOGUE_BIAS) x.colwise() += bias.col(0);
    Numbers expected = x;
    if (epilogue & CUBLASLT_EPILOGUE_RELU) expected = x.cwiseMax(0);
    if (epilogue & CUBLASLT_EPILOGUE_GELU) expected = x.unaryExpr(&gelu);
    const bool backward = (epilogue & CUBLASLT_EPILOGUE_DGELU & 64) != 0;
    if (backward) expected = x.cwiseProduct(saved.unaryExpr(&gelu_slope));
    const auto expect_near = [&](const Numbers& is, const Numbers& must) {
      EXPECT_LT((is - must).cwiseAbs().maxCoeff(), tolerance) << "epilogue " << epilogue;
    };
    expect_near(device_d.numbers(), expected);
    const bool writes_auxiliary = (epilogue & 128) != 0 && !backward;
    expect_near(device_auxiliary.numbers(), writes_auxiliary ? x : saved);
    const Numbers sums = device_gradient.numbers();
    if (epilogue == CUBLASLT_EPILOGUE_DGELU_BGRAD) {
      expect_near(sums.topRows(m), expected.rowwise().sum());
    } else if (epilogue == CUBLASLT_EPILOGUE_BGRADA) {
      expect_near(sums.topRows(m), a.rowwise().sum());
    } else if (epilogue == CUBLASLT_EPILOGUE_BGRADB) {
      expect_near(sums.topRows(n), b.colwise().sum().transpose());
    }
  }

  cublasLtHandle_t lt_ = nullptr;
  cublasLtMatmulDesc_t description_ = nullptr;
  cublasLtMatmulPreference_t preference_ = nullptr;
};

TEST_F(Lt, Epilogues) {
  for (const cublasLtEpilogue_t epilogue :
       {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS,
        CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS,
        CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU,
        CUBLASLT_EPILOGUE_DGELU_BGRAD, CUBLASLT_EPILOGUE_BGRADA, CUBLASLT_EPILOGUE_BGRADB}) {
    expect_epilogue<float>(epilogue, CUDA_R_32F, 1e-5);
    expect_epilogue<__half>(epilogue, CUDA_R_16F, 1e-2);
    expect_epilogue<__nv_bfloat16>(epilogue, CUDA_R_16BF, 1e-1);
  }
}

TEST_F(Lt, RowOrderAndBatches) {
  const int m = 3, n = 5, k = 4, batches = 2;
  const Numbers a = random_numbers(m, k * batches, 1);
  const Numbers b = random_numbers(n, k * batches, 2);  // in rows: its transpose is stored
  const DeviceMatrix<float> device_a(a, m), device_b(b, n);
  const DeviceMatrix<float> device_d(n, m * batches, n);
  Layout a_layout(CUDA_R_32F, m, k, m), b_layout(CUDA_R_32F, k, n, n),
      d_layout(CUDA_R_32F, m, n, n);
  b_layout.set(CUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t{CUBLASLT_ORDER_ROW});
  d_layout.set(CUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t{CUBLASLT_ORDER_ROW});
  std::int64_t stride = m * k;
  for (Layout* const layout : {&a_layout, &b_layout, &d_layout}) {
    layout->set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t{batches});
    layout->set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
    stride = layout == &a_layout ? k * n : m * n;
  }
  ASSERT_EQ(matmul(device_a.get(), a_layout, device_b.get(), b_layout, device_d.get(), d_layout),
            CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < batches; ++i) {
    const Numbers product = a.middleCols(i * k, k) * b.middleCols(i * k, k).transpose();
    EXPECT_EQ(Numbers(device_d.numbers().middleCols(i * m, m).transpose()), product);
  }
}

TEST_F(Lt, FactorsAndAMatrixC) {
  const Numbers a = random_numbers(3, 3, 1);
  const Numbers c = random_numbers(3, 3, 2);
  const DeviceMatrix<float> device_a(a, 3), device_d(c, 3);
  const Layout layout(CUDA_R_32F, 3, 3, 3);
  ASSERT_EQ(
      matmul(device_a.get(), layout, device_a.get(), layout, device_d.get(), layout, -0.5f, 2.0f),
      CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(device_d.numbers(), -0.5 * a * a + 2 * c);
}

TEST_F(Lt, WrongDescriptions) {
  const DeviceMatrix<float> memory(8, 8, 8);
  const Layout square(CUDA_R_32F, 8, 8, 8), other(CUDA_R_32F, 8, 7, 8), narrow(CUDA_R_32F, 8, 8, 7);
  float* const data = memory.get();
  EXPECT_EQ(matmul(data, other, data, square, data, square), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("argument 4, Bdesc, is 8 x 8; it must be such that op(B) has as many rows"));
  EXPECT_EQ(matmul(data, square, data, other, data, square), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("argument 4, Bdesc, is 8 x 7; it must be such that op(B) has 8 columns"));
  EXPECT_EQ(matmul(data, narrow, data, square, data, square), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("argument 3, Adesc, is of leading dimension 7"));
  const Layout half(CUDA_R_16F, 8, 8, 8);
  EXPECT_EQ(matmul(data, half, data, square, data, square), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_TRUE(reported("no product is defined for A of CUDA_R_16F"));
  ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU_AUX), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul(data, square, data, square, data, square), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_TRUE(reported("is of epilogue 130"));
  ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul(data, square, data, square, data, square), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("CUBLASLT_MATMUL_DESC_BIAS_POINTER, is null"));
  EXPECT_EQ(set(CUBLASLT_MATMUL_DESC_TRANSA, std::int64_t{0}), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("argument 4, sizeInBytes, is 8; it must be 4"));
  EXPECT_EQ(set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<void*>(data)),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_TRUE(reported("argument 2, attr"));
  EXPECT_EQ(cublasLtMatrixLayoutDestroy(nullptr), CUBLAS_STATUS_INVALID_VALUE);
}

// A matrix that begins at the second number of an allocation is a multiple of 4 bytes only.
TEST_F(Lt, PointersAreAsAlignedAsTheHeuristicWasTold) {
  const DeviceMatrix<float> memory(9, 24, 9);
  float* const data = memory.get();
  ASSERT_EQ(cudaMemset(data, 0, 9 * 24 * sizeof(float)), cudaSuccess);
  const Layout square(CUDA_R_32F, 8, 8, 8);
  EXPECT_EQ(matmul(data + 1, square, data + 68, square, data + 132, square),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(
      reported("argument 4, A, is a multiple of 4 bytes only; it must be a multiple of 16"));
  EXPECT_EQ(matmul(data, square, data + 68, square, data + 133, square),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("argument 11, D, is a multiple of 4 bytes only"));

  // Without an algorithm the library looks at the pointers itself.
  const float alpha = 1, beta = 0;
  EXPECT_EQ(
      cublasLtMatmul(lt_, description_, &alpha, data + 1, square.get, data + 68, square.get, &beta,
                     data + 132, square.get, data + 132, square.get, nullptr, nullptr, 0, nullptr),
      CUBLAS_STATUS_SUCCESS);
  const std::uint32_t least = 4;
  ASSERT_EQ(cublasLtMatmulPreferenceSetAttribute(
                preference_, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &least, sizeof(least)),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul(data + 1, square, data + 68, square, data + 132, square), CUBLAS_STATUS_SUCCESS);
}

TEST_F(Lt, PointersOfEpiloguesAreAsTheHeuristicSawThem) {
  const DeviceMatrix<float> memory(8, 40, 8);
  float* const data = memory.get();
  ASSERT_EQ(cudaMemset(data, 0, 8 * 40 * sizeof(float)), cudaSuccess);
  const Layout square(CUDA_R_32F, 8, 8, 8);
  ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_GELU_AUX_BIAS),
            CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{8}), CUBLAS_STATUS_SUCCESS);
  // As the heuristic sees them, and as the product is made with them.
  const auto multiply = [&](float* seen_bias, float* seen_auxiliary, float* bias,
                            float* auxiliary) {
    cublasLtMatmulHeuristicResult_t result{};
    int found = 0;
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, seen_bias);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, seen_auxiliary);
    EXPECT_EQ(cublasLtMatmulAlgoGetHeuristic(lt_, description_, square.get, square.get, square.get,
                                             square.get, preference_, 1, &result, &found),
              CUBLAS_STATUS_SUCCESS);
    set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, auxiliary);
    const float alpha = 1, beta = 0;
    return cublasLtMatmul(lt_, description_, &alpha, data, square.get, data, square.get, &beta,
                          data + 64, square.get, data + 64, square.get, &result.algo, nullptr, 0,
                          nullptr);
  };
  float* const bias = data + 128;
  float* const auxiliary = data + 160;
  EXPECT_EQ(multiply(bias, auxiliary, bias + 4, auxiliary + 8), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(multiply(bias + 1, auxiliary + 2, bias + 2, auxiliary + 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(multiply(nullptr, auxiliary, bias + 2, auxiliary), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("argument 2, CUBLASLT_MATMUL_DESC_BIAS_POINTER, is a multiple of 8 bytes"));
  EXPECT_EQ(multiply(bias, auxiliary, bias, auxiliary + 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, is a multiple of 4 bytes"));
  ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, std::int64_t{68}),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(matmul(data, square, data, square, data + 64, square), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(
      reported("CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE 68; it must be of a multiple"));
}

TEST_F(Lt, AttributesAreReadBack) {
  std::size_t written = 0;
  EXPECT_EQ(cublasLtMatmulDescGetAttribute(description_, CUBLASLT_MATMUL_DESC_TRANSB, nullptr, 0,
                                           &written),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(written, sizeof(std::int32_t));
  ASSERT_EQ(set(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_T), CUBLAS_STATUS_SUCCESS);
  std::int32_t operation = -1;
  EXPECT_EQ(cublasLtMatmulDescGetAttribute(description_, CUBLASLT_MATMUL_DESC_TRANSB, &operation,
                                           sizeof(operation), nullptr),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(operation, CUBLAS_OP_T);
  std::size_t workspace = 32 << 20;
  EXPECT_EQ(
      cublasLtMatmulPreferenceSetAttribute(preference_, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                           &workspace, sizeof(workspace)),
      CUBLAS_STATUS_SUCCESS);
  std::size_t read = 0;
  EXPECT_EQ(
      cublasLtMatmulPreferenceGetAttribute(preference_, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                           &read, sizeof(read), &written),
      CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(read, workspace);
}

}  // namespace
