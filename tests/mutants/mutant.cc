#include "tests/mutants/mutant.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace andrea::mutants {
namespace {

std::string_view without_indent(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

class Reader {
 public:
  Reader(const std::string& text, const std::string& file) : file_(file) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++number_;
      take(line);
    }
    finish();
  }

  std::vector<WrittenMutant> mutants() && { return std::move(mutants_); }

 private:
  void take(const std::string& line) {
    if (line.starts_with("== ")) {
      finish();
      begin(line.substr(3));
    } else if (line.starts_with('-') || line.starts_with('+')) {
      if (mutants_.empty()) fail("an edit before the first '== exercise name'");
      take_edit(line.front(), std::string(without_indent(std::string_view(line).substr(1))));
    } else if (!line.empty() && !line.starts_with('#')) {
      fail("a line begins with '==', '-', '+' or '#'");
    }
  }

  void begin(const std::string& head) {
    std::istringstream words(head);
    WrittenMutant mutant;
    std::string expected, more;
    words >> mutant.exercise >> mutant.name >> expected >> more;
    if (mutant.name.empty() || !more.empty()) fail("a head is '== exercise name [report or any]'");
    if (expected == "report") {
      mutant.expected = Expected::report;
    } else if (expected == "any") {
      mutant.expected = Expected::any;
    } else if (!expected.empty()) {
      fail("'" + expected + "' is neither 'report' nor 'any'");
    }
    mutant.line = number_;
    mutants_.push_back(std::move(mutant));
    last_ = '\0';
  }

  void take_edit(char sign, const std::string& line) {
    std::vector<Edit>& edits = mutants_.back().edits;
    const bool begins = sign == '-' && last_ != '-';
    if (begins) edits.emplace_back();
    if (edits.empty()) fail("'+' before the first '-'");
    std::string& text = sign == '-' ? edits.back().from : edits.back().to;
    text += (sign == last_ ? "\n" : "") + line;
    last_ = sign;
  }

  // The same mistake may be made in several ways: they differ in their edits.
  void finish() const {
    if (mutants_.empty()) return;
    const WrittenMutant& last = mutants_.back();
    if (last.edits.empty()) fail(last.exercise + " " + last.name + " has no edit");
    for (const Edit& edit : last.edits) {
      if (edit.from.empty() || edit.from == edit.to) {
        fail(last.exercise + " " + last.name + " has an edit that changes nothing");
      }
    }
    for (const WrittenMutant& other : mutants_) {
      if (&other == &last || other.exercise != last.exercise) continue;
      const bool same =
          std::equal(other.edits.begin(), other.edits.end(), last.edits.begin(), last.edits.end(),
                     [](const Edit& a, const Edit& b) { return a.from == b.from && a.to == b.to; });
      if (same) fail(last.exercise + " " + last.name + " is " + other.name + " once more");
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_ + ":" + std::to_string(number_) + ": " + what + ".");
  }

  const std::string& file_;
  int number_ = 0;
  char last_ = '\0';  // the sign of the line before
  std::vector<WrittenMutant> mutants_;
};

}  // namespace

std::vector<WrittenMutant> read_mutants(const std::string& text, const std::string& file) {
  return Reader(text, file).mutants();
}

std::string applied(const WrittenMutant& mutant, const std::string& solution) {
  std::string text;
  std::istringstream lines(solution);
  bool in_stub = false;
  for (std::string line; std::getline(lines, line);) {
    const std::string_view code = without_indent(line);
    if (code == "// STUB") in_stub = true;
    if (code.starts_with("// END(")) in_stub = false;
    if (!in_stub) text += code;
    text += '\n';
  }
  for (const Edit& edit : mutant.edits) {
    const std::size_t at = text.find(edit.from);
    const bool is_once =
        at != std::string::npos && text.find(edit.from, at + 1) == std::string::npos;
    if (!is_once) {
      throw std::runtime_error(mutant.exercise + " " + mutant.name + ": the solution has this " +
                               (at == std::string::npos ? "nowhere" : "more than once") + ": " +
                               edit.from);
    }
    text.replace(at, edit.from.size(), edit.to);
  }
  return text;
}

}  // namespace andrea::mutants
