// The product's bits do not depend on the number of threads, nor on the width of the registers'
// blocks.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "simulator/blas/micro_kernel.h"
#include "simulator/blas/product.h"

namespace simulator::blas {
namespace {

std::vector<float> random_floats(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = uniform(generator);
  return numbers;
}

TEST(Threads, GiveTheSameBits) {
  const std::size_t m = 1100, n = 97, k = 300;
  const std::vector<float> a = random_floats(m * k, 1);
  const std::vector<float> b = random_floats(k * n, 2);
  std::vector<float> one(m * n), three(m * n);
  Product product;
  product.size = {m, n, k, 1};
  product.a = in_columns(a.data(), CUDA_R_32F, m);
  product.b = in_columns(b.data(), CUDA_R_32F, k);
  product.d = in_columns(one.data(), CUDA_R_32F, m);
  compute(product, 1.5, 0, 1);
  product.d = in_columns(three.data(), CUDA_R_32F, m);
  compute(product, 1.5, 0, 3);
  EXPECT_EQ(std::memcmp(one.data(), three.data(), m * n * sizeof(float)), 0);

  // And each sum is as a plain loop in that order adds it up, but for the rounding of products.
  for (const std::size_t i : {std::size_t{0}, std::size_t{777}, m - 1}) {
    double sum = 0;
    for (std::size_t p = 0; p < k; ++p) sum += double{a[i + p * m]} * double{b[p + 96 * k]};
    EXPECT_NEAR(one[i + 96 * m], 1.5 * sum, 1e-4);
  }
}

// All kernels that this machine can run.
TEST(MicroKernels, OfEveryWidthAgree) {
  std::vector<MicroKernel<float>> kernels = {kBaselineKernels.of_float};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    kernels.push_back(kAvx2Kernels.of_float);
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    kernels.push_back(kAvx512Kernels.of_float);
  }
  for (const MicroKernel<float>& kernel : kernels) {
    const std::size_t depth = 37;
    const std::size_t leading = kernel.rows + 3;
    std::vector<float> a(kernel.rows * depth), b(kernel.columns * depth);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2;
    std::vector<float> sums(leading * kernel.columns, 1);
    kernel.run(a.data(), b.data(), depth, sums.data(), leading);
    for (std::size_t j = 0; j < kernel.columns; ++j) {
      for (std::size_t i = 0; i < leading; ++i) {
        float expected = 1;
        for (std::size_t p = 0; i < kernel.rows && p < depth; ++p) {
          expected += a[i + p * kernel.rows] * b[j + p * kernel.columns];
        }
        ASSERT_EQ(sums[i + j * leading], expected) << kernel.rows << ": " << i << ", " << j;
      }
    }
  }
}

}  // namespace
}  // namespace simulator::blas
