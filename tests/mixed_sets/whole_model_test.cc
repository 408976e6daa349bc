// A model of the `cpu` set under the checker, in memory that nobody has written but who says so:
// what an operation leaves undeclared the next one reads as never written, and what it declares too
// much lies outside of its buffers.

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/adamw.h"
#include "kernels/cross_entropy.h"
#include "kernels/cuda_check.h"
#include "kernels/decode.h"
#include "kernels/device_buffer.h"
#include "kernels/global_norm.h"
#include "kernels/parameter_layout.h"
#include "kernels/transformer.h"
#include "tests/harness/model_inputs.h"
#include "tests/harness/random_inputs.h"
#include "tests/kernels/model_cases.h"
#include "tests/mixed_sets/kernels.h"
#include "tests/mixed_sets/reports.h"

namespace andrea {
namespace {

using WholeModelTest = ReportsTest;

template <typename T = std::byte>
class Unwritten {
 public:
  explicit Unwritten(std::size_t count) : bytes_(count * sizeof(T)) {
    CUDA_CHECK(cudaMalloc(&data_, bytes_));
  }
  ~Unwritten() { CUDA_CHECK(cudaFree(data_)); }
  Unwritten(const Unwritten&) = delete;
  Unwritten& operator=(const Unwritten&) = delete;

  T* data() { return static_cast<T*>(data_); }
  std::size_t bytes() const { return bytes_; }

  // To the host, where bytes that nobody has written are noticed.
  std::vector<T> values() const {
    std::vector<T> result(bytes_ / sizeof(T));
    CUDA_CHECK(cudaMemcpy(result.data(), data_, bytes_, cudaMemcpyDeviceToHost));
    return result;
  }

 private:
  std::size_t bytes_;
  void* data_ = nullptr;
};

std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

// All that a step of training calls, twice, the second time adding to the gradients.
void train(const ParameterLayout& layout, DeviceBuffer<float>& parameters, RandomInputs& random) {
  constexpr int B = 2;
  constexpr int T = 13;
  constexpr int N = B * T;
  const ModelConfig& config = layout.config();
  const DeviceBuffer<int> tokens(random.integers(N, config.vocabulary));
  const DeviceBuffer<int> targets(random.integers(N, config.vocabulary));
  const int stride = config.padded_vocabulary();
  Unwritten<float> logits(size(std::int64_t{N} * stride));
  Unwritten<float> losses(N);
  Unwritten<> saved(transformer_saved_bytes(config, B, T));
  DeviceBuffer<float> gradients(layout.size());
  for (const Accumulate accumulate : {Accumulate::overwrite, Accumulate::add}) {
    Unwritten<> scratch(transformer_scratch_bytes(config, B, T));
    const Launch launch{.scratch = scratch.data(), .scratch_bytes = scratch.bytes()};
    transformer_forward(layout, parameters.data(), tokens.data(), logits.data(), saved.data(), B, T,
                        launch);
    logits.values();
    cross_entropy_forward(logits.data(), targets.data(), losses.data(), N, config.vocabulary,
                          stride, launch);
    cross_entropy_forward_backward(logits.data(), targets.data(), losses.data(), 1.0f / N, N,
                                   config.vocabulary, stride, launch);
    transformer_backward(layout, parameters.data(), tokens.data(), logits.data(), saved.data(),
                         gradients.data(), B, T, accumulate, launch);
  }
  losses.values();

  const DeviceBuffer<StepScalars> scalars(std::vector<StepScalars>(1));
  auto* const on_device = const_cast<StepScalars*>(scalars.data());
  Unwritten<> scratch(global_norm_scratch_bytes(layout.size()));
  const Launch launch{.scratch = scratch.data(), .scratch_bytes = scratch.bytes()};
  DeviceBuffer<float> first_moments(layout.size());
  DeviceBuffer<float> second_moments(layout.size());
  global_norm(gradients.data(), layout.size(), 1.0f, on_device, launch);
  adamw(parameters.data(), gradients.data(), first_moments.data(), second_moments.data(),
        layout.size(), layout.decayed(), {}, on_device, launch);
  scale(parameters.data(), gradients.data(), 2, static_cast<int>(layout.size()), nullptr);
}

// A prompt in one piece, then token by token, by a vector and by matrices.
void decode(const ParameterLayout& layout, const DeviceBuffer<float>& parameters,
            RandomInputs& random) {
  const ModelConfig& config = layout.config();
  const DeviceBuffer<int> tokens(random.integers(12, config.vocabulary));
  Unwritten<> cache(decode_cache_bytes(config));
  int position = 0;
  for (const int count : {6, 1, 2, 3}) {
    Unwritten<> scratch(decode_scratch_bytes(config));
    Unwritten<float> logits(size(config.padded_vocabulary()));
    decode_forward(layout, parameters.data(), tokens.data() + position, count, position,
                   cache.data(), logits.data(),
                   {.scratch = scratch.data(), .scratch_bytes = scratch.bytes()});
    std::vector<float> values(size(config.vocabulary));
    CUDA_CHECK(cudaMemcpy(values.data(), logits.data(), values.size() * sizeof(float),
                          cudaMemcpyDeviceToHost));
    position += count;
  }
}

TEST_F(WholeModelTest, IsSilent) {
  RandomInputs random;
  for (const auto& [name, config] : model_cases()) {
    SCOPED_TRACE(name);
    const ParameterLayout layout(config);
    DeviceBuffer<float> parameters(random_parameters(layout, random));
    train(layout, parameters, random);
    if (decode_supports(config).empty()) decode(layout, parameters, random);
    EXPECT_EQ(reports(), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace andrea
