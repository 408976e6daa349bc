#include "trainer/report/svg_chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace andrea {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

bool has(const std::string& text, const std::string& part) { return count(text, part) > 0; }

Chart chart_of(const std::vector<Point>& points, Stroke stroke = Stroke::strong) {
  Chart chart;
  chart.title = "Loss";
  chart.unit = "nats a token";
  chart.curves = {{"training", stroke, points}};
  return chart;
}

TEST(SvgChart, DrawsCurvesInTheUnitsOfTheInnerDrawing) {
  Chart chart = chart_of({{0, 4}, {50, 1}, {100, 2}});
  chart.from_zero = true;
  chart.levels = {{"no model beats this", 0.5}};
  const std::string html = chart_figure(chart);
  // The y axis ends a little above the highest point, at 4.12.
  EXPECT_TRUE(has(html, "d=\"M0,29.13L500,757.28L1000,514.56\"")) << html;
  EXPECT_TRUE(has(html, "data-x=\"linear 0 100\" data-y=\"linear 0 4.12\"")) << html;
  EXPECT_TRUE(has(html, ">no model beats this: 0.5</text>")) << html;
  EXPECT_TRUE(has(html,
                  "aria-label=\"Line chart. Loss, nats a token. training: first 4 at step 0, "
                  "lowest 1 at step 50, last 2 at step 100. Dashed line, no model beats "
                  "this: 0.5.\""))
      << html;
}

TEST(SvgChart, MarksMeasurementsWithDots) {
  const std::string html = chart_figure(chart_of({{1, 4}, {2, 2}}, Stroke::marked));
  EXPECT_EQ(count(html, "<path class=\"dots marked\""), 2u);  // in the plot and in the legend
  EXPECT_FALSE(has(chart_figure(chart_of({{1, 4}, {2, 2}})), "dots"));
}

TEST(SvgChart, BreaksTheLineAtGapsAndDotsLonePoints) {
  const std::string html =
      chart_figure(chart_of({{1, 4}, {2, NAN}, {3, 4}, {4, 3}, {5, INFINITY}, {6, 2}}));
  const std::size_t path = html.find(" d=\"M166.67");
  ASSERT_NE(path, std::string::npos) << html;
  const std::string line = html.substr(path, html.find("/>", path) - path);
  EXPECT_EQ(count(line, "M"), 3u) << line;
  EXPECT_EQ(count(line, "h0"), 2u) << line;
  EXPECT_EQ(count(line, "L"), 1u) << line;
  EXPECT_FALSE(has(html, "nan"));
  EXPECT_FALSE(has(html, "inf"));
}

TEST(SvgChart, OffersALogarithmicView) {
  Chart chart = chart_of({{0, 5}, {1, 100}, {10, 10}, {100, 1}});
  EXPECT_FALSE(has(chart_figure(chart), "logarithmic"));
  chart.logarithmic_view = true;
  const std::string html = chart_figure(chart);
  EXPECT_TRUE(has(html, "data-x=\"logarithmic 1 100\"")) << html;
  EXPECT_EQ(count(html, "<svg role=\"img\""), 2u);
  EXPECT_EQ(count(html, "<input"), 1u);
  // Step 0 has no place there; a straight line has.
  EXPECT_TRUE(has(html, "d=\"M0,0L500,")) << html;
}

TEST(SvgChart, HasNoLogarithmicViewOfZeros) {
  Chart chart = chart_of({{1, 0}, {2, 0}});
  chart.logarithmic_view = true;
  EXPECT_TRUE(has_points(chart));
  EXPECT_FALSE(has(chart_figure(chart), "<input"));
}

TEST(SvgChart, KnowsWhenThereIsNothingToDraw) {
  EXPECT_FALSE(has_points(Chart()));
  EXPECT_FALSE(has_points(chart_of({})));
  EXPECT_FALSE(has_points(chart_of({{1, NAN}, {2, INFINITY}, {3, 1e200}})));
  EXPECT_TRUE(has_points(chart_of({{1, 3}})));
}

TEST(SvgChart, DrawsASinglePointAndAConstant) {
  for (const double value : {0.0, 3.0, -2.0, 1e-90, 1e90}) {
    for (const bool from_zero : {false, true}) {
      Chart chart = chart_of({{1, value}});
      chart.from_zero = from_zero;
      chart.logarithmic_view = true;
      const std::string html = chart_figure(chart);
      EXPECT_TRUE(has(html, "h0\"/>")) << value;
      EXPECT_TRUE(has(html, "x-tick")) << value;
      EXPECT_TRUE(has(html, "y-tick")) << value;
      EXPECT_FALSE(has(html, "nan")) << value;
      EXPECT_FALSE(has(html, "inf")) << value;
    }
  }
}

TEST(SvgChart, DrawsLongCurvesWithFewPoints) {
  std::vector<Point> points;
  for (int x = 1; x <= 200000; ++x) points.push_back({double(x), double(x * 7919LL % 1000)});
  EXPECT_LT(count(chart_figure(chart_of(points)), "L"), 1010u);
}

TEST(SvgChart, EscapesNames) {
  Chart chart = chart_of({{1, 4}, {2, 2}});
  chart.curves[0].name = "<b>\"";
  chart.levels = {{"<i>", 3}};
  const std::string html = chart_figure(chart);
  EXPECT_FALSE(has(html, "<b>"));
  EXPECT_FALSE(has(html, "<i>"));
  EXPECT_TRUE(has(html, "data-name=\"&lt;b&gt;&quot;\""));
}

}  // namespace
}  // namespace andrea
