// A run that one set of kernels has begun, another goes on with: checkpoints are neither's.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

std::vector<double> trained(const std::string& set, int steps,
                            const std::filesystem::path& folder) {
  const std::string command = std::string(std::getenv(("CARRY_OVER_" + set).c_str())) + " " +
                              std::to_string(steps) + " '" + folder.string() + "'";
  std::vector<double> losses;
  std::FILE* const output = popen(command.c_str(), "r");
  for (double loss = 0; std::fscanf(output, "%lf", &loss) == 1;) losses.push_back(loss);
  EXPECT_EQ(pclose(output), 0) << command;
  return losses;
}

TEST(CarryOverTest, AnotherSetGoesOnWhereOneHasStopped) {
  const TestFolder folder;
  const std::vector<double> whole = trained("CPU", 20, folder.path() / "whole");
  ASSERT_EQ(whole.size(), 20u);
  EXPECT_LT(whole.back(), 0.97 * whole.front());
  const std::vector<std::pair<std::string, std::string>> orders = {{"CPU", "OTHER"},
                                                                   {"OTHER", "CPU"}};
  for (const auto& [begins, goes_on] : orders) {
    const std::filesystem::path shared = folder.path() / begins;
    std::vector<double> losses = trained(begins, 10, shared);
    const std::vector<double> rest = trained(goes_on, 10, shared);
    losses.insert(losses.end(), rest.begin(), rest.end());
    ASSERT_EQ(losses.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_NEAR(losses[i] / whole[i], 1, 1e-4) << begins << " begins, step " << i + 1;
    }
  }
}

}  // namespace
}  // namespace andrea
