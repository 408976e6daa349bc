// File: svg_chart.h
//
// A line chart as an HTML <figure> with inline SVG, complete without JavaScript:
//
//   Chart chart;
//   chart.title = "Loss";
//   chart.unit = "nats a token";
//   chart.curves = {{"validation", Stroke::marked, points}};
//   page += chart_figure(chart);
//
// The drawing fills the width it is given while text and lines keep their size, so that one chart
// serves a telephone and a wide window: curves lie in an inner <svg> whose user units stretch, all
// else is placed by percentages. Colours, line widths and the size of the figure come from the
// page's style sheet (report.css, "Charts"); what a line is can also be told by its shape.

#ifndef ANDREA_TRAINER_REPORT_SVG_CHART_H_
#define ANDREA_TRAINER_REPORT_SVG_CHART_H_

#include <string>
#include <vector>

#include "trainer/report/axis.h"
#include "trainer/report/curve.h"

namespace andrea {

// How a curve is drawn, so that no meaning lies in its colour alone.
enum class Stroke {
  faint,   // thin and pale: the single steps behind a trend
  strong,  // the trend
  marked,  // a line of another colour with dots on it: measurements
};

// A line of a chart.
struct Curve {
  std::string name;                // in the legend
  Stroke stroke = Stroke::strong;  // how it is drawn
  std::vector<Point> points;  // rising x, any number of them (thinned when drawn); NaN is a gap
};

// A dashed horizontal line with its meaning written at it.
struct Level {
  std::string label;  // what is written at it
  double value;       // of y
};

// A chart with everything that is drawn in it.
struct Chart {
  std::string title;              // above it
  std::string unit;               // of y
  std::string x_name = "step";    // x is in whole numbers
  std::string note;               // a sentence beneath, may be empty
  std::vector<Curve> curves;      // in the order of the legend
  std::vector<Level> levels;      // what the curves are compared with
  bool from_zero = false;         // the linear y axis begins at 0
  bool logarithmic_view = false;  // offers the same chart with both axes logarithmic
};

// Whether any curve has a point to draw; values beyond 1e100 have none.
bool has_points(const Chart& chart);

// The figure; has_points(chart) must hold. Its aria-label says in words where each curve begins,
// ends and is lowest.
std::string chart_figure(const Chart& chart);

}  // namespace andrea

#endif  // ANDREA_TRAINER_REPORT_SVG_CHART_H_
