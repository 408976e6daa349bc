#include "trainer/report/report.h"

#include <string_view>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/report/html.h"
#include "trainer/report/report_charts.h"
#include "trainer/report/report_samples.h"
#include "trainer/report/report_summary.h"

namespace andrea {
namespace {

// Each .inc file is a raw string literal, made of the file whose name it bears.
constexpr std::string_view kStyle =
#include "trainer/report/report.css.inc"
    ;
constexpr std::string_view kScript =
#include "trainer/report/report.js.inc"
    ;

// The policy makes the browser itself see to it that the page asks nothing of any network.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

std::string table_html(const char* title, const NamedValues& values) {
  if (values.empty()) return "";
  std::string html = text("<div class=\"table\"><table><caption>", title, "</caption><tbody>\n");
  for (const auto& [name, value] : values) {
    html += text("<tr><th scope=\"row\">", html_text(name), "</th><td>", html_text(value),
                 "</td></tr>\n");
  }
  return html + "</tbody></table></div>\n";
}

std::string configuration_html(const RunRecord& record) {
  const std::string tables = table_html("Shape", record.shape) +
                             table_html("Options", record.options) +
                             table_html("Where each kernel comes from", record.kernels);
  if (tables.empty()) return "";
  return "<section aria-labelledby=\"configuration\"><h2 id=\"configuration\">Configuration</h2>\n"
         "<div class=\"tables\">\n" +
         tables + "</div></section>\n";
}

}  // namespace

std::string report_html(const RunRecord& record) {
  const std::string title = record.name.empty() ? "Training run" : record.name;
  return text("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n",
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
              "<meta name=\"color-scheme\" content=\"light dark\">\n",
              "<meta http-equiv=\"Content-Security-Policy\" content=\"", kPolicy, "\">\n<title>",
              html_text(title), ": training report</title>\n<style>", kStyle,
              "</style></head>\n<body>\n", summary_html(record, title), "<main>\n",
              charts_html(record), samples_html(record.samples), configuration_html(record),
              "</main>\n<script>", kScript, "</script>\n</body></html>\n");
}

void write_report(const std::filesystem::path& run_folder) {
  replace_file(run_folder / "report.html", report_html(read_run_record(run_folder)));
}

}  // namespace andrea
