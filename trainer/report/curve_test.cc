#include "trainer/report/curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace andrea {
namespace {

// A curve over x = 1 .. count.
template <typename Function>
std::vector<Point> curve(int count, Function function) {
  std::vector<Point> points;
  for (int x = 1; x <= count; ++x) points.push_back({double(x), double(function(x))});
  return points;
}

bool has_y(const std::vector<Point>& points, double y) {
  return std::any_of(points.begin(), points.end(), [&](const Point& p) { return p.y == y; });
}

TEST(Smoothed, ReplacesPointsByTheMeanOfTheirNeighbours) {
  // An alternation between 1 and 3 becomes about 2.
  const auto means = smoothed(curve(6400, [](int x) { return x % 2 == 0 ? 3 : 1; }));
  for (const Point& point : means) {
    if (point.x > 500) {
      EXPECT_NEAR(point.y, 2, 0.02) << point.x;
    }
  }
}

TEST(Smoothed, DoesNotLagBehind) {
  for (const Point& point : smoothed(curve(5000, [](int x) { return 3 * x; }))) {
    if (point.x < 4900) {
      EXPECT_DOUBLE_EQ(point.y, 3 * point.x);
    }
  }
}

TEST(Smoothed, LeavesTheSteepBeginningAndAllOfAShortCurveAlone) {
  const auto points = curve(50, [](int x) { return 9.0 / x; });
  const auto means = smoothed(points);
  ASSERT_EQ(means.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(means[i].y, points[i].y);
  EXPECT_TRUE(smoothed({}).empty());
}

TEST(Smoothed, HasFewPointsAndTheLastOne) {
  const auto means = smoothed(curve(1000000, [](int) { return 1; }));
  EXPECT_LT(means.size(), 900u);
  EXPECT_EQ(means.front().x, 1);
  EXPECT_EQ(means.back().x, 1000000);
}

TEST(Smoothed, KeepsAGapAndAHugeValueToThemselves) {
  auto points = curve(6400, [](int) { return 1; });
  points[1000].y = 1e90;
  points.back().y = NAN;
  const auto means = smoothed(points);
  EXPECT_TRUE(std::isnan(means.back().y));
  EXPECT_EQ(means[means.size() - 2].y, 1);
  EXPECT_TRUE(std::any_of(means.begin(), means.end(), [](const Point& p) { return p.y > 1e80; }));
}

TEST(Thinned, KeepsEverySpike) {
  auto points = curve(200000, [](int x) { return x % 7; });
  points[70001].y = 50;
  points[140000].y = -50;
  const auto few = thinned(points, 500);
  EXPECT_LE(few.size(), 1001u);
  EXPECT_TRUE(has_y(few, 50));
  EXPECT_TRUE(has_y(few, -50));
  EXPECT_EQ(few.back().x, 200000);
  EXPECT_TRUE(std::is_sorted(few.begin(), few.end(),
                             [](const Point& a, const Point& b) { return a.x < b.x; }));
}

TEST(Thinned, LeavesShortCurvesAlone) {
  EXPECT_EQ(thinned(curve(100, [](int x) { return x; }), 50).size(), 100u);
  EXPECT_TRUE(thinned({}, 50).empty());
}

TEST(Thinned, KeepsGaps) {
  auto points = curve(10000, [](int) { return 1; });
  points[5000].y = NAN;
  const auto few = thinned(points, 100);
  EXPECT_EQ(std::count_if(few.begin(), few.end(), [](const Point& p) { return std::isnan(p.y); }),
            1);
  for (Point& point : points) point.y = NAN;
  for (const Point& point : thinned(points, 100)) EXPECT_TRUE(std::isnan(point.y));
}

}  // namespace
}  // namespace andrea
