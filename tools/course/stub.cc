#include "tools/course/stub.h"

#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace andrea::course {
namespace {

constexpr std::size_t kLineLimit = 100;

// The text of a line without the spaces at its start, and how many they were.
std::string_view trimmed(std::string_view line, std::size_t& indent) {
  indent = line.find_first_not_of(' ');
  if (indent == std::string_view::npos) indent = line.size();
  return line.substr(indent);
}

// What stands in the brackets of "// WORD(...)" at the start of `text`, and what follows them.
struct Marker {
  std::string id;
  std::string_view rest;
};

std::optional<Marker> marker(std::string_view text, std::string_view word) {
  const std::string start = "// " + std::string(word) + "(";
  if (!text.starts_with(start)) return std::nullopt;
  const std::size_t close = text.find(')', start.size());
  if (close == std::string_view::npos) return std::nullopt;
  return Marker{std::string(text.substr(start.size(), close - start.size())),
                text.substr(close + 1)};
}

// Reads a solution line by line, and tells what it finds.
class Cutter {
 public:
  Cutter(const std::string& solution, const std::string& file) : file_(file) {
    std::istringstream lines(solution);
    for (std::string line; std::getline(lines, line);) {
      ++number_;
      take(line);
    }
    if (inside()) fail("SOLUTION(" + region_.exercise + ") has no END");
  }

  const std::string& stub() const { return stub_; }
  const std::vector<Region>& regions() const { return regions_; }

 private:
  bool inside() const { return !region_.exercise.empty(); }

  void take(const std::string& line) {
    std::size_t indent = 0;
    const std::string_view text = trimmed(line, indent);
    if (const auto begin = marker(text, "SOLUTION")) {
      if (inside()) fail("SOLUTION(" + begin->id + ") within that of " + region_.exercise);
      begin_region(*begin, indent);
    } else if (const auto end = marker(text, "END")) {
      if (!inside()) fail("END(" + end->id + ") without its SOLUTION");
      if (end->id != region_.exercise) {
        fail("END(" + end->id + ") where SOLUTION(" + region_.exercise + ") is open");
      }
      end_region();
    } else if (!inside()) {
      stub_ += line + '\n';
    } else if (in_task_) {
      take_task(text);
    } else if (text == "// STUB") {
      in_stub_ = true;
    } else if (in_stub_) {
      take_stub_line(text);
    } else {
      region_.code += line + '\n';
      region_.code_lines += !text.empty() && !text.starts_with("//");
    }
  }

  void begin_region(const Marker& begin, std::size_t indent) {
    if (!begin.rest.starts_with(": ")) fail("a task begins with ': ', that of " + begin.id);
    region_ = {begin.id, "", "", number_, 0, 0};
    indent_ = indent;
    in_stub_ = false;
    task_lines_.clear();
    stub_lines_.clear();
    take_task("// " + std::string(begin.rest.substr(2)));
  }

  // The task goes on to the line that ends in a full stop.
  void take_task(std::string_view text) {
    if (!text.starts_with("// ")) fail("the task of " + region_.exercise + " has no full stop");
    in_task_ = !text.ends_with('.');
    task_lines_.emplace_back(text.substr(3, text.size() - (in_task_ ? 3 : 4)));
    region_.task += (region_.task.empty() ? "" : " ") + task_lines_.back();
  }

  void take_stub_line(std::string_view text) {
    if (text != "//" && !text.starts_with("// ")) fail("a line of a STUB must be a comment");
    stub_lines_.emplace_back(text.size() > 3 ? text.substr(3) : std::string_view());
  }

  void end_region() {
    const std::string indent(indent_, ' ');
    task_lines_.front() = "TODO(" + region_.exercise + "): " + task_lines_.front();
    const bool is_one_line = region_.code_lines == 1 && !stub_lines_.empty();
    if (stub_lines_.size() < 2 && !is_one_line) {
      task_lines_.back() += ", about " + std::to_string(region_.code_lines) +
                            (region_.code_lines == 1 ? " line" : " lines");
    }
    task_lines_.back() += '.';
    for (const std::string& line : task_lines_) {
      const std::string whole = indent + "// " + line;
      if (whole.size() > kLineLimit) fail("too long a line in the task of " + region_.exercise);
      stub_ += whole + '\n';
    }
    for (const std::string& line : stub_lines_) stub_ += line.empty() ? "\n" : indent + line + '\n';
    region_.last_line = number_;
    regions_.push_back(region_);
    region_ = {};
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_ + ":" + std::to_string(number_) + ": " + what + ".");
  }

  const std::string& file_;
  int number_ = 0;
  Region region_;
  std::size_t indent_ = 0;
  bool in_stub_ = false;
  bool in_task_ = false;
  std::vector<std::string> task_lines_, stub_lines_;
  std::string stub_;
  std::vector<Region> regions_;
};

}  // namespace

bool has_regions(const std::string& text) { return text.find("// SOLUTION(") != std::string::npos; }

std::string stub_of(const std::string& solution, const std::string& file) {
  return Cutter(solution, file).stub();
}

std::vector<Region> regions_of(const std::string& solution, const std::string& file) {
  return Cutter(solution, file).regions();
}

}  // namespace andrea::course
