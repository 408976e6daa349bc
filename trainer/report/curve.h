// File: curve.h
//
// Curves of many points made fit to be looked at: the trend of a noisy one, and few enough points
// that a drawing of 200,000 steps stays small. Points are in rising x; a y of NaN is a gap.

#ifndef ANDREA_TRAINER_REPORT_CURVE_H_
#define ANDREA_TRAINER_REPORT_CURVE_H_

#include <vector>

namespace andrea {

struct Point {
  double x, y;  // x is a step, y what was measured
};

// The mean of each point's neighbours, i/4 points to either side of point i but at most a sixty-
// fourth of all: narrow where a training curve falls steeply, wide where it is flat and noisy.
// It does not lag behind, as a running average does. Means are spaced by an eighth of their width,
// which gives at most about 800 of them, close enough for a logarithmic x axis, too; the last point
// always has one. Where the point itself is a gap, so is the mean.
std::vector<Point> smoothed(const std::vector<Point>& points);

// At most two points in each of `columns` equal stretches of x, its lowest and its highest, so that
// no spike is lost; the curve's last point is kept. A gap in a stretch becomes one at its end.
// Curves of at most twice as many points as columns are returned as they are.
std::vector<Point> thinned(const std::vector<Point>& points, int columns);

}  // namespace andrea

#endif  // ANDREA_TRAINER_REPORT_CURVE_H_
