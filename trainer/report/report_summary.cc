#include "trainer/report/report_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "trainer/base/error.h"
#include "trainer/report/html.h"
#include "trainer/report/number_text.h"

namespace andrea {
namespace {

struct Status {
  const char* name;
  const char* symbol;
  const char* words;
};

constexpr Status kStatuses[] = {{"running", "▶", "Running"},
                                {"finished", "✓", "Finished"},
                                {"interrupted", "‖", "Interrupted"},
                                {"failed", "✕", "Failed"}};

std::string status_html(const std::string& status) {
  if (status.empty()) return "";
  for (const Status& known : kStatuses) {
    if (status != known.name) continue;
    return text("<p class=\"status ", known.name, "\"><span aria-hidden=\"true\">", known.symbol,
                "</span> ", known.words, "</p>\n");
  }
  return "<p class=\"status\">" + html_text(status) + "</p>\n";
}

// The parts that are not empty, as one line.
std::string about_html(const RunRecord& record) {
  std::string html;
  for (const std::string& part :
       {record.corpus, record.machine, record.seconds ? duration_text(*record.seconds) : ""}) {
    if (!part.empty()) html += "<span>" + html_text(part) + "</span> ";
  }
  return html.empty() ? "" : "<p class=\"about\">" + html + "</p>\n";
}

std::string tile(const char* name, const std::string& figure,
                 const std::vector<std::string>& remarks = {}) {
  std::string html =
      text("<div class=\"tile\"><dt>", name, "</dt><dd><strong>", figure, "</strong>");
  for (const std::string& remark : remarks) html += "<small>" + remark + "</small>";
  return html + "</dd></div>\n";
}

bool is_finite(const std::optional<double>& value) { return value && std::isfinite(*value); }

// What validations are ranked and told by: bits a byte, else the loss.
std::optional<double> validation_figure(const StepMetrics& metrics) {
  return is_finite(metrics.bits_per_byte) ? metrics.bits_per_byte : metrics.validation_loss;
}

std::string validation_tile(const char* name, const StepMetrics& metrics) {
  const std::string at_step = "at step " + integer_text(metrics.step);
  if (!is_finite(metrics.bits_per_byte)) {
    return tile(name, significant_text(*metrics.validation_loss), {"nats a token", at_step});
  }
  std::vector<std::string> remarks = {"bits a byte", at_step};
  if (is_finite(metrics.validation_loss)) {
    remarks.push_back(significant_text(*metrics.validation_loss) + " nats a token");
  }
  return tile(name, significant_text(*metrics.bits_per_byte), remarks);
}

std::string validation_tiles(const RunRecord& record) {
  const StepMetrics* best = nullptr;
  const StepMetrics* last = nullptr;
  for (const StepMetrics& metrics : record.metrics) {
    const std::optional<double> figure = validation_figure(metrics);
    if (!is_finite(figure)) continue;
    last = &metrics;
    if (!best || *figure < *validation_figure(*best)) best = last;
  }
  if (!last) return "";
  if (last == best) return validation_tile("Last and best validation", *last);
  return validation_tile("Best validation", *best) + validation_tile("Last validation", *last);
}

std::string limit_tile(const RunRecord& record) {
  const std::optional<double> limit = source_limit(record);
  if (!limit) return "";
  std::vector<std::string> remarks = {"bits a byte"};
  double best = std::numeric_limits<double>::infinity();
  for (const StepMetrics& metrics : record.metrics) {
    if (is_finite(metrics.bits_per_byte)) best = std::min(best, *metrics.bits_per_byte);
  }
  const double excess = 100 * (best / *limit - 1);
  if (std::isfinite(excess)) {
    remarks.push_back(text("best is ", significant_text(std::abs(excess), 2), " % ",
                           excess < 0 ? "below" : "above"));
  }
  return tile("Limit of the source", significant_text(*limit), remarks);
}

std::string tokens_tile(const RunRecord& record) {
  if (record.metrics.empty() || !record.metrics.back().tokens) return "";
  return tile("Tokens seen", integer_text(*record.metrics.back().tokens));
}

std::string steps_tile(const RunRecord& record) {
  const std::int64_t done = record.metrics.empty() ? 0 : record.metrics.back().step;
  if (!record.steps) return tile("Steps", integer_text(done));
  std::string remark = "of " + integer_text(*record.steps);
  if (done < *record.steps) {
    const double share = static_cast<double>(done) / static_cast<double>(*record.steps);
    remark += ", " + decimal_text(100 * share, 1) + " %";
  }
  return tile("Steps", integer_text(done), {remark});
}

// Says from which step on losses were no numbers, which the curves show as gaps only.
std::string failure_notice(const RunRecord& record) {
  const auto failed = std::find_if(
      record.metrics.begin(), record.metrics.end(),
      [](const StepMetrics& metrics) { return metrics.loss && !std::isfinite(*metrics.loss); });
  if (failed == record.metrics.end()) return "";
  return text("<p class=\"notice\">At step ", integer_text(failed->step),
              " the loss was not a number. Curves are broken where they have none.</p>\n");
}

}  // namespace

std::optional<double> source_limit(const RunRecord& record) {
  return record.validation_exact_bits_per_byte ? record.validation_exact_bits_per_byte
                                               : record.entropy_bits_per_byte;
}

std::string summary_html(const RunRecord& record, const std::string& title) {
  std::string html = "<header>\n<p class=\"overline\">ANDREA training report</p>\n<h1>" +
                     html_text(title) + "</h1>\n" + status_html(record.status) +
                     about_html(record) + "<dl class=\"tiles\">\n";
  html += validation_tiles(record) + limit_tile(record);
  if (record.parameters) html += tile("Parameters", integer_text(*record.parameters));
  html += tokens_tile(record) + steps_tile(record) + "</dl>\n";
  if (record.metrics.empty()) {
    html +=
        "<p class=\"notice\">There is nothing yet to draw: the run has not finished a step. "
        "Load this page again later.</p>\n";
  }
  return html + failure_notice(record) + "</header>\n";
}

}  // namespace andrea
