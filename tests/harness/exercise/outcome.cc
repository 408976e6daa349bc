#include "tests/harness/exercise/outcome.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/harness/exercise/child_process.h"
#include "tests/harness/exercise/messages.h"
#include "tests/harness/exercise/wrapped.h"

namespace andrea {
namespace {

// How long the work may take.
int seconds() {
  const char* const given = std::getenv("ANDREA_EXERCISE_SECONDS");
  return given == nullptr ? 20 : std::stoi(given);
}

// What begins at `begin`, up to the next empty line.
std::string paragraph(const std::string& text, std::size_t begin) {
  const std::size_t end = text.find("\n\n", begin);
  return text.substr(begin, end == std::string::npos ? end : end - begin + 1);
}

// The first of the simulator's reports that `start` so, which is the most telling; empty where
// there is none.
std::string first_report(const std::string& complained, const std::string& start) {
  const std::size_t at = complained.starts_with(start) ? 0 : complained.find("\n" + start);
  return at == std::string::npos ? "" : paragraph(complained, complained.find(start, at));
}

// The last of what the simulator only remarks: for a call that it refused, after which the
// program's own check ended it.
std::string last_note(const std::string& complained) {
  const std::string start = "note: ";
  std::size_t at = complained.rfind("\n" + start);
  if (at == std::string::npos && !complained.starts_with(start)) return "";
  at = at == std::string::npos ? 0 : at + 1;
  return paragraph(complained, at);
}

// How a line begins that names a case.
constexpr char kCase = '\x1e';

// What the work printed in its last case, with a line that says so; empty where it printed nothing.
std::string told_of(const std::string& printed) {
  const std::size_t mark = printed.rfind(kCase);
  if (mark == std::string::npos) {
    return printed.empty() ? "" : "\n" + message("harness.printed") + "\n" + printed;
  }
  const std::size_t line = std::min(printed.find('\n', mark), printed.size() - 1);
  const std::string text = printed.substr(line + 1);
  if (text.empty()) return "";
  const std::string named_case = printed.substr(mark + 1, line - mark - 1);
  return "\n" + message("harness.printed_in", {{"sizes", named_case}}) + "\n" + text;
}

// What is told where the work did not come to a verdict.
std::string ending_of(const ChildResult& result) {
  if (result.too_long) {
    return message("harness.too_long", {{"seconds", std::to_string(seconds())}}) + "\n";
  }
  if (result.signal != 0) {
    return message("harness.crashed", {{"signal", strsignal(result.signal)}}) + "\n";
  }
  return message("harness.ended", {{"status", std::to_string(result.status)}}) + "\n";
}

// The work's verdict as it is told, with a note of the simulator, if there is one, in its place.
std::string told_with(const std::string& note, std::string verdict) {
  const std::size_t place = std::min(verdict.find(kPlaceOfNote), verdict.size());
  const std::string before = wrapped(verdict.substr(0, place));
  std::string after = place == verdict.size() ? "" : verdict.substr(place + 1);
  if (!after.empty() && after.front() == kUnlessNoted) {
    after.erase(0, note.empty() ? 1 : after.find('\n') + 1);
  }
  if (note.empty()) return before + wrapped(after);
  const std::string noted = message("harness.noted") + "\n\n" + wrapped(note);
  return before + "\n" + noted + (after.empty() ? "" : "\n" + wrapped(after));
}

}  // namespace

void begin_printing_of(const std::string& named_case) {
  if (in_one_process()) return;  // then nobody takes the marks out again
  std::printf("%c%s\n", kCase, named_case.c_str());
}

Outcome outcome_of(const std::function<std::string()>& work) {
  const ChildResult result = in_child_process(work, seconds());
  if (result.answered && result.answer.empty()) return {.well = true, .answered = true};
  if (result.answered && result.answer.starts_with(kWell)) {
    return {.well = true, .answered = true, .remark = result.answer.substr(std::strlen(kWell))};
  }
  std::string text, mistake;
  if (result.answered) {
    const std::size_t line = result.answer.find('\n');
    mistake = result.answer.substr(0, line);
    text = result.answer.substr(line + 1);
  }
  const std::string verdict = told_with("", text);
  // What comes after a fault of a kernel, wrong numbers or an error of CUDA, is its consequence.
  const std::string report = first_report(result.complained, "error: ");
  const std::string note = first_report(result.complained, "note: ");
  const std::string refused = result.signal == SIGABRT ? last_note(result.complained) : "";
  if (!report.empty()) {
    mistake = "report";
    text = message("harness.report") + "\n\n" + wrapped(report);
  } else if (!refused.empty()) {
    mistake = "report";
    text = message("harness.refused") + "\n\n" + wrapped(refused);
  } else if (!result.answered) {
    text = ending_of(result);
    if (!result.complained.empty()) text += message("harness.said") + "\n" + result.complained;
  } else {
    text = told_with(mistake == "unsolved" ? "" : note, text);
  }
  text += told_of(result.printed);
  return {false, mistake, text + "\n", verdict, result.answered};
}

}  // namespace andrea
