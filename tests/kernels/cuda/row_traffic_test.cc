// The bytes that the kernels on rows move, against the least that the heads of their files promise:
// every number of memory once. What they ask for again lies in a cache, and is counted apart.

#include <gtest/gtest.h>
#include <simulator/counters.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/adamw.h"
#include "kernels/cuda/embed.h"
#include "kernels/cuda/loss.h"
#include "kernels/cuda/norm.h"
#include "kernels/cuda/rounding.h"
#include "kernels/device_buffer.h"
#include "kernels/global_norm.h"
#include "tests/harness/guarded_tensor.h"

namespace andrea {
namespace {

constexpr int kN = 64, kC = 768, kStride = 8576, kV = 8449;
constexpr std::int64_t kMatrix = std::int64_t{kN} * kC;
constexpr std::int64_t kCount = 100'003;

using Short = __nv_bfloat16;

// All zeros, which is as good as anything to be moved.
class RowTrafficTest : public ::testing::Test {
 protected:
  void SetUp() override {
    simulator::start_counting();
    if (!simulator::stop_counting().counted()) GTEST_SKIP() << simulator::kNotCounted;
  }

  // `least`: between memory and the card, each byte once. `asked`: what the threads ask for, hits
  // of the caches and parts of sectors included, at most.
  void expect_bytes(std::int64_t least, std::int64_t asked, const std::function<void()>& work) {
    simulator::start_counting();
    work();
    const simulator::KernelCounters all = simulator::stop_counting().total();
    const auto moved = static_cast<double>(all.least_bytes_moved());
    EXPECT_NEAR(moved, static_cast<double>(least), 0.01 * static_cast<double>(least));
    EXPECT_LE(all.bytes_moved(), static_cast<std::uint64_t>(asked));
  }

  DeviceBuffer<Short> a_{kMatrix}, b_{kMatrix}, c_{kMatrix}, d_{kMatrix};
  DeviceBuffer<Short> gain_{kC}, bias_{kC};
  DeviceBuffer<float> dgain_{kC}, dbias_{kC}, mean_{kN}, rstd_{kN};
  DeviceBuffer<int> tokens_{kN};
  const cuda::RowStatistics statistics_ = {mean_.data(), rstd_.data()};
};

TEST_F(RowTrafficTest, NormForward) {
  const Workspace workspace(0);
  // Gain and bias lie in the first cache after a block's first row; a statistic is one number of a
  // sector of eight.
  const std::int64_t again = kN * (2 * kC * 2 + 2 * 32);
  expect_bytes(2 * kMatrix * 2 + 2 * kC * 2 + 2 * kN * 4, 2 * kMatrix * 2 + again, [&] {
    cuda::norm_forward(a_.data(), gain_.data(), bias_.data(), b_.data(), statistics_, kN, kC,
                       workspace.launch());
  });
  expect_bytes(4 * kMatrix * 2 + 2 * kC * 2 + 2 * kN * 4, 4 * kMatrix * 2 + again, [&] {
    cuda::residual_norm_forward(a_.data(), b_.data(), gain_.data(), bias_.data(), c_.data(),
                                d_.data(), statistics_, kN, kC, workspace.launch());
  });
}

TEST_F(RowTrafficTest, NormBackward) {
  const Workspace workspace(cuda::norm_backward_scratch_bytes(kN, kC));
  const std::int64_t partial = kN / 8 * 2 * kC * 4;  // of a block for eight rows
  const std::int64_t least = 4 * kMatrix * 2 + kC * 2 + 2 * kN * 4 + 2 * partial + 2 * kC * 4;
  // The gain twice a row, in the first cache.
  expect_bytes(least, least + kN * (2 * kC * 2 + 2 * 32), [&] {
    cuda::norm_backward(a_.data(), b_.data(), gain_.data(), c_.data(), statistics_, d_.data(),
                        dgain_.data(), dbias_.data(), kN, kC, Accumulate::overwrite,
                        workspace.launch());
  });
}

TEST_F(RowTrafficTest, Loss) {
  const std::int64_t N = 4, row = kStride * 2;
  DeviceBuffer<Short> logits(N * kStride);
  DeviceBuffer<float> losses(N);
  const Workspace workspace(0);
  // The second read of a row, just behind the first.
  expect_bytes(2 * N * row, 3 * N * row + N * 4 * 32, [&] {
    cuda::losses_and_gradients(logits.data(), tokens_.data(), losses.data(), 1, N, kV, kStride,
                               workspace.launch());
  });
}

TEST_F(RowTrafficTest, Embedding) {
  std::vector<int> tokens(kN);
  for (int n = 0; n < kN; ++n) tokens[static_cast<std::size_t>(n)] = kN - 1 - n;
  tokens_.upload(tokens);
  const Workspace workspace(0);
  // One row of either table for each of `out`.
  expect_bytes(3 * kMatrix * 2 + kN * 4, 3 * kMatrix * 2 + kN * 32, [&] {
    cuda::embed(tokens_.data(), a_.data(), b_.data(), c_.data(), 1, kN, kC, workspace.launch());
  });
}

TEST_F(RowTrafficTest, Rounding) {
  DeviceBuffer<float> from(kCount);
  DeviceBuffer<Short> to(kCount);
  DeviceBuffer<StepScalars> scalars(1);
  const Workspace workspace(0);
  const std::int64_t warps = kCount / 256 + 1;
  expect_bytes(6 * kCount, 6 * kCount + warps * 2 * 32 + 1024, [&] {
    cuda::round_at_random(from.data(), to.data(), kCount, scalars.data(), workspace.launch());
  });
}

TEST_F(RowTrafficTest, Optimiser) {
  DeviceBuffer<float> parameters(kCount), gradients(kCount), first(kCount), second(kCount);
  DeviceBuffer<StepScalars> scalars(1);
  const Workspace workspace(global_norm_scratch_bytes(kCount));
  const auto partial = static_cast<std::int64_t>(global_norm_scratch_bytes(kCount));
  expect_bytes(4 * kCount, 4 * kCount + 8 * partial + 1024, [&] {
    global_norm(gradients.data(), kCount, 1, scalars.data(), workspace.launch());
  });
  const std::int64_t warps = kCount / 128 + 1;
  expect_bytes(28 * kCount, 28 * kCount + warps * 3 * 32 + 1024, [&] {
    adamw(parameters.data(), gradients.data(), first.data(), second.data(), kCount, kCount / 2,
          AdamWOptions(), scalars.data(), workspace.launch());
  });
}

}  // namespace
}  // namespace andrea
