#include "tools/course/runner/compile_errors.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include "simulator/rewriter/includes.h"
#include "simulator/rewriter/rewriter.h"
#include "simulator/tool/compiler_messages.h"
#include "simulator/tool/message_text.h"

namespace andrea::course {
namespace {

namespace fs = std::filesystem;
using simulator::contains;
using simulator::Message;

constexpr std::size_t kMostMissing = 3;  // functions that are named
constexpr std::size_t kMostLines = 12;   // of what nobody understands

bool is_students(const std::string& path) {
  return path.starts_with("lessons/") || path.starts_with("solutions/");
}

bool is_error(const Message& message) {
  return message.kind == "error" || message.kind == "fatal error";
}

// Bazel's own affairs left out.
bool is_of_bazel(const std::string& line) {
  static const char* const kBegins[] = {
      "ERROR: ", "INFO: ", "DEBUG: ",   "FAILED: ",   "Loading:",  "Analyzing:",     "Target ",
      "Use --",  "[",      "WARNING: ", "Extracting", "Starting ", "Another command"};
  return std::any_of(std::begin(kBegins), std::end(kBegins),
                     [&](const char* begin) { return line.starts_with(begin); });
}

std::string without_bazel(const std::string& said) {
  std::string result;
  for (const std::string& line : simulator::lines_of(said)) {
    if (!is_of_bazel(line)) result += line + '\n';
  }
  return result;
}

// Under Bazel g++ speaks plain ASCII: 'name'. The marks tell a name from an apostrophe.
std::string with_quotation_marks(const std::string& text) {
  std::string result;
  bool open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char before = i == 0 ? ' ' : text[i - 1];
    if (text[i] == '\n') open = false;
    if (text[i] != '\'') {
      result += text[i];
    } else if (!open && (before == ' ' || before == '(' || before == '\n')) {
      open = true;
      result += "‘";
    } else if (open) {
      open = false;
      result += "’";
    } else {
      result += '\'';
    }
  }
  return result;
}

// Only messages have quotation marks, not the source lines below them.
std::string messages_with_marks(const std::string& text) {
  std::string result;
  for (const std::string& line : simulator::lines_of(text)) {
    result += (line.starts_with(' ') ? line : with_quotation_marks(line)) + '\n';
  }
  return result;
}

std::string source_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// g++'s messages, told of the source as it was written and not as the simulator has it.
std::vector<Message> readable_messages(const std::string& text, const fs::path& root) {
  std::set<std::string> paths;
  for (const Message& message : simulator::parse_messages(text)) {
    if (message.path.ends_with(".cu") && is_students(message.path)) paths.insert(message.path);
  }
  std::vector<simulator::ProgramFile> files;
  for (const std::string& path : paths) {
    const std::string source = source_of(root / path);
    files.push_back({path, "", source, simulator::rewrite(source, path).text, {}});
  }
  simulator::CompiledProgram program{"simulator/include", {}};
  for (const simulator::ProgramFile& file : files) program.files.push_back(&file);
  return simulator::parse_messages(simulator::readable_compiler_messages(text, program));
}

// An error within a template of somebody else's is the caller's.
void move_to_student(Message& message) {
  if (is_students(message.path)) return;
  for (auto line = message.context.rbegin(); line != message.context.rend(); ++line) {
    Message place;
    if (!simulator::read_place(*line, place) || !is_students(place.path)) continue;
    message.path = place.path;
    message.line = place.line;
    message.column = place.column;
    return;
  }
}

std::string without_end(std::string line) {
  while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
  return line;
}

// The line of the source, and a mark below its column. Where something is missing before the first
// word of a line it is missing at the end of the line above, which is shown too.
void add_source(Page& page, const Message& message, const fs::path& root) {
  const std::vector<std::string> lines = simulator::lines_of(source_of(root / message.path));
  if (message.line < 1 || static_cast<std::size_t>(message.line) > lines.size()) return;
  const auto index = static_cast<std::size_t>(message.line) - 1;
  const std::string line = without_end(lines[index]);
  // The indentation is worth less than the room.
  const std::size_t spaces = std::min(line.find_first_not_of(" \t"), line.size());
  const bool is_first_word = message.column == static_cast<int>(spaces) + 1;
  if (is_first_word && message.text.starts_with("expected ")) {
    std::size_t above = index;
    while (above > 0 && without_end(lines[above - 1]).empty()) --above;
    if (above > 0) {
      const std::string before = without_end(lines[above - 1]);
      page.add("    " + before.substr(std::min(before.find_first_not_of(" \t"), spaces)));
    }
  }
  page.add("    " + line.substr(spaces));
  if (message.column <= static_cast<int>(spaces)) return;
  const std::size_t before = static_cast<std::size_t>(message.column) - 1 - spaces;
  page.add("    " + std::string(before, ' ') + "^", Style::bad);
}

void add_message(Page& page, const Message& message, const fs::path& root) {
  std::string place = message.path;
  if (message.line > 0) place += ":" + std::to_string(message.line);
  if (message.column > 0) place += ":" + std::to_string(message.column);
  page.add("  " + place, Style::strong);
  page.add("");
  add_source(page, message, root);
  page.gap();
  page.add(message.text);
}

constexpr const char* kHeaderHint =
    "A lesson includes what stands at its head, and the headers of C++ and of CUDA.";

// What follows an error at the same place, which says what to do about it.
std::optional<std::string> note_of(const std::vector<Message>& messages, std::size_t error) {
  if (contains(messages[error].text, ": No such file or directory")) return kHeaderHint;
  for (std::size_t i = error + 1; i < messages.size() && messages[i].is_note(); ++i) {
    if (messages[i].path == messages[error].path && messages[i].line == messages[error].line &&
        messages[i].excerpt.empty()) {
      return messages[i].text;
    }
  }
  return std::nullopt;
}

bool add_compile_error(Page& page, const std::vector<Message>& messages, const fs::path& root) {
  std::size_t first = messages.size(), count = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (!is_error(messages[i]) || messages[i].line == 0) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return false;
  Message error = messages[first];
  move_to_student(error);
  page.add("It does not compile.", Style::bad);
  page.add("");
  add_message(page, error, root);
  if (const auto note = note_of(messages, first)) page.add(*note);
  if (count > 1) {
    page.add("");
    page.add(count == 2 ? "There is another error, which may only follow from this one."
                        : "There are " + std::to_string(count - 1) +
                              " more errors, which may only follow from this one.",
             Style::faint);
  }
  return true;
}

// "andrea::lesson02::pair_dots(float const*, int)" behind `undefined reference to `.
std::vector<std::string> names_behind(const std::string& text, const std::string& words) {
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = text.find(words + " `", at)) != std::string::npos;) {
    at += words.size() + 2;
    std::string name = text.substr(at, std::min(text.find('\'', at), text.find('\n', at)) - at);
    if (name.starts_with("andrea::")) name.erase(0, std::string("andrea::").size());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

bool add_link_error(Page& page, const std::string& text) {
  const auto missing = names_behind(text, "undefined reference to");
  const auto twice = names_behind(text, "multiple definition of");
  if (missing.empty() && twice.empty()) return false;
  const std::vector<std::string>& names = missing.empty() ? twice : missing;
  page.add("It compiles, but it cannot be put together.", Style::bad);
  page.add("");
  for (std::size_t i = 0; i < names.size() && i < kMostMissing; ++i) page.add("  " + names[i]);
  if (names.size() > kMostMissing) {
    page.add("  and " + std::to_string(names.size() - kMostMissing) + " more");
  }
  page.add("");
  if (missing.empty()) {
    page.add(
        "is defined more than once, in the kernels of two lessons: what a lesson needs for itself "
        "alone stands in its unnamed namespace, namespace { ... }.");
  } else {
    page.add(
        "is declared and called, and defined nowhere. Has it been deleted or renamed? Are its "
        "parameters, and its namespace, those of the declaration in the header?");
  }
  return true;
}

}  // namespace

