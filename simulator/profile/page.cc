#include "simulator/profile/page.h"

#include <algorithm>
#include <map>

#include "simulator/profile/advice.h"
#include "simulator/profile/page_style.h"
#include "simulator/profile/profile.h"
#include "simulator/profile/text.h"
#include "simulator/runtime/terminal_text.h"

namespace simulator {
namespace {

constexpr int kContext = 4;  // lines shown round those that have numbers

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string fact(const std::string& name, const std::string& value, const std::string& more) {
  return "<div><dt>" + name + "</dt><dd>" + value +
         (more.empty() ? "" : " <small>" + more + "</small>") + "</dd></div>\n";
}

std::string facts(const KernelCounters& kernel) {
  std::string text = "<dl class=\"facts\">\n";
  const std::uint64_t least = kernel.least_bytes_moved();
  if (least > 0) {
    const double times = static_cast<double>(kernel.bytes_moved()) / static_cast<double>(least);
    text += fact("Bytes moved", text::bytes(kernel.bytes_moved()),
                 text::fixed(times, 2) + " times the least, " + text::bytes(least));
  }
  text += fact("Occupancy", text::percent(kernel.occupancy),
               text::counted(static_cast<std::uint64_t>(kernel.resident_blocks), "block") +
                   " on a multiprocessor at a time");
  text += fact("Threads", text::number(kernel.threads),
               "grid " + text::size(kernel.grid) + ", block " + text::size(kernel.block) + ", " +
                   text::counted(kernel.launches, "launch"));
  if (kernel.shared_bytes > 0) {
    text += fact("Shared memory", text::bytes(kernel.shared_bytes), "a block");
  }
  if (kernel.barriers + kernel.collectives > 0) {
    text += fact("Barriers", text::number(kernel.barriers),
                 kernel.collectives == 0
                     ? "passed by blocks"
                     : "passed by blocks; " + text::counted(kernel.collectives, "warp collective"));
  }
  if (kernel.unfinished_launches > 0) {
    text += fact("Unfinished", text::counted(kernel.unfinished_launches, "launch"),
                 "counted as far as the fault");
  }
  if (kernel.ungrouped > 0) {
    text += fact("Not counted", text::number(kernel.ungrouped),
                 "accesses: a thread made too many, in no order, before its warp met");
  }
  return text + "</dl>\n";
}

std::string advice_list(const KernelCounters& kernel) {
  std::string text = "<ol class=\"advice\">\n";
  const std::vector<Advice> all = advice(kernel);
  if (all.empty()) {
    text += "<li class=\"good\">Nothing stands out: its memory accesses waste little.</li>\n";
  }
  for (const Advice& one : all) {
    text += "<li><strong>" + escaped(one.sentence) + "</strong> " + escaped(one.cure) + "</li>\n";
  }
  return text + "</ol>\n";
}

std::string summary_table(const KernelCounters& kernel) {
  std::string text =
      "<div class=\"wide\"><table>\n<tr><th>Access</th><th>Requests</th><th>Each</th><th>Least</th>"
      "<th>Lanes</th><th>Share</th></tr>\n";
  const auto all = static_cast<double>(std::max<std::uint64_t>(1, cost(kernel)));
  for (std::size_t i = 0; i < kAccessKinds; ++i) {
    const AccessCounters& counters = kernel.accesses[i];
    const auto kind = static_cast<AccessKind>(i);
    if (counters.requests == 0) continue;
    const bool costs = !text::unit(kind).empty();
    text +=
        "<tr><td>" + text::name(kind) + "</td><td>" + text::number(counters.requests) +
        "</td><td>" +
        (costs ? text::fixed(text::per_request(kind, counters), 2) + ' ' + text::unit(kind) : "") +
        "</td><td>" + (costs ? text::fixed(text::least_per_request(kind, counters), 2) : "") +
        "</td><td>" + text::fixed(text::lanes_per_request(counters), 1) + "</td><td>" +
        (costs ? text::percent(static_cast<double>(cost(counters)) / all) : "") + "</td></tr>\n";
  }
  return text + "</table></div>\n";
}

std::string line_fact(const LineCounters& line, std::uint64_t all) {
  const AccessCounters& counters = line.counters;
  if (line.kind == AccessKind::execution) {
    return "<div class=\"fact\"><div></div><div>executed " +
           text::counted(counters.requests, "time") + " by a warp, <b>" +
           text::fixed(text::lanes_per_request(counters), 1) + " lanes</b></div></div>\n";
  }
  const double share =
      all == 0 ? 0 : static_cast<double>(cost(counters)) / static_cast<double>(all);
  std::string text =
      "<div class=\"fact\"><div class=\"bar\"><i style=\"width:" + text::fixed(100 * share, 1) +
      "%\"></i><span>" + text::percent(share) + "</span></div><div>" + text::name(line.kind) + ' ' +
      text::counted(line.bytes, "byte") + ": " + text::counted(counters.requests, "request");
  const std::string unit = text::unit(line.kind);
  if (!unit.empty()) {
    const std::string each = text::fixed(text::per_request(line.kind, counters), 2);
    const std::string least = text::fixed(text::least_per_request(line.kind, counters), 2);
    text += ", " + (each == least ? each + ' ' + unit + " each, the least"
                                  : "<b>" + each + ' ' + unit + " each, least " + least + "</b>");
  }
  if (counters.turns > counters.requests) {
    text += ", <b>" +
            text::fixed(
                static_cast<double>(counters.turns) / static_cast<double>(counters.requests), 1) +
            " turns each</b>";
  }
  text += ", " + text::fixed(text::lanes_per_request(counters), 1) + " lanes";
  return text + "</div></div>\n";
}

// Files in the order of their costliest lines.
std::string source(const KernelCounters& kernel) {
  std::vector<std::string> files;
  std::map<std::string, std::map<int, std::vector<const LineCounters*>>> by_file;
  for (const LineCounters& line : kernel.lines) {
    if (!worth_showing(line)) continue;
    if (by_file.count(line.file) == 0) files.push_back(line.file);
    by_file[line.file][line.line].push_back(&line);
  }
  std::string text;
  const std::uint64_t all = cost(kernel);
  for (const std::string& file : files) {
    const auto& lines = by_file[file];
    const std::vector<std::string> content =
        lines_of_file(file, 1, lines.rbegin()->first + kContext);
    text += "<h3>" + (file.empty() ? "Lines unknown (no debug information)" : escaped(file)) +
            "</h3>\n<div class=\"source\">\n";
    int shown = 0;
    for (auto at = lines.begin(); at != lines.end(); ++at) {
      const int next =
          std::next(at) == lines.end() ? at->first + kContext + 1 : std::next(at)->first;
      const int first = std::max(shown + 1, at->first - kContext);
      if (shown > 0 && first > shown + 1) text += "<div class=\"gap\">...</div>\n";
      const int last = std::min(next - 1, at->first + kContext);
      for (int number = first; number <= last; ++number) {
        const bool counted = number == at->first;
        const auto index = static_cast<std::size_t>(number - 1);
        if (!counted && (number < 1 || index >= content.size())) continue;
        const std::string code = number >= 1 && index < content.size() ? content[index] : "";
        text += std::string("<div class=\"row") + (counted ? " hot" : "") + "\"><div class=\"n\">" +
                (number > 0 ? std::to_string(number) : "") + "</div><div><code>" + escaped(code) +
                "</code>\n";
        if (counted) {
          for (const LineCounters* const line : at->second) text += line_fact(*line, all);
        }
        text += "</div></div>\n";
      }
      shown = last;
    }
    text += "</div>\n";
  }
  return text;
}

}  // namespace

std::string profile_page(const std::vector<KernelCounters>& kernels) {
  std::vector<const KernelCounters*> order;
  for (const KernelCounters& kernel : kernels) order.push_back(&kernel);
  std::stable_sort(
      order.begin(), order.end(),
      [](const KernelCounters* a, const KernelCounters* b) { return cost(*a) > cost(*b); });
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Profile of kernels</title>\n<style>" +
      std::string(kPageStyle) +
      "</style>\n</head>\n<body>\n<h1>Profile of kernels</h1>\n"
      "<p class=\"soft\">What the kernels ask of a GPU's memory, counted by the simulator. There "
      "are "
      "no times: the simulator's own are not a GPU's. The words are explained in the "
      "<a href=\"#glossary\">glossary</a>.</p>\n<nav>\n";
  for (std::size_t i = 0; i < order.size(); ++i) {
    text += "<a href=\"#kernel" + std::to_string(i) + "\">" + escaped(order[i]->name) + "</a>\n";
  }
  text += "</nav>\n";
  if (order.empty()) text += "<p>No kernel was launched.</p>\n";
  for (std::size_t i = 0; i < order.size(); ++i) {
    const KernelCounters& kernel = *order[i];
    text += "<section id=\"kernel" + std::to_string(i) + "\">\n<h2>" + escaped(kernel.name) +
            "</h2>\n" + advice_list(kernel) + facts(kernel) + summary_table(kernel) +
            source(kernel) + "</section>\n";
  }
  return text + "<section id=\"glossary\">\n<h2>Glossary</h2>" + kGlossary +
         "</section>\n</body>\n</html>\n";
}

}  // namespace simulator
