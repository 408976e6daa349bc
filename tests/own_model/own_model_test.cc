// The whole model out of the lessons' kernels, as their solutions have them, and out of the cuda
// set's, against the cpu set: the same losses step by step, and no report of the checker.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace andrea {
namespace {

struct Step {
  double loss, norm;
};

struct Training {
  std::vector<Step> steps;
  int status;
};

Training trained(const std::string& set, int steps, const std::string& precision = "fp32") {
  const std::string command = std::string(std::getenv(("LOSSES_" + set).c_str())) + " " +
                              std::to_string(steps) + " " + precision;
  Training result{};
  std::FILE* const output = popen(command.c_str(), "r");
  Step step;
  while (std::fscanf(output, "%lf %lf", &step.loss, &step.norm) == 2) result.steps.push_back(step);
  result.status = pclose(output);
  return result;
}

void expect_same(const Training& own, const Training& cpu, double tolerance) {
  ASSERT_EQ(own.status, 0);
  ASSERT_EQ(own.steps.size(), cpu.steps.size());
  for (std::size_t i = 0; i < own.steps.size(); ++i) {
    EXPECT_NEAR(own.steps[i].loss / cpu.steps[i].loss, 1, tolerance) << "step " << i + 1;
    EXPECT_NEAR(own.steps[i].norm / cpu.steps[i].norm, 1, 10 * tolerance) << "step " << i + 1;
  }
}

TEST(OwnModelTest, FollowsTheCpuSet) {
  const Training cpu = trained("CPU", 50);
  ASSERT_EQ(cpu.steps.size(), 50u);
  EXPECT_NEAR(cpu.steps.front().loss, std::log(97), 0.1);
  EXPECT_LT(cpu.steps.back().loss, 0.8 * cpu.steps.front().loss);
  expect_same(trained("FAST", 50), cpu, 1e-4);
}

TEST(OwnModelTest, StaysWithoutReportUnderTheChecker) {
  expect_same(trained("CHECK", 2), trained("CPU", 2), 1e-4);
}

TEST(CudaSetTest, FollowsTheCpuSet) {
  expect_same(trained("CUDA_FAST", 50), trained("CPU", 50), 1e-4);
}

// Weights that are rounded at random go ways of their own; how far is seen, not derived. A gradient
// that lacks one of its parts is farther off after these steps by far.
TEST(CudaSetTest, FollowsTheCpuSetInBf16) {
  expect_same(trained("CUDA_FAST", 50, "bf16"), trained("CPU", 50), 0.02);
}

TEST(CudaSetTest, StaysWithoutReportUnderTheChecker) {
  expect_same(trained("CUDA_CHECK", 2), trained("CPU", 2), 1e-4);
  expect_same(trained("CUDA_CHECK", 2, "bf16"), trained("CPU", 2), 0.02);
}

}  // namespace
}  // namespace andrea