Page build_failure(const std::string& said, const fs::path& root) {
  Page page;
  const std::string text = without_bazel(said);
  const std::string marked = messages_with_marks(text);
  if (add_compile_error(page, readable_messages(marked, root), root)) return page;
  if (add_link_error(page, text)) return page;
  page.add("The build failed.", Style::bad);
  page.add("");
  if (contains(said, "Killed signal terminated program")) {
    page.add("The compiler was killed, most likely since this machine has too little memory.");
    return page;
  }
  // What is left is Bazel's own trouble, in its words.
  const bool has_words = text.find_first_not_of(" \n") != std::string::npos;
  std::vector<std::string> lines = simulator::lines_of(has_words ? text : said);
  std::erase_if(lines, [](const std::string& line) { return line.empty(); });
  if (lines.size() > kMostLines) {
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kMostLines));
  }
  for (const std::string& line : lines) page.add("  " + line);
  if (lines.empty()) page.add("Bazel said nothing about why.");
  return page;
}

Page build_warning(const std::string& said, const fs::path& root) {
  Page page;
  for (const Message& message : readable_messages(messages_with_marks(without_bazel(said)), root)) {
    if (message.kind != "warning" || !is_students(message.path)) continue;
    page.add("The compiler warns, at " + message.path + ":" + std::to_string(message.line) + ": " +
                 message.text.substr(0, message.text.rfind(" [-W")),
             Style::named);
    return page;
  }
  return page;
}

}  // namespace andrea::course
