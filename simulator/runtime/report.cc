#include "simulator/runtime/report.h"

#include <simulator/reports.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>

#include "simulator/runtime/observer.h"
#include "simulator/runtime/options.h"
#include "simulator/runtime/terminal_text.h"

namespace simulator {
namespace {

// Constructed on first use and never destroyed: reports may come while the program ends.
struct Log {
  std::mutex mutex;
  std::vector<Report> reports;
  std::set<std::string> keys;
  std::size_t errors = 0;
};

Log& the_log() {
  static Log* const kLog = new Log;
  return *kLog;
}

constexpr std::size_t kWidth = 94;  // tools/course/runner/page.cc knows it too

struct Style {
  const char* red = "";
  const char* yellow = "";
  const char* bold = "";
  const char* dim = "";
  const char* plain = "";
};

Style style() {
  if (!colours_on_standard_error()) return {};
  return {"\033[1;31m", "\033[1;33m", "\033[1m", "\033[2m", "\033[0m"};
}

std::string source_text(const SourceLine& line) {
  const std::vector<std::string> found = lines_of_file(line.file, line.line, line.line);
  if (found.empty()) return "";
  const std::string& text = found.front();
  const std::size_t first = text.find_first_not_of(" \t");
  const std::size_t last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::string triple(uint3 index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

std::string who(const Party& party) {
  if (!party.in_kernel) return "the host";
  return "thread " + triple(party.thread) + " of block " + triple(party.block) + ", warp " +
         std::to_string(party.warp) + " lane " + std::to_string(party.lane);
}

void print(const Report& report) {
  const Style s = style();
  std::ostringstream out;
  out << (report.error ? s.red : s.yellow) << (report.error ? "error" : "note") << s.plain << s.bold
      << ": " << report.sentence << s.plain << '\n';
  if (!report.kernel.empty()) out << "  in kernel " << report.kernel << '\n';
  for (const Party& party : report.parties) {
    out << "  " << who(party) << ' ' << party.did;
    if (!party.also.empty()) out << ' ' << party.also;
    out << (party.lines.empty() ? "" : ", at") << '\n';
    for (const SourceLine& line : party.lines) {
      out << "    " << s.bold << place(line) << s.plain;
      if (!line.function.empty()) out << "  in " << line.function;
      out << '\n';
      const std::string text = source_text(line);
      if (!text.empty()) out << "      " << s.dim << "| " << s.plain << text << '\n';
    }
  }
  if (!report.variable.empty()) out << "  variable: " << report.variable << '\n';
  if (report.times > 1) out << "  times: " << report.times << '\n';
  out << wrapped(report.cause, "  ", kWidth) << '\n';
  std::fflush(stdout);
  std::fputs(out.str().c_str(), stderr);
  std::fflush(stderr);
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += std::string("\\") + c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      result += code;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string json_triple(uint3 index) {
  return "[" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + "]";
}

std::string json(const Report& report) {
  std::ostringstream out;
  out << "{\"level\": " << (report.error ? "\"error\"" : "\"note\"")
      << ", \"kind\": " << quoted(report.kind) << ", \"sentence\": " << quoted(report.sentence)
      << ", \"kernel\": " << quoted(report.kernel) << ", \"variable\": " << quoted(report.variable)
      << ", \"cause\": " << quoted(report.cause) << ", \"times\": " << report.times
      << ", \"parties\": [";
  for (const Party& party : report.parties) {
    out << (&party == report.parties.data() ? "" : ", ") << "{\"did\": " << quoted(party.did);
    if (party.in_kernel) {
      out << ", \"block\": " << json_triple(party.block)
          << ", \"thread\": " << json_triple(party.thread) << ", \"warp\": " << party.warp
          << ", \"lane\": " << party.lane;
    }
    out << ", \"also\": " << quoted(party.also) << ", \"lines\": [";
    for (const SourceLine& line : party.lines) {
      out << (&line == party.lines.data() ? "" : ", ") << "{\"file\": " << quoted(line.file)
          << ", \"line\": " << line.line << ", \"function\": " << quoted(line.function) << '}';
    }
    out << "]}";
  }
  out << "]}";
  return out.str();
}

// A line each, so that what a program that dies has reported is there.
void append_json(const Report& report) {
  if (options().json.empty()) return;
  std::ofstream file(options().json, std::ios::app);
  file << json(report) << '\n';
  if (!file.flush()) {
    std::fprintf(stderr, "simulator: could not write the reports to '%s'.\n",
                 options().json.c_str());
  }
}

std::string key(const Report& report) {
  std::string result = report.kind + '|' + report.kernel + '|';
  for (const Party& party : report.parties) {
    result += party.did + '|';
    for (const SourceLine& line : party.lines) result += place(line) + '|';
  }
  return result + (report.parties.empty() ? report.sentence : "");
}

[[gnu::destructor]] void end_with_status() {
  if (the_log().errors == 0) return;
  std::fflush(nullptr);
  _exit(kErrorStatus);
}

}  // namespace

std::string place(const SourceLine& line) { return line.file + ':' + std::to_string(line.line); }

bool publish(const Report& report) {
  Log& log = the_log();
  const std::lock_guard<std::mutex> lock(log.mutex);
  if (!log.keys.insert(key(report)).second) return false;
  log.reports.push_back(report);
  log.errors += report.error;
  print(report);
  append_json(report);
  return true;
}

const std::vector<Report>& published() { return the_log().reports; }

bool simulated() { return true; }
bool watching() { return observer() != nullptr; }

std::size_t errors_reported() { return the_log().errors; }

void forget_published() {
  Log& log = the_log();
  const std::lock_guard<std::mutex> lock(log.mutex);
  log.reports.clear();
  log.keys.clear();
  log.errors = 0;
}

}  // namespace simulator
