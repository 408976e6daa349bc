#include "trainer/run/gemm_ceiling.h"

#include <simulator/reports.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <vector>

#include "kernels/activation.h"
#include "kernels/cuda_check.h"
#include "kernels/device_buffer.h"
#include "kernels/dot_similarity.h"
#include "kernels/linear.h"
#include "trainer/run/cublas_products.h"

namespace andrea {
namespace {

struct Product {
  int in, out;
};

// One layer's products with buffers that are large enough for any of the model's.
class ProductRunner {
 public:
  ProductRunner(int N, int widest, std::int64_t largest_weight)
      : N_(N),
        input_(std::int64_t{N} * widest),
        output_(std::int64_t{N} * widest),
        gradient_(std::int64_t{N} * widest),
        weight_(largest_weight),
        weight_gradient_(largest_weight) {
    // Zeros may be multiplied more quickly than other numbers, or denormal results more slowly.
    fill(input_, 0.5f);
    fill(output_, 0.25f);
    fill(weight_, 0.125f);
  }

  void linear(const Product& p) {
    linear_forward(input_.data(), weight_.data(), nullptr, output_.data(), N_, p.in, p.out, {});
    linear_backward(output_.data(), input_.data(), weight_.data(), gradient_.data(),
                    weight_gradient_.data(), nullptr, N_, p.in, p.out, Accumulate::overwrite, {});
  }

  void dot_similarity(int M, int C) {
    dot_similarity_forward(input_.data(), weight_.data(), output_.data(), N_, M, C, M, {});
    dot_similarity_backward(output_.data(), input_.data(), weight_.data(), gradient_.data(),
                            weight_gradient_.data(), N_, M, C, M, Accumulate::overwrite, {});
  }

 private:
  static void fill(DeviceBuffer<float>& buffer, float value) {
    buffer.upload(std::vector<float>(static_cast<std::size_t>(buffer.size()), value));
  }

  int N_;
  DeviceBuffer<float> input_, output_, gradient_, weight_, weight_gradient_;
};

std::vector<Product> products_of_block(const ModelConfig& config) {
  const int C = config.width;
  const int F = config.mlp_width;
  return {{C, 3 * C}, {C, C}, {C, activation_input_width(config.activation, F)}, {F, C}};
}

ProductRunner runner_for(const ModelConfig& config, int N) {
  int widest = config.padded_vocabulary();
  std::int64_t largest = std::int64_t{config.padded_vocabulary()} * config.width;
  for (const Product& p : products_of_block(config)) {
    widest = std::max({widest, p.in, p.out});
    largest = std::max(largest, std::int64_t{p.in} * p.out);
  }
  return {N, widest, largest};
}

// When all that has been asked for is done.
double seconds_now() {
  CUDA_CHECK(cudaDeviceSynchronize());
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// FLOP/s of the best pass over all products, each of which is multiplied three times.
double best_rate(const std::vector<Product>& products, int N,
                 const std::function<void(const Product&)>& multiply) {
  double flops_per_pass = 0;
  for (const Product& p : products) flops_per_pass += 6.0 * N * p.in * p.out;
  double best = 0;
  const double begin = seconds_now();
  for (int pass = 0; pass < 3 || seconds_now() - begin < 0.1; ++pass) {
    const double start = seconds_now();
    for (const Product& product : products) multiply(product);
    best = std::max(best, flops_per_pass / (seconds_now() - start));
  }
  return best;
}

}  // namespace

double gemm_floor_seconds(const ModelConfig& config, int N, int repeats) {
  ProductRunner runner = runner_for(config, N);
  double best = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const double start = seconds_now();
    for (int layer = 0; layer < config.layers; ++layer) {
      for (const Product& product : products_of_block(config)) runner.linear(product);
    }
    runner.dot_similarity(config.padded_vocabulary(), config.width);
    best = std::min(best, seconds_now() - start);
  }
  return best;
}

double gemm_ceiling(const ModelConfig& config, int N) {
  if (!simulator::simulated()) return cublas_ceiling(config, N);
  ProductRunner runner = runner_for(config, N);
  return best_rate(products_of_block(config), N,
                   [&runner](const Product& product) { runner.linear(product); });
}

double cublas_ceiling(const ModelConfig& config, int N) {
  // More rows multiply no quicker, and take the memory of a whole step.
  N = std::min(N, 1 << 14);
  int widest = 0;
  std::int64_t largest = 0;
  for (const Product& p : products_of_block(config)) {
    widest = std::max({widest, p.in, p.out});
    largest = std::max(largest, std::int64_t{p.in} * p.out);
  }
  CublasProducts products(config.precision, N, widest, largest);
  return best_rate(products_of_block(config), N, [&products](const Product& product) {
    products.enqueue_linear(product.in, product.out);
  });
}

}  // namespace andrea
