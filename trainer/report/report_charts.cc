#include "trainer/report/report_charts.h"

#include <optional>
#include <vector>

#include "trainer/report/number_text.h"
#include "trainer/report/report_summary.h"
#include "trainer/report/svg_chart.h"

namespace andrea {
namespace {

// The steps that have the figure. One that is null there becomes a gap.
std::vector<Point> points_of(const RunRecord& record, std::optional<double> StepMetrics::*figure) {
  std::vector<Point> points;
  for (const StepMetrics& metrics : record.metrics) {
    if (metrics.*figure) points.push_back({static_cast<double>(metrics.step), *(metrics.*figure)});
  }
  return points;
}

// Every step, pale, behind the trend.
std::vector<Curve> curves_with_trend(const char* name, const std::vector<Point>& points) {
  return {{name, Stroke::faint, points}, {"smoothed", Stroke::strong, smoothed(points)}};
}

Chart bits_per_byte_chart(const RunRecord& record) {
  Chart chart;
  chart.title = "Bits a byte";
  chart.unit = "of validation text";
  chart.from_zero = true;
  chart.logarithmic_view = true;
  chart.curves = {{"validation", Stroke::marked, points_of(record, &StepMetrics::bits_per_byte)}};
  if (record.unigram_bits_per_byte) {
    chart.levels.push_back({"token frequencies alone", *record.unigram_bits_per_byte});
  }
  if (const auto limit = source_limit(record))
    chart.levels.push_back({"no model beats this", *limit});
  if (record.validation_exact_bits_per_byte) {
    chart.note = "No model beats the source of the text itself, which needs " +
                 significant_text(*record.validation_exact_bits_per_byte) +
                 " bits a byte for the validation text";
    if (record.entropy_bits_per_byte) {
      chart.note += ", and on average over all its texts " +
                    significant_text(*record.entropy_bits_per_byte) + ", its entropy";
    }
    chart.note += ".";
  } else if (record.entropy_bits_per_byte) {
    chart.note = "No model beats the entropy of the source of the text.";
  }
  return chart;
}

Chart loss_chart(const RunRecord& record) {
  Chart chart;
  chart.title = "Loss";
  chart.unit = "nats a token";
  chart.logarithmic_view = true;
  chart.curves = curves_with_trend("training", points_of(record, &StepMetrics::loss));
  chart.curves.push_back(
      {"validation", Stroke::marked, points_of(record, &StepMetrics::validation_loss)});
  return chart;
}

Chart learning_rate_chart(const RunRecord& record) {
  Chart chart;
  chart.title = "Learning rate";
  chart.from_zero = true;
  chart.curves = {
      {"learning rate", Stroke::strong, points_of(record, &StepMetrics::learning_rate)}};
  return chart;
}

Chart gradient_norm_chart(const RunRecord& record) {
  Chart chart;
  chart.title = "Gradient norm";
  chart.unit = "before clipping";
  chart.from_zero = true;
  chart.logarithmic_view = true;
  chart.curves = curves_with_trend("each step", points_of(record, &StepMetrics::gradient_norm));
  return chart;
}

Chart speed_chart(const RunRecord& record) {
  Chart chart;
  chart.title = "Speed";
  chart.unit = "tokens a second";
  chart.from_zero = true;
  chart.curves = curves_with_trend("each step", points_of(record, &StepMetrics::tokens_per_second));
  return chart;
}

std::string row_html(const char* row_class, const std::vector<Chart>& charts) {
  std::string html;
  for (const Chart& chart : charts) {
    if (has_points(chart)) html += chart_figure(chart);
  }
  return html.empty() ? "" : std::string("<div class=\"") + row_class + "\">\n" + html + "</div>\n";
}

}  // namespace

std::string charts_html(const RunRecord& record) {
  const std::string rows =
      row_html("charts large", {bits_per_byte_chart(record), loss_chart(record)}) +
      row_html("charts small",
               {gradient_norm_chart(record), learning_rate_chart(record), speed_chart(record)});
  if (rows.empty()) return "";
  return "<section aria-labelledby=\"curves\"><h2 id=\"curves\">Curves</h2>\n" + rows +
         "</section>\n";
}

}  // namespace andrea
