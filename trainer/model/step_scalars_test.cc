// Each micro-batch of a step sees the step's own scalars: by them weights are rounded at random, so
// that a step that is repeated after a resume must have what it had before.

#include "kernels/step_scalars.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cuda_check.h"
#include "kernels/device_buffer.h"
#include "kernels/training_pass.h"
#include "trainer/model/learner.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

constexpr std::int64_t kMostPasses = 16;

// The scalars that each pass has found in device memory.
struct Passes {
  DeviceBuffer<StepScalars> seen{kMostPasses};
  std::int64_t count = 0;
};

Passes& passes() {
  static Passes passes;
  return passes;
}

}  // namespace

std::string training_pass_supports(const ModelConfig&) { return ""; }

TrainingPassBytes training_pass_bytes(const ModelConfig&, int, int) { return {}; }

// Learns nothing, and remembers its scalars.
void training_pass(const ParameterLayout& layout, const float*, const int*, const int*,
                   float* losses, float* gradients, const StepScalars* scalars, float, int B, int T,
                   Accumulate, const Launch& launch) {
  const auto bytes = [](std::int64_t count) { return static_cast<std::size_t>(count) * 4; };
  CUDA_CHECK(cudaMemcpyAsync(passes().seen.data() + passes().count++, scalars, sizeof *scalars,
                             cudaMemcpyDeviceToDevice, launch.stream));
  CUDA_CHECK(cudaMemsetAsync(losses, 0, bytes(std::int64_t{B} * T), launch.stream));
  CUDA_CHECK(cudaMemsetAsync(gradients, 0, bytes(layout.size()), launch.stream));
}

namespace {

TEST(StepScalarsTest, AreTheStepsOwnFromItsFirstMicroBatchOn) {
  constexpr int kMicroBatches = 3;
  Learner learner(test_model(), 1, 4, kMicroBatches);
  // As after a resume: the first step is not the first of the run.
  for (const std::int64_t step : {41, 42, 43}) {
    learner.begin({.step = step, .seed = 7, .learning_rate = 0.5f});
    learner.enqueue_step({.max_norm = 1});
    learner.outcome();
  }
  const std::vector<StepScalars> seen = passes().seen.to_host();
  ASSERT_EQ(passes().count, 3 * kMicroBatches);
  for (std::size_t i = 0; i < 3 * kMicroBatches; ++i) {
    EXPECT_EQ(seen[i].step, 41 + static_cast<std::int64_t>(i / kMicroBatches)) << "pass " << i;
    EXPECT_EQ(seen[i].seed, 7u);
    EXPECT_EQ(seen[i].learning_rate, 0.5f);
  }
}

}  // namespace
}  // namespace andrea
