#include "trainer/run/schedule.h"

#include <gtest/gtest.h>

namespace andrea {
namespace {

TEST(ScheduleTest, RisesToThePeakAndFallsToItsFraction) {
  const Schedule schedule{.peak = 0.004, .final_fraction = 0.1, .warmup = 4, .steps = 14};
  EXPECT_DOUBLE_EQ(schedule.learning_rate(1), 0.001);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(2), 0.002);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(4), 0.004);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(9), 0.0022);  // halfway down: the mean of both ends
  EXPECT_DOUBLE_EQ(schedule.learning_rate(14), 0.0004);
  // A quarter of the way down, (1 + cos(45 degrees)) / 2 = 0.8536 of the difference is left: of
  // steps 6 and 7 it lies between.
  EXPECT_GT(schedule.learning_rate(6), 0.0004 + 0.0036 * 0.8536);
  EXPECT_LT(schedule.learning_rate(7), 0.0004 + 0.0036 * 0.8536);
  for (int step = 5; step < 14; ++step) {
    EXPECT_GT(schedule.learning_rate(step), schedule.learning_rate(step + 1)) << step;
  }
}

TEST(ScheduleTest, WithoutWarmupTheFirstStepIsNearlyThePeak) {
  const Schedule schedule{.peak = 1, .final_fraction = 0, .warmup = 0, .steps = 1000};
  EXPECT_NEAR(schedule.learning_rate(1), 1, 1e-5);
  EXPECT_NEAR(schedule.learning_rate(1000), 0, 1e-15);
}

TEST(ScheduleTest, StaysAtTheEndBeyondTheLastStep) {
  const Schedule schedule{.peak = 2, .final_fraction = 0.25, .warmup = 2, .steps = 10};
  EXPECT_DOUBLE_EQ(schedule.learning_rate(11), 0.5);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(1'000'000), 0.5);
}

// A run may be shorter than its warm-up: the rate rises all the way.
TEST(ScheduleTest, AWarmupLongerThanTheRunNeverReachesThePeak) {
  const Schedule schedule{.peak = 1, .final_fraction = 0.1, .warmup = 100, .steps = 10};
  EXPECT_DOUBLE_EQ(schedule.learning_rate(10), 0.1);
}

TEST(ScheduleTest, AWarmupOfTheWholeRunEndsAtThePeak) {
  const Schedule schedule{.peak = 1, .final_fraction = 0.1, .warmup = 10, .steps = 10};
  EXPECT_DOUBLE_EQ(schedule.learning_rate(10), 1);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(11), 0.1);
}

}  // namespace
}  // namespace andrea
