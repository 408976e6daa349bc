#include "trainer/run/followed_run.h"

#include <gtest/gtest.h>

#include <cmath>

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
