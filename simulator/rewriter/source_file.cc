#include "simulator/rewriter/source_file.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace simulator {
namespace {

constexpr std::size_t kLargestSource = 64u << 20;
constexpr std::size_t kMostDescribed = 20;
// A line that is longer is not shown.
constexpr std::size_t kLongestLine = 400;

// Empty if `text` may be C++.
std::string why_not_text(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return "is UTF-16; save it as UTF-8";
  }
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 &&
           std::string_view("\t\n\v\f\r").find(c) == std::string_view::npos;
  };
  const auto controls = std::count_if(text.begin(), text.end(), is_control);
  const bool has_null = text.find('\0') != std::string_view::npos;
  if (has_null || controls * 100 > static_cast<std::ptrdiff_t>(text.size())) {
    return "is not a C++ source file: it holds bytes that no text has";
  }
  return "";
}

std::string_view line_of(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find_first_of("\r\n", begin);
    if (end == std::string_view::npos) return "";
    begin = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
  }
  return text.substr(begin, std::min(text.find_first_of("\r\n", begin), text.size()) - begin);
}

}  // namespace

std::optional<std::string> read_source(const std::string& path, std::string& problem) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    problem = path + " is a folder, not a source file";
    return std::nullopt;
  }
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kLargestSource) {
    problem = path + " is larger than 64 MB, which no source file is";
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    problem = path + " cannot be read: " + std::strerror(errno);
    return std::nullopt;
  }
  std::ostringstream bytes;
  bytes << file.rdbuf();
  std::string text = std::move(bytes).str();
  if (const std::string reason = why_not_text(text); !reason.empty()) {
    problem = path + " " + reason;
    return std::nullopt;
  }
  return text;
}

bool write_source(const std::string& path, std::string_view text, std::string& problem) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (file) return true;
  problem = path + " cannot be written: " + std::strerror(errno);
  return false;
}

std::string describe(const std::vector<Finding>& findings, std::string_view source,
                     const std::string& path) {
  std::ostringstream out;
  const std::size_t described = std::min(findings.size(), kMostDescribed);
  for (std::size_t i = 0; i < described; ++i) {
    const Finding& finding = findings[i];
    out << path << ':' << finding.line << ':' << finding.column << ": error: " << finding.sentence
        << '\n';
    const std::string_view line = line_of(source, finding.line);
    const std::size_t before = static_cast<std::size_t>(finding.column) - 1;
    if (line.empty() || line.size() > kLongestLine || before > line.size()) continue;
    out << "    " << line << "\n    ";
    for (const char c : line.substr(0, before)) {
      // A character of several bytes takes one place: its first byte's.
      const bool is_continued = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
      if (!is_continued) out << (c == '\t' ? '\t' : ' ');
    }
    out << "^\n";
  }
  if (findings.size() > described) {
    out << path << ": and " << findings.size() - described << " more of the kind\n";
  }
  return std::move(out).str();
}

}  // namespace simulator
