#include "trainer/run/followed_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

class FollowedRunTest : public ::testing::Test {
 protected:
  RunFolder with(const std::string& metrics) {
    folder_.write("run/metrics.jsonl", metrics);
    return {folder_.path() / "run"};
  }

  std::string refusal(FollowedRun& run, std::int64_t step, double loss) {
    try {
      run.compare(step, loss);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const TestFolder folder_;
};

TEST_F(FollowedRunTest, SaysHowFarTheLossesAreApart) {
  FollowedRun run(with("{\"step\":1,\"loss\":4}\n{\"step\":2,\"loss\":2}\n"), Precision::fp32);
  EXPECT_NE(run.verdict().find("nothing was compared"), std::string::npos);
  run.compare(1, 4);
  run.compare(2, 2.0001);
  run.compare(3, 7);  // which the other run does not have
  EXPECT_NE(run.verdict().find("The losses of 2 steps are those of"), std::string::npos);
  EXPECT_NE(run.verdict().find("5.0e-05"), std::string::npos) << run.verdict();
}

// Losses of 1 and steps 1, 2, ... in the other run, and these relative differences in this one.
class RoundingTest : public FollowedRunTest {
 protected:
  std::string verdict(const std::vector<double>& differences,
                      Precision precision = Precision::fp32) {
    std::string metrics;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      metrics += text("{\"step\":", i + 1, ",\"loss\":1}\n");
    }
    FollowedRun run(with(metrics), precision);
    for (std::size_t i = 0; i < differences.size(); ++i) {
      run.compare(static_cast<std::int64_t>(i + 1), 1 + differences[i]);
    }
    return run.verdict();
  }
};

// Of nano: all kernels of the solutions.
TEST_F(RoundingTest, RightKernelsAreNotSuspected) {
  std::vector<double> differences = {7.4e-10, -6.0e-10, 1.0e-8, 5.3e-9, 1.6e-8,
                                     3.5e-8,  1.4e-8,   2.2e-8, 2.7e-8, 4.2e-8,
                                     4.6e-8,  4.2e-8,   5.1e-8, 5.1e-8, 6.0e-8};
  EXPECT_TRUE(verdict(differences).ends_with("6.0e-08, and 1e-04 would be let pass."));
  differences.push_back(1.7e-6);  // a loss that jumps once
  differences.push_back(1.1e-7);
  EXPECT_TRUE(verdict(differences).ends_with("1.7e-06, and 1e-04 would be let pass."));
}

// Of nano: the 3 missing in the derivative of GELU.
TEST_F(RoundingTest, AGradientThatIsNearlyRightIs) {
  const std::vector<double> differences = {1.3e-9, 2.1e-8, 6.6e-8, 4.4e-7,
                                           4.6e-7, 4.4e-7, 1.4e-7, 2.7e-7};
  const std::string told = verdict(differences);
  EXPECT_NE(told.find("would be let pass. But at step 4 it is 4.4e-07, and by then rounding alone "
                      "makes less than 1.4e-07: a kernel may be slightly wrong."),
            std::string::npos)
      << told;
  EXPECT_EQ(verdict(differences, Precision::tf32).find("slightly wrong"), std::string::npos);
}

TEST_F(FollowedRunTest, RefusesAnotherLoss) {
  FollowedRun run(with("{\"step\":1,\"loss\":4}\n{\"step\":2,\"loss\":2}\n"), Precision::fp32);
  EXPECT_NE(refusal(run, 1, 4.001).find("at step 1: 4.001000 here and 4.000000 there; before"),
            std::string::npos);
  EXPECT_NE(refusal(run, 2, 1.99).find("a gradient"), std::string::npos);
  EXPECT_NE(refusal(run, 1, std::nan("")), "");
}

TEST_F(FollowedRunTest, LetsTheRoundingOfTheCoarserPrecisionPass) {
  const std::string metrics = "{\"step\":1,\"loss\":4}\n";
  FollowedRun bf16(with(metrics), Precision::bf16);
  bf16.compare(1, 4 * 1.015);
  EXPECT_NE(bf16.verdict().find("1.5e-02, and 2e-02 would be let pass"), std::string::npos)
      << bf16.verdict();
  EXPECT_NE(refusal(bf16, 1, 4 * 1.025), "");
  FollowedRun tf32(with(metrics), Precision::tf32);
  EXPECT_EQ(tf32.tolerance(), 2e-3);

  folder_.write("run/run.json", "{\"options\": {\"precision\": \"bf16\"}}");
  EXPECT_EQ(FollowedRun(with(metrics), Precision::fp32).tolerance(), 2e-2);
  folder_.write("run/run.json", "{\"options\": {\"precision\": \"fp32\"}}");
  EXPECT_EQ(FollowedRun(with(metrics), Precision::fp32).tolerance(), 1e-4);
}

TEST_F(FollowedRunTest, NeedsARunWithLosses) {
  EXPECT_THROW(FollowedRun run(RunFolder{folder_.path() / "nowhere"}, Precision::fp32), Error);
  EXPECT_THROW(FollowedRun run(with(""), Precision::fp32), Error);
}

}  // namespace
}  // namespace andrea
