#include "trainer/run/cublas_products.h"

#include <cuda_bf16.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/cuda_check.h"
#include "trainer/model/test_model.h"
#include "trainer/run/gemm_ceiling.h"

namespace andrea {
namespace {

constexpr int kN = 5, kIn = 8, kOut = 24;

// Of a buffer in the given precision.
std::vector<double> numbers(const DeviceBuffer<char>& buffer, Precision precision) {
  const std::vector<char> bytes = buffer.to_host();
  const std::size_t size = precision == Precision::bf16 ? 2 : 4;
  std::vector<double> result;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    __nv_bfloat16 rounded;
    float number = 0;
    if (size == 2) {
      std::memcpy(&rounded, &bytes[at], size);
      number = __bfloat162float(rounded);
    } else {
      std::memcpy(&number, &bytes[at], size);
    }
    result.push_back(number);
  }
  return result;
}

// a [rows, shared] b [shared, columns] with strides for each index.
double element(const std::vector<double>& a, int a_first, int a_step, const std::vector<double>& b,
               int b_first, int b_step, int shared) {
  double sum = 0;
  for (int k = 0; k < shared; ++k) {
    sum += a[static_cast<std::size_t>(a_first + k * a_step)] *
           b[static_cast<std::size_t>(b_first + k * b_step)];
  }
  return sum;
}

TEST(CublasProductsTest, AreThoseOfALinearLayer) {
  for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
    CublasProducts products(precision, kN, kOut, kIn * kOut);
    products.enqueue_linear(kIn, kOut);
    CUDA_CHECK(cudaDeviceSynchronize());
    const std::vector<double> x = numbers(products.x(), precision);
    const std::vector<double> W = numbers(products.weight(), precision);
    const std::vector<double> dy = numbers(products.dy(), precision);
    const std::vector<double> y = numbers(products.y(), precision);
    const std::vector<double> dx = numbers(products.dx(), precision);
    const std::vector<float> dW = products.dweight().to_host();
    // Sums of at most 24 products below 1: half a unit in the last place of 8 bits, or of 11 in
    // each factor.
    const double tolerance = precision == Precision::bf16   ? 0.04
                             : precision == Precision::tf32 ? 0.02
                                                            : 1e-5;
    for (int n = 0; n < kN; ++n) {
      for (int o = 0; o < kOut; ++o) {
        EXPECT_NEAR(y[static_cast<std::size_t>(n * kOut + o)],
                    element(x, n * kIn, 1, W, o, kOut, kIn), tolerance);
      }
      for (int i = 0; i < kIn; ++i) {
        EXPECT_NEAR(dx[static_cast<std::size_t>(n * kIn + i)],
                    element(dy, n * kOut, 1, W, i * kOut, 1, kOut), tolerance);
      }
    }
    for (int i = 0; i < kIn; ++i) {
      for (int o = 0; o < kOut; ++o) {
        EXPECT_NEAR(dW[static_cast<std::size_t>(i * kOut + o)], element(x, i, kIn, dy, o, kOut, kN),
                    tolerance);
      }
    }
  }
}

TEST(CublasProductsTest, HaveARate) {
  ModelConfig config = test_model();
  config.width = 32;
  config.mlp_width = 64;
  for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
    config.precision = precision;
    const double rate = cublas_ceiling(config, 16);
    EXPECT_GT(rate, 0);
    EXPECT_TRUE(std::isfinite(rate));
  }
}

}  // namespace
}  // namespace andrea
