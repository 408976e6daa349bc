#include "trainer/report/axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace andrea {
namespace {

std::string labels(const Axis& axis, int at_most, bool whole = false) {
  std::string joined;
  for (const Tick& tick : axis.ticks(at_most, whole)) {
    joined += (joined.empty() ? "" : " ") + tick.label;
  }
  return joined;
}

TEST(Axis, PlacesValuesAndMarksRoundNumbers) {
  const Axis axis(Scale::linear, 0, 2000);
  EXPECT_DOUBLE_EQ(axis.position(500), 0.25);
  EXPECT_EQ(labels(axis, 5), "0 500 1,000 1,500 2,000");
  EXPECT_EQ(labels(axis, 3), "0 1,000 2,000");
}

TEST(Axis, LabelsHaveTheDigitsThatTellTicksApart) {
  EXPECT_EQ(labels(Axis(Scale::linear, 0, 0.003), 5), "0 0.001 0.002 0.003");
  EXPECT_EQ(labels(Axis(Scale::linear, 0.3, 0.5), 6), "0.30 0.35 0.40 0.45 0.50");
  EXPECT_EQ(labels(Axis(Scale::linear, 0, 3e-7), 4), "0 10⁻⁷ 2 × 10⁻⁷ 3 × 10⁻⁷");
  EXPECT_EQ(labels(Axis(Scale::linear, -10, 10), 3), "−10 0 10");
}

TEST(Axis, StepsAreWholeNumbers) {
  EXPECT_EQ(labels(Axis(Scale::linear, 0, 2), 6, true), "0 1 2");
  EXPECT_EQ(labels(Axis(Scale::linear, 0, 1), 6, true), "0 1");
}

TEST(Axis, LogarithmicAxisMarksAsManyNumbersAsThereIsRoomFor) {
  const Axis decades(Scale::logarithmic, 1, 1000);
  EXPECT_DOUBLE_EQ(decades.position(10), 1.0 / 3);
  EXPECT_EQ(labels(decades, 6), "1 10 100 1,000");
  EXPECT_EQ(labels(decades, 7), "1 3 10 30 100 300 1,000");
  EXPECT_EQ(labels(Axis(Scale::logarithmic, 1, 8.5), 6), "1 2 3 5 7");
  EXPECT_EQ(labels(Axis(Scale::logarithmic, 1, 1e12), 4), "1 10,000 100,000,000 1,000,000,000,000");
}

TEST(Axis, NarrowLogarithmicAxisHasLinearTicks) {
  EXPECT_EQ(labels(Axis(Scale::logarithmic, 2.1, 2.9), 5), "2.2 2.4 2.6 2.8");
}

TEST(Axis, LogarithmicAxisHasNoPlaceForZero) {
  const Axis axis(Scale::logarithmic, 1, 10);
  EXPECT_TRUE(std::isnan(axis.position(0)));
  EXPECT_TRUE(std::isnan(axis.position(-1)));
  EXPECT_TRUE(std::isnan(axis.position(NAN)));
  EXPECT_TRUE(std::isnan(Axis(Scale::linear, 0, 1).position(INFINITY)));
}

TEST(Axis, ConstantIsDrawnInTheMiddleOfARange) {
  EXPECT_DOUBLE_EQ(Axis(Scale::linear, 5, 5).position(5), 0.5);
  EXPECT_DOUBLE_EQ(Axis(Scale::linear, 0, 0).position(0), 0);
  EXPECT_DOUBLE_EQ(Axis(Scale::logarithmic, 5, 5).position(5), 0.5);
  // So close together that no double lies between them.
  EXPECT_EQ(labels(Axis(Scale::linear, 1, std::nextafter(1, 2)), 4), "0.5 1.0 1.5");
}

TEST(Axis, TicksAreFewAndInsideForEveryRange) {
  for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
    for (double low = 1e-100; low < 1e100; low *= 3.7e7) {
      for (double ratio = 1.00001; ratio < 1e50; ratio *= 7.3) {
        const Axis axis(scale, low, low * ratio);
        const std::vector<Tick> ticks = axis.ticks(6);
        ASSERT_GE(ticks.size(), 1u) << low << " " << ratio;
        ASSERT_LE(ticks.size(), 6u) << low << " " << ratio;
        for (const Tick& tick : ticks) {
          ASSERT_GE(axis.position(tick.value), -1e-6) << low << " " << ratio;
          ASSERT_LE(axis.position(tick.value), 1 + 1e-6) << low << " " << ratio;
        }
      }
    }
  }
}

TEST(Axis, RoundsItsBeginningDownToATick) {
  EXPECT_DOUBLE_EQ(round_down_to_tick(7.23, 8.2, 6), 7.2);
  EXPECT_DOUBLE_EQ(round_down_to_tick(1.1, 9, 6), 0);
  EXPECT_DOUBLE_EQ(round_down_to_tick(2, 8, 6), 2);
}

}  // namespace
}  // namespace andrea
