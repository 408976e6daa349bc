// Vectors, a matrix and vectors, triangles, sums of matrices, and copies; against Eigen.

#include <cmath>
#include <limits>

#include "simulator/tests/blas/blas.h"

namespace {

// The vector's elements, as the rows of a device's matrix with padding.
Numbers as_rows(const Numbers& vector, int increment) {
  return increment > 0 ? Numbers(vector.transpose()) : Numbers(vector.reverse().transpose());
}

class Vectors : public Blas {};

TEST_F(Vectors, AreAddedScaledCopiedSwappedAndTurned) {
  for (const int n : kSizes) {
    for (const int increment : {1, 3, -2}) {
      const int distance = std::abs(increment);
      const Numbers x = random_numbers(n, 1, n);
      const Numbers y = random_numbers(n, 1, n + 1);
      const DeviceMatrix<float> device_x(as_rows(x, increment), distance);
      const DeviceMatrix<float> device_y(as_rows(y, 1), 2);
      const float alpha = -0.5f;
      EXPECT_EQ(cublasSaxpy(handle_, n, &alpha, device_x.get(), increment, device_y.get(), 2),
                CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(device_y.numbers(), as_rows(y - 0.5 * x, 1));
      EXPECT_EQ(cublasSswap(handle_, n, device_x.get(), increment, device_y.get(), 2),
                CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(device_y.numbers(), as_rows(x, 1));
      EXPECT_EQ(device_x.numbers(), as_rows(y - 0.5 * x, increment));
      EXPECT_EQ(cublasScopy(handle_, n, device_y.get(), 2, device_x.get(), increment),
                CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(device_x.numbers(), as_rows(x, increment));
      EXPECT_EQ(cublasSscal(handle_, n, &alpha, device_y.get(), 2), CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(device_y.numbers(), as_rows(-0.5 * x, 1));
      const float c = 2, s = 4;
      EXPECT_EQ(cublasSrot(handle_, n, device_x.get(), increment, device_y.get(), 2, &c, &s),
                CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(device_x.numbers(), as_rows(2 * x - 2 * x, increment));
      EXPECT_EQ(device_y.numbers(), as_rows(-1 * x - 4 * x, 1));
    }
  }
}

TEST_F(Vectors, AreSummedUp) {
  for (const int n : kSizes) {
    const Numbers x = random_numbers(n, 1, 3 * n);
    const Numbers y = random_numbers(n, 1, 3 * n + 1);
    const DeviceMatrix<double> device_x(as_rows(x, 1), 2);
    const DeviceMatrix<double> device_y(as_rows(y, -1), 1);
    double sum = -1;
    EXPECT_EQ(cublasDdot(handle_, n, device_x.get(), 2, device_y.get(), -1, &sum),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(sum, (x.transpose() * y)(0, 0));
    EXPECT_EQ(cublasDasum(handle_, n, device_x.get(), 2, &sum), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(sum, x.cwiseAbs().sum());
    EXPECT_EQ(cublasDnrm2(handle_, n, device_x.get(), 2, &sum), CUBLAS_STATUS_SUCCESS);
    EXPECT_NEAR(sum, x.norm(), 1e-12);
    int position = -1;
    Eigen::Index largest = 0, smallest = 0, column = 0;
    x.cwiseAbs().maxCoeff(&largest, &column);
    x.cwiseAbs().minCoeff(&smallest, &column);
    EXPECT_EQ(cublasIdamax(handle_, n, device_x.get(), 2, &position), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(position, largest + 1);
    EXPECT_EQ(cublasIdamin(handle_, n, device_x.get(), 2, &position), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(position, smallest + 1);
  }
  // Nothing to sum up.
  double sum = -1;
  EXPECT_EQ(cublasDdot(handle_, 0, nullptr, 1, nullptr, 1, &sum), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(sum, 0);
  int position = -1;
  EXPECT_EQ(cublasIsamax(handle_, 0, nullptr, 1, &position), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(position, 0);
}

TEST_F(Vectors, NormsNeitherOverflowNorVanish) {
  for (const double size : {1e-300, 1e300}) {
    const DeviceMatrix<double> x(Numbers::Constant(4, 1, size), 4);
    double norm = 0;
    EXPECT_EQ(cublasDnrm2(handle_, 4, x.get(), 1, &norm), CUBLAS_STATUS_SUCCESS);
    EXPECT_NEAR(norm / size, 2, 1e-12);
  }
}

TEST_F(Vectors, ResultsMayLieOnTheDevice) {
  const DeviceMatrix<float> x(Numbers::Constant(4, 1, 3), 4);
  const DeviceMatrix<float> result(1, 1, 1);
  ASSERT_EQ(cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSnrm2(handle_, 4, x.get(), 1, result.get()), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result.numbers()(0, 0), 6);
  ASSERT_EQ(cublasSetPointerMode(handle_, CUBLAS_POINTER_MODE_HOST), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSnrm2(handle_, 4, x.get(), 1, result.get()), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("argument 5, result, is a pointer into the device's memory"));
}

TEST_F(Vectors, MatrixTimesVector) {
  unsigned seed = 0;
  for (const int m : kSizes) {
    for (const int n : kSizes) {
      for (const cublasOperation_t trans : kOperations) {
        for (const int increment : {1, 2, -2}) {
          const double alpha_number = kFactors[seed % 3];
          const double beta_number = kFactors[seed / 3 % 3];
          const float alpha = static_cast<float>(alpha_number);
          const float beta = static_cast<float>(beta_number);
          const int rows = trans == CUBLAS_OP_N ? m : n;
          const Numbers a = random_numbers(m, n, ++seed);
          const Numbers x = random_numbers(m + n - rows, 1, seed + 1);
          const Numbers y = random_numbers(rows, 1, seed + 2);
          const DeviceMatrix<float> device_a(a, m + 2);
          const DeviceMatrix<float> device_x(as_rows(x, increment), std::abs(increment));
          const DeviceMatrix<float> device_y(as_rows(y, -increment), std::abs(increment));
          ASSERT_EQ(cublasSgemv(handle_, trans, m, n, &alpha, device_a.get(), m + 2, device_x.get(),
                                increment, &beta, device_y.get(), -increment),
                    CUBLAS_STATUS_SUCCESS);
          const Numbers expected = alpha_number * turned(a, trans) * x + beta_number * y;
          ASSERT_EQ(device_y.numbers(), as_rows(expected, -increment));
        }
      }
      const Numbers a = random_numbers(m, n, ++seed);
      const Numbers x = random_numbers(m, 1, seed + 1);
      const Numbers y = random_numbers(n, 1, seed + 2);
      const DeviceMatrix<float> device_a(a, m + 1);
      const DeviceMatrix<float> device_x(as_rows(x, -1), 1);
      const DeviceMatrix<float> device_y(as_rows(y, 1), 3);
      const float alpha = -0.5f;
      ASSERT_EQ(cublasSger(handle_, m, n, &alpha, device_x.get(), -1, device_y.get(), 3,
                           device_a.get(), m + 1),
                CUBLAS_STATUS_SUCCESS);
      ASSERT_EQ(device_a.numbers(), a - 0.5 * x * y.transpose());
    }
  }
}

class Matrices : public Blas {
 protected:
  static constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
  static constexpr cublasSideMode_t kSides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};

  // Only the triangle: the rest is NaN.
  static Numbers triangle(const Numbers& full, cublasFillMode_t fill) {
    Numbers part = full;
    for (int j = 0; j < full.cols(); ++j) {
      for (int i = 0; i < full.rows(); ++i) {
        if (fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j) {
          part(i, j) = std::numeric_limits<double>::quiet_NaN();
        }
      }
    }
    return part;
  }
  static Numbers zeros_outside(const Numbers& full, cublasFillMode_t fill) {
    return fill == CUBLAS_FILL_MODE_LOWER ? Numbers(full.triangularView<Eigen::Lower>())
                                          : Numbers(full.triangularView<Eigen::Upper>());
  }
};

TEST_F(Matrices, SymmetricOnes) {
  for (const int n : kSizes) {
    const int k = 5;
    for (const cublasFillMode_t fill : kFills) {
      for (const cublasOperation_t trans : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        const Numbers a = random_numbers(n, k, n);
        const DeviceMatrix<float> device_a(turned(a, trans), (trans == CUBLAS_OP_N ? n : k) + 1);
        const Numbers c = random_numbers(n, n, n + 1);
        const DeviceMatrix<float> device_c(c, n + 2);
        const float alpha = 1, beta = -0.5f;
        ASSERT_EQ(cublasSsyrk(handle_, fill, trans, n, k, &alpha, device_a.get(),
                              device_a.leading(), &beta, device_c.get(), n + 2),
                  CUBLAS_STATUS_SUCCESS);
        const Numbers full = a * a.transpose() - 0.5 * c;
        const Numbers expected =
            zeros_outside(full, fill) + (c - zeros_outside(c, fill));  // the rest stays
        ASSERT_EQ(device_c.numbers(), expected);
      }
      for (const cublasSideMode_t side : kSides) {
        const int m = side == CUBLAS_SIDE_LEFT ? n : 4;
        const int columns = side == CUBLAS_SIDE_LEFT ? 4 : n;
        const Numbers half = random_numbers(n, n, n + 2);
        const Numbers symmetric = half + half.transpose();
        const Numbers b = random_numbers(m, columns, n + 3);
        const DeviceMatrix<double> device_a(triangle(symmetric, fill), n + 1);
        const DeviceMatrix<double> device_b(b, m);
        const DeviceMatrix<double> device_c(m, columns, m + 1);
        const double alpha = -0.5, beta = 0;
        ASSERT_EQ(cublasDsymm(handle_, side, fill, m, columns, &alpha, device_a.get(), n + 1,
                              device_b.get(), m, &beta, device_c.get(), m + 1),
                  CUBLAS_STATUS_SUCCESS);
        const Numbers expected = -0.5 * (side == CUBLAS_SIDE_LEFT ? symmetric * b : b * symmetric);
        ASSERT_EQ(device_c.numbers(), expected);
      }
    }
  }
}

TEST_F(Matrices, TriangularSystems) {
  for (const int n : {1, 3, 31}) {
    for (const cublasFillMode_t fill : kFills) {
      for (const cublasSideMode_t side : kSides) {
        for (const cublasOperation_t trans : kOperations) {
          for (const cublasDiagType_t diag : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
            const int m = side == CUBLAS_SIDE_LEFT ? n : 4;
            const int columns = side == CUBLAS_SIDE_LEFT ? 4 : n;
            Numbers a = random_numbers(n, n, n) / 64;
            a.diagonal().setConstant(2);
            const Numbers b = random_numbers(m, columns, n + 1);
            const DeviceMatrix<double> device_a(triangle(a, fill), n + 1);
            const DeviceMatrix<double> device_b(b, m + 1);
            const double alpha = -0.5;
            ASSERT_EQ(cublasDtrsm(handle_, side, fill, trans, diag, m, columns, &alpha,
                                  device_a.get(), n + 1, device_b.get(), m + 1),
                      CUBLAS_STATUS_SUCCESS);
            Numbers matrix = zeros_outside(a, fill);
            if (diag == CUBLAS_DIAG_UNIT) matrix.diagonal().setOnes();
            matrix = turned(matrix, trans);
            const Numbers x = device_b.numbers();
            const Numbers product = side == CUBLAS_SIDE_LEFT ? matrix * x : x * matrix;
            ASSERT_LT((product + 0.5 * b).cwiseAbs().maxCoeff(), 1e-9);
          }
        }
      }
    }
  }
}

TEST_F(Matrices, SumsAndTransposes) {
  for (const int m : kSizes) {
    for (const int n : {1, 33}) {
      for (const cublasOperation_t trans : kOperations) {
        const Numbers a = random_numbers(m, n, m);
        const Numbers b = random_numbers(m, n, m + 1);
        const DeviceMatrix<float> device_a(turned(a, trans), (trans == CUBLAS_OP_N ? m : n) + 1);
        const DeviceMatrix<float> device_b(b, m);
        const DeviceMatrix<float> device_c(m, n, m + 3);
        const float one = 1, zero = 0, alpha = -0.5f;
        ASSERT_EQ(cublasSgeam(handle_, trans, CUBLAS_OP_N, m, n, &alpha, device_a.get(),
                              device_a.leading(), &one, device_b.get(), m, device_c.get(), m + 3),
                  CUBLAS_STATUS_SUCCESS);
        ASSERT_EQ(device_c.numbers(), b - 0.5 * a);
        ASSERT_EQ(cublasSgeam(handle_, trans, CUBLAS_OP_N, m, n, &one, device_a.get(),
                              device_a.leading(), &zero, nullptr, m, device_c.get(), m + 3),
                  CUBLAS_STATUS_SUCCESS);
        ASSERT_EQ(device_c.numbers(), a);
      }
      const Numbers a = random_numbers(m, n, m);
      const Numbers x = random_numbers(n, 1, m + 1);
      const DeviceMatrix<float> device_a(a, m);
      const DeviceMatrix<float> device_x(as_rows(x, 1), 2);
      ASSERT_EQ(cublasSdgmm(handle_, CUBLAS_SIDE_RIGHT, m, n, device_a.get(), m, device_x.get(), 2,
                            device_a.get(), m),
                CUBLAS_STATUS_SUCCESS);
      ASSERT_EQ(device_a.numbers(), Numbers(a * x.asDiagonal()));
    }
  }
}

TEST_F(Matrices, AreCopiedBothWays) {
  const std::vector<float> host = {1, 2, 3, 4, 5, 6};
  const DeviceMatrix<float> device(2, 3, 4);
  ASSERT_EQ(cublasSetMatrix(2, 3, sizeof(float), host.data(), 2, device.get(), 4),
            CUBLAS_STATUS_SUCCESS);
  Numbers expected(2, 3);
  expected << 1, 3, 5, 2, 4, 6;
  EXPECT_EQ(device.numbers(), expected);
  std::vector<float> back(9, -1);
  ASSERT_EQ(cublasGetMatrix(2, 3, sizeof(float), device.get(), 4, back.data(), 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(back, (std::vector<float>{1, 2, -1, 3, 4, -1, 5, 6, -1}));
  ASSERT_EQ(cublasSetVector(3, sizeof(float), host.data(), 2, device.get(), 1),
            CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasGetVector(3, sizeof(float), device.get(), 1, back.data(), 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(back, (std::vector<float>{1, 2, -1, 3, 4, -1, 5, 6, -1}));
  EXPECT_EQ(cublasSetVector(3, 0, host.data(), 1, device.get(), 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_TRUE(reported("argument 2, elemSize"));
}

}  // namespace
