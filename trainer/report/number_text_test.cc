#include "trainer/report/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace andrea {
namespace {

TEST(NumberText, SeparatesThousands) {
  EXPECT_EQ(integer_text(98820096), "98,820,096");
  EXPECT_EQ(integer_text(0), "0");
  EXPECT_EQ(integer_text(999), "999");
  EXPECT_EQ(integer_text(1000), "1,000");
  EXPECT_EQ(integer_text(-100), "−100");
  EXPECT_EQ(integer_text(-1234567), "−1,234,567");
  EXPECT_EQ(integer_text(std::numeric_limits<std::int64_t>::min()), "−9,223,372,036,854,775,808");
  EXPECT_EQ(decimal_text(12345.678, 1), "12,345.7");
  EXPECT_EQ(decimal_text(0.5, 3), "0.500");
}

TEST(NumberText, KeepsTheDigitsThatTellSomething) {
  EXPECT_EQ(significant_text(0.516349), "0.5163");
  EXPECT_EQ(significant_text(0.0625, 3), "0.0625");
  EXPECT_EQ(significant_text(2.0), "2");
  EXPECT_EQ(significant_text(123456.7), "123,457");
  EXPECT_EQ(significant_text(9.99996), "10");
  EXPECT_EQ(significant_text(-0.25), "−0.25");
  EXPECT_EQ(significant_text(0), "0");
}

TEST(NumberText, WritesVerySmallAndLargeNumbersAsPowersOfTen) {
  EXPECT_EQ(significant_text(3e-4), "0.0003");
  EXPECT_EQ(significant_text(3.14159e-6, 3), "3.14 × 10⁻⁶");
  EXPECT_EQ(significant_text(1e-10), "10⁻¹⁰");
  EXPECT_EQ(significant_text(2e15), "2 × 10¹⁵");
  EXPECT_EQ(significant_text(-5e-324, 2), "−4.9 × 10⁻³²⁴");
}

TEST(NumberText, NamesWhatIsNoNumber) {
  EXPECT_EQ(significant_text(NAN), "not a number");
  EXPECT_EQ(significant_text(INFINITY), "infinity");
  EXPECT_EQ(significant_text(-INFINITY), "−infinity");
}

TEST(NumberText, TellsDurations) {
  EXPECT_EQ(duration_text(48.21), "48.2 s");
  EXPECT_EQ(duration_text(59.99), "1 min 0 s");
  EXPECT_EQ(duration_text(123.4), "2 min 3 s");
  EXPECT_EQ(duration_text(3 * 3600 + 4 * 60), "3 h 4 min");
  EXPECT_EQ(duration_text(24 * 3600), "1 day 0 h");
  EXPECT_EQ(duration_text(53 * 3600), "2 days 5 h");
}

}  // namespace
}  // namespace andrea
