#include "trainer/report/curve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace andrea {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

// The mean of the points first .. last-1 that are not gaps; there must be one. Each mean is summed
// anew: with running sums, one huge value would spoil all that follow.
double mean(const std::vector<Point>& points, std::size_t first, std::size_t last) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = first; i < last; ++i) {
    if (std::isnan(points[i].y)) continue;
    sum += points[i].y;
    ++count;
  }
  return sum / static_cast<double>(count);
}

// The lowest and the highest of a stretch of points.
struct Extremes {
  const Point* lowest = nullptr;
  const Point* highest = nullptr;
  const Point* gap = nullptr;

  void add(const Point& point) {
    if (std::isnan(point.y)) {
      gap = &point;
    } else {
      if (!lowest || point.y < lowest->y) lowest = &point;
      if (!highest || point.y > highest->y) highest = &point;
    }
  }

  void append_to(std::vector<Point>& kept) const {
    if (lowest) {
      kept.push_back(*std::min(lowest, highest));
      if (lowest != highest) kept.push_back(*std::max(lowest, highest));
    }
    if (gap) kept.push_back({gap->x, kGap});
  }
};

}  // namespace

std::vector<Point> smoothed(const std::vector<Point>& points) {
  std::vector<Point> means;
  const std::size_t count = points.size();
  for (std::size_t i = 0; i < count;) {
    const std::size_t radius = std::min(i / 4, count / 64);
    const std::size_t first = i - radius, last = std::min(i + radius + 1, count);
    means.push_back({points[i].x, std::isnan(points[i].y) ? kGap : mean(points, first, last)});
    const std::size_t next = i + std::max<std::size_t>(1, radius / 8);
    i = i + 1 < count ? std::min(next, count - 1) : count;
  }
  return means;
}

std::vector<Point> thinned(const std::vector<Point>& points, int columns) {
  if (points.size() <= 2 * static_cast<std::size_t>(columns)) return points;
  const double first = points.front().x, width = (points.back().x - first) / columns;
  std::vector<Point> kept;
  for (std::size_t i = 0; i < points.size();) {
    const double column = std::floor((points[i].x - first) / width);
    Extremes extremes;
    do {
      extremes.add(points[i++]);
    } while (i < points.size() && std::floor((points[i].x - first) / width) == column);
    extremes.append_to(kept);
  }
  if (kept.back().x < points.back().x) kept.push_back(points.back());
  return kept;
}

}  // namespace andrea
