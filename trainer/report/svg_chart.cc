#include "trainer/report/svg_chart.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>

#include "trainer/base/error.h"
#include "trainer/report/html.h"
#include "trainer/report/number_text.h"

namespace andrea {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargestDrawn = 1e100;
constexpr double kUnits = 1000;  // the side of the square that is stretched over the plot
constexpr int kColumns = 500;
constexpr int kMostDots = 60;
constexpr int kVerticalTicks = 6;

bool is_drawn(const Point& point, Scale scale) {
  if (!std::isfinite(point.y) || std::abs(point.y) > kLargestDrawn) return false;
  return scale == Scale::linear || (point.x > 0 && point.y > 0);
}

bool has_points_on(const Chart& chart, Scale scale) {
  return std::any_of(chart.curves.begin(), chart.curves.end(), [&](const Curve& curve) {
    return std::any_of(curve.points.begin(), curve.points.end(),
                       [&](const Point& point) { return is_drawn(point, scale); });
  });
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct Axes {
  Axis x, y;
};

Axes axes_of(const Chart& chart, Scale scale) {
  Range x, y;
  for (const Curve& curve : chart.curves) {
    for (const Point& point : curve.points) {
      if (!is_drawn(point, scale)) continue;
      x.include(point.x);
      y.include(point.y);
    }
  }
  for (const Level& level : chart.levels) {
    if (is_drawn({1, level.value}, scale)) y.include(level.value);
  }
  if (scale == Scale::logarithmic) {
    // Room beneath the lowest line for the label of a level.
    y.low *= std::pow(std::min(y.low / y.high, 0.8), 0.12);
  } else {
    x.include(0);
    if (chart.from_zero) y.include(0);
    y.low = round_down_to_tick(y.low, y.high, kVerticalTicks);
    y.high += (y.high - y.low) * 0.03;
  }
  return {Axis(scale, x.low, x.high), Axis(scale, y.low, y.high)};
}

// A coordinate with at most two digits after the point.
std::string coordinate(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.2f", value);
  std::string written = buffer;
  written.erase(written.find_last_not_of('0') + 1);
  if (written.back() == '.') written.pop_back();
  return written;
}

std::string percent(double fraction) { return coordinate(100 * fraction) + "%"; }

// The curve's points in user units of the inner <svg>, thinned there, so that a logarithmic axis
// keeps the detail that it spreads out.
std::vector<Point> placed(const Curve& curve, const Axes& axes) {
  std::vector<Point> places;
  places.reserve(curve.points.size());
  for (const Point& point : curve.points) {
    const double x = axes.x.position(point.x);
    if (std::isnan(x) || x < 0) continue;
    const bool drawn = is_drawn(point, axes.y.scale());
    places.push_back({x * kUnits, drawn ? (1 - axes.y.position(point.y)) * kUnits : kNan});
  }
  return thinned(places, kColumns);
}

// A line without length, which a round cap makes a dot.
constexpr const char* kDot = "h0";

std::string line_path(const std::vector<Point>& points) {
  std::string path;
  std::size_t drawn = 0;  // points of the piece since the last gap
  const auto end_piece = [&] {
    if (drawn == 1) path += kDot;
    drawn = 0;
  };
  for (const Point& point : points) {
    if (std::isnan(point.y)) {
      end_piece();
      continue;
    }
    path += (drawn++ == 0 ? "M" : "L") + coordinate(point.x) + "," + coordinate(point.y);
  }
  end_piece();
  return path;
}

std::string dots_path(const std::vector<Point>& points) {
  std::string path;
  const std::size_t stride = (points.size() + kMostDots - 1) / kMostDots;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_marked = (points.size() - 1 - i) % stride == 0;
    if (!is_marked || std::isnan(points[i].y)) continue;
    path += "M" + coordinate(points[i].x) + "," + coordinate(points[i].y) + kDot;
  }
  return path;
}

const char* class_of(Stroke stroke) {
  switch (stroke) {
    case Stroke::faint:
      return "faint";
    case Stroke::strong:
      return "strong";
    case Stroke::marked:
      return "marked";
  }
  return "";
}

std::string curve_svg(const Curve& curve, const Axes& axes) {
  const std::vector<Point> points = placed(curve, axes);
  std::string svg = text("<path class=\"line ", class_of(curve.stroke), "\" data-name=\"",
                         html_text(curve.name), "\" d=\"", line_path(points), "\"/>\n");
  if (curve.stroke == Stroke::marked) {
    svg += text("<path class=\"dots marked\" d=\"", dots_path(points), "\"/>\n");
  }
  return svg;
}

// Beneath the line in the lower part of the plot, above it elsewhere: curves that fall towards a
// limit leave these places free.
std::string level_svg(const Level& level, const Axis& y) {
  const double height = y.position(level.value);
  if (std::isnan(height)) return "";
  const bool beneath = height > 0.08 && height < 0.5;
  const std::string place = percent(1 - height);
  return text("<line class=\"level\" x1=\"0\" x2=\"100%\" y1=\"", place, "\" y2=\"", place,
              "\"/>\n<text class=\"level-label\" x=\"100%\" y=\"", place, "\" dy=\"",
              beneath ? "1.25em" : "-0.5em", "\">", html_text(level.label), ": ",
              significant_text(level.value, 3), "</text>\n");
}

// Labels of steps from 10,000 on are so wide that a telephone has no room for six.
int horizontal_ticks(const Axis& x) {
  return x.scale() == Scale::linear && x.high() >= 10000 ? 4 : 6;
}

std::string grid_svg(const Axes& axes) {
  std::string svg;
  for (const Tick& tick : axes.y.ticks(kVerticalTicks)) {
    const std::string place = percent(1 - axes.y.position(tick.value));
    svg += text("<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"", place, "\" y2=\"", place,
                "\"/><text class=\"y-tick\" x=\"-8\" y=\"", place, "\" dy=\"0.35em\">", tick.label,
                "</text>\n");
  }
  for (const Tick& tick : axes.x.ticks(horizontal_ticks(axes.x), true)) {
    const double place = axes.x.position(tick.value);
    // A label that is centred under the plot's right end would leave the figure.
    svg += text("<line class=\"grid\" x1=\"", percent(place), "\" x2=\"", percent(place),
                "\" y1=\"0\" y2=\"100%\"/><text class=\"x-tick", place > 0.97 ? " last" : "",
                "\" x=\"", percent(place), "\" y=\"100%\" dy=\"1.6em\">", tick.label, "</text>\n");
  }
  return svg + "<line class=\"base\" x1=\"0\" x2=\"100%\" y1=\"100%\" y2=\"100%\"/>\n";
}

// The width of the widest y label in characters, which is the margin to leave for them.
std::size_t widest_label(const Axis& y) {
  std::size_t widest = 0;
  for (const Tick& tick : y.ticks(kVerticalTicks)) {
    const auto is_start = [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
    };
    const auto characters = std::count_if(tick.label.begin(), tick.label.end(), is_start);
    widest = std::max(widest, static_cast<std::size_t>(characters));
  }
  return widest;
}

std::string place_in_words(const Chart& chart, const Point& point) {
  return significant_text(point.y) + " at " + chart.x_name + " " +
         integer_text(static_cast<std::int64_t>(point.x));
}

std::string in_words(const Chart& chart) {
  std::string words = "Line chart. " + chart.title + ", " + chart.unit + ".";
  for (const Curve& curve : chart.curves) {
    std::vector<Point> drawn;
    std::copy_if(curve.points.begin(), curve.points.end(), std::back_inserter(drawn),
                 [](const Point& point) { return is_drawn(point, Scale::linear); });
    if (drawn.empty() || curve.stroke == Stroke::faint) continue;
    const Point lowest = *std::min_element(
        drawn.begin(), drawn.end(), [](const Point& a, const Point& b) { return a.y < b.y; });
    words +=
        text(" ", curve.name, ": first ", place_in_words(chart, drawn.front()), ", lowest ",
             place_in_words(chart, lowest), ", last ", place_in_words(chart, drawn.back()), ".");
  }
  for (const Level& level : chart.levels) {
    words += text(" Dashed line, ", level.label, ": ", significant_text(level.value), ".");
  }
  return words;
}

const char* name_of(Scale scale) { return scale == Scale::linear ? "linear" : "logarithmic"; }

std::string axis_attribute(const char* name, const Axis& axis) {
  char buffer[120];
  std::snprintf(buffer, sizeof buffer, " data-%s=\"%s %.9g %.9g\"", name, name_of(axis.scale()),
                axis.low(), axis.high());
  return buffer;
}

std::string view_html(const Chart& chart, Scale scale) {
  const Axes axes = axes_of(chart, scale);
  std::string html =
      text("<div class=\"view ", name_of(scale), "\" style=\"--label-width:", widest_label(axes.y),
           "ch\"><svg role=\"img\" aria-label=\"", html_text(in_words(chart)), "\"",
           axis_attribute("x", axes.x), axis_attribute("y", axes.y), ">\n", grid_svg(axes),
           "<svg class=\"curves\" viewBox=\"0 0 ", kUnits, " ", kUnits,
           "\" preserveAspectRatio=\"none\" width=\"100%\" height=\"100%\">\n");
  for (const Curve& curve : chart.curves) html += curve_svg(curve, axes);
  html += "</svg>\n";
  for (const Level& level : chart.levels) html += level_svg(level, axes.y);
  return html + text("<text class=\"x-name\" x=\"100%\" y=\"100%\" dy=\"2.9em\">",
                     html_text(chart.x_name), "</text>\n</svg></div>\n");
}

std::string legend_html(const Chart& chart) {
  std::string html = "<ul class=\"legend\">";
  for (const Curve& curve : chart.curves) {
    const char* name = class_of(curve.stroke);
    html +=
        text("<li><svg class=\"swatch\" aria-hidden=\"true\" viewBox=\"0 0 24 10\"><path class=\"",
             "line ", name, "\" d=\"M1,5H23\"/>",
             curve.stroke == Stroke::marked ? "<path class=\"dots marked\" d=\"M12,5h0\"/>" : "",
             "</svg>", html_text(curve.name), "</li>");
  }
  return html + "</ul>\n";
}

// "Gradient norm" as an id: "gradient-norm".
std::string identifier(const std::string& title) {
  std::string id;
  for (const char character : title) {
    const auto code = static_cast<unsigned char>(character);
    id += std::isalnum(code) ? static_cast<char>(std::tolower(code)) : '-';
  }
  return id;
}

}  // namespace

bool has_points(const Chart& chart) { return has_points_on(chart, Scale::linear); }

std::string chart_figure(const Chart& chart) {
  const bool has_toggle = chart.logarithmic_view && has_points_on(chart, Scale::logarithmic);
  const std::string id = identifier(chart.title);
  std::string html =
      text("<figure class=\"chart\" id=\"", id, "\">\n<figcaption><h3>", html_text(chart.title),
           "</h3> <span class=\"unit\">", html_text(chart.unit), "</span></figcaption>\n");
  html += legend_html(chart);
  if (has_toggle) {
    html += text("<input type=\"checkbox\" class=\"toggle\" id=\"", id, "-toggle\"><label for=\"",
                 id, "-toggle\">logarithmic</label>\n");
  }
  html += view_html(chart, Scale::linear);
  if (has_toggle) html += view_html(chart, Scale::logarithmic);
  html += "<p class=\"read-out\" aria-hidden=\"true\"></p>\n";
  if (!chart.note.empty()) html += "<p class=\"note\">" + html_text(chart.note) + "</p>\n";
  return html + "</figure>\n";
}

}  // namespace andrea
