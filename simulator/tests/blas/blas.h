// File: blas.h
//
// What the tests of the BLAS calls share: memory of the device that is filled with small whole
// numbers and halves (so that sums are exact and results can be compared for equality), matrices
// with padding between their columns that must stay as it is, and a look at what was reported.

#ifndef ANDREA_SIMULATOR_TESTS_BLAS_BLAS_H_
#define ANDREA_SIMULATOR_TESTS_BLAS_BLAS_H_

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "simulator/runtime/report.h"

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
using Numbers = Matrix<double>;

inline constexpr int kSizes[] = {1, 2, 3, 31, 33, 97};
inline constexpr double kFactors[] = {0, 1, -0.5};
inline constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

// Whole numbers from -4 to 4: exact in every type, and so are sums of a few hundred products.
inline Numbers random_numbers(int rows, int columns, unsigned seed) {
  std::mt19937 generator(seed);
  Numbers numbers(rows, columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) numbers(i, j) = static_cast<int>(generator() % 9) - 4;
  }
  return numbers;
}

template <typename T>
double to_double(T element) {
  if constexpr (sizeof(T) == 2) {
    return static_cast<float>(element);
  } else {
    return static_cast<double>(element);
  }
}

template <typename T>
T from_double(double number) {
  if constexpr (sizeof(T) == 2) {
    return static_cast<T>(static_cast<float>(number));
  } else {
    return static_cast<T>(number);
  }
}

// A matrix in the device's memory, in columns that lie `leading` apart. The padding holds a
// pattern.
template <typename T>
class DeviceMatrix {
 public:
  DeviceMatrix(const Numbers& numbers, int leading)
      : DeviceMatrix(numbers.rows(), numbers.cols(), leading) {
    set(numbers);
  }
  DeviceMatrix(int rows, int columns, int leading)
      : rows_(rows), columns_(columns), leading_(leading) {
    if (count() == 0) return;
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()), cudaSuccess);
    std::vector<unsigned char> pattern(bytes(), kPattern);
    EXPECT_EQ(cudaMemcpy(data_, pattern.data(), bytes(), cudaMemcpyHostToDevice), cudaSuccess);
  }
  DeviceMatrix(const DeviceMatrix&) = delete;
  DeviceMatrix& operator=(const DeviceMatrix&) = delete;
  ~DeviceMatrix() { cudaFree(data_); }

  T* get() const { return data_; }
  int leading() const { return leading_; }

  void set(const Numbers& numbers) {
    std::vector<T> host = copy();
    for (int j = 0; j < columns_; ++j) {
      for (int i = 0; i < rows_; ++i) host[i + j * leading_] = from_double<T>(numbers(i, j));
    }
    cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice);
  }

  // Checks the padding, too.
  Numbers numbers() const {
    const std::vector<T> host = copy();
    Numbers numbers(rows_, columns_);
    std::vector<unsigned char> pattern(sizeof(T), kPattern);
    for (int j = 0; j < columns_; ++j) {
      for (int i = 0; i < rows_; ++i) numbers(i, j) = to_double(host[i + j * leading_]);
      for (int i = rows_; i < leading_; ++i) {
        EXPECT_EQ(std::memcmp(&host[i + j * leading_], pattern.data(), sizeof(T)), 0)
            << "padding at " << i << ", " << j;
      }
    }
    return numbers;
  }

 private:
  static constexpr unsigned char kPattern = 0xff;  // NaN in every floating-point type

  std::size_t count() const { return static_cast<std::size_t>(leading_) * columns_; }
  std::size_t bytes() const { return count() * sizeof(T); }
  std::vector<T> copy() const {
    std::vector<T> host(count());
    cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost);
    return host;
  }

  int rows_;
  int columns_;
  int leading_;
  T* data_ = nullptr;
};

class Blas : public ::testing::Test {
 protected:
  void SetUp() override {
    cudaDeviceReset();
    simulator::forget_published();
    ASSERT_EQ(cublasCreate(&handle_), CUBLAS_STATUS_SUCCESS);
  }
  // Reports of errors would make the program end with status 86.
  void TearDown() override {
    EXPECT_EQ(cublasDestroy(handle_), CUBLAS_STATUS_SUCCESS);
    EXPECT_TRUE(simulator::published().empty()) << simulator::published().front().sentence;
    cudaDeviceReset();
    simulator::forget_published();
  }

  // Whether just this was reported since the last call.
  static ::testing::AssertionResult reported(const std::string& words, bool error = false) {
    const std::vector<simulator::Report> reports = simulator::published();
    simulator::forget_published();
    if (reports.size() != 1) {
      return ::testing::AssertionFailure() << reports.size() << " reports";
    }
    const simulator::Report& report = reports.front();
    if (report.kind != "cublas" || report.error != error ||
        report.sentence.find(words) == std::string::npos) {
      return ::testing::AssertionFailure() << report.kind << ": " << report.sentence;
    }
    return ::testing::AssertionSuccess();
  }

  cublasHandle_t handle_ = nullptr;
};

inline Numbers turned(const Numbers& numbers, cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? numbers : Numbers(numbers.transpose());
}

#endif  // ANDREA_SIMULATOR_TESTS_BLAS_BLAS_H_
