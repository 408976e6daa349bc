#include "tools/course/runner/verdict.h"

#include <cstring>
#include <iterator>

#include "tools/course/runner/compile_errors.h"
#include "trainer/base/lines.h"

namespace andrea::course {
namespace {

constexpr std::size_t kMostPrinted = 12;  // lines of a program that broke off

// How the harness begins the sentence that names a mistake ("looks_like" in lessons/messages.json).
constexpr const char* kNamed = "It looks as if ";
constexpr const char* kPattern = "The pattern";

std::string title_of(const TestResult& result, const Course& course) {
  if (!result.exercise.empty())
    return result.exercise + " " + course.exercise(result.exercise).title;
  return result.title.empty() ? result.test : result.title;
}

std::string id_of(const TestResult& result, const LessonPart& part) {
  return result.exercise.empty() ? part.id() : result.exercise;
}

// The reason, without blank lines at its end. What the mistake looks like goes before the picture,
// which may be longer than the terminal.
void add_reason(Page& page, const std::string& told) {
  Page head, rest;
  const std::string text = told.substr(0, told.find_last_not_of(" \n") + 1);
  for (const std::string& line : rejoined(lines_of(text))) {
    if (line.starts_with(kNamed)) {
      head.add(line, Style::named);
    } else if (line.starts_with(kPattern)) {
      head.add(line);
    } else {
      rest.add(line);
    }
  }
  bool is_first = true;
  for (const Line& line : rest.lines()) {
    if (line.text.empty()) {
      page.gap();
    } else {
      page.add(line.text, line.style);
    }
    if (is_first) page.add(head);
    is_first = false;
  }
}

void add_failure(Page& page, const Workshop& workshop, const LessonPart& part,
                 const TestResult& result) {
  const std::string title = title_of(result, workshop.course);
  page.add((part.part == Part::together ? "Your kernels together" : title) + ": not yet.",
           Style::bad);
  page.add("");
  add_reason(page, result.told);
  if (result.seed.empty()) return;
  page.add(
      "The same inputs again: ./andrea check " + id_of(result, part) + " --seed " + result.seed,
      Style::faint);
}

// The program of the tests broke off: a constructor of the student's, or a loop before any test.
void add_broken_off(Page& page, const RunOutcome& outcome) {
  if (outcome.too_long) {
    page.add("The tests did not come to an end, and were stopped.", Style::bad);
  } else {
    const int signal = outcome.status - 128;
    const std::string how = outcome.status > 128 ? std::string("by ") + strsignal(signal)
                                                 : "with status " + std::to_string(outcome.status);
    page.add("The program of the tests ended " + how + " before it had a verdict.", Style::bad);
  }
  page.add("");
  page.add(
      "Each exercise runs by itself, so this is not within one of them: look at what runs before "
      "main, such as constructors of variables outside of all functions.");
  const std::vector<std::string> lines = lines_of(outcome.said);
  if (lines.empty()) return;
  page.gap();
  page.add("It said last:");
  const std::size_t first = lines.size() > kMostPrinted ? lines.size() - kMostPrinted : 0;
  for (std::size_t i = first; i < lines.size(); ++i) page.add("  " + lines[i]);
}

// The first failure in the order of the lesson: GoogleTest's order is that of the file, which is
// the same, but a test of the whole comes behind the exercises.
const TestResult* first_failure(const std::vector<TestResult>& results) {
  for (const bool of_exercise : {true, false}) {
    for (const TestResult& result : results) {
      if (!result.passed && result.exercise.empty() != of_exercise) return &result;
    }
  }
  return nullptr;
}

std::string number_word(std::size_t number) {
  static const char* const kWords[] = {"no",   "one", "two",   "three", "four",
                                       "five", "six", "seven", "eight", "nine"};
  return number < std::size(kWords) ? kWords[number] : std::to_string(number);
}

std::string what_is_done(const LessonPart& part, std::size_t count) {
  const std::string lesson = "lesson " + part.lesson->number;
  switch (part.part) {
    case Part::kernel:
      return "All " + number_word(count) + " exercises of " + lesson + " are done.";
    case Part::worksheet:
      return "The worksheet of " + lesson + " is done.";
    case Part::together:
      return "Your kernels up to " + lesson + " work together.";
    case Part::further:
      return "All that goes further in " + lesson + " is done.";
  }
  return "";
}

}  // namespace

Page standing_page(const Progress& progress, const LessonPart& part) {
  Page page;
  std::string done, not_yet;
  for (const Step* const step : progress.of(*part.lesson, part.part)) {
    if (step->exercise == nullptr) continue;
    if (step->likely() == Standing::done) done += " " + step->id;
    if (step->likely() == Standing::not_yet) not_yet += " " + step->id;
  }
  if (!done.empty()) page.add_item("  done     ", done.substr(1), Style::good);
  if (!not_yet.empty()) page.add_item("  not yet  ", not_yet.substr(1));
  return page;
}

Page next_page(const Progress& progress, const Step* next) {
  Page page;
  if (next == nullptr) {
    const bool all = progress.next() == nullptr;
    page.add(all ? "Every exercise of the course is done: every kernel of the model is yours."
                 : "Nothing else is left here.",
             Style::good);
    if (all) page.add("Train it: ./andrea train --kernels lessons --preset nano");
    return page;
  }
  if (next->is_to_test_again()) {
    page.add("Next: " + next->id + " " + next->title + ". It has passed, then its file changed.",
             Style::strong);
    page.add_item("  test   ",
                  "./andrea check " + next->id + ", or all that changed: " + "./andrea status");
    return page;
  }
  const std::string file = next->part == Part::together ? "" : file_of_part(next->part);
  page.add("Next: " + next->id + " " + next->title +
               (next->minutes > 0 ? ", about " + time_text(next->minutes) : "") + ".",
           Style::strong);
  const Step* const first = progress.of(*next->lesson, Part::kernel).front();
  if (first->id == next->id) page.add_item("  read   ", next->lesson->folder() + "/README.md");
  if (!file.empty()) page.add_item("  write  ", file + ", in " + next->lesson->folder());
  page.add_item("  test   ", "./andrea check " + next->id);
  return page;
}

Verdict verdict_on(const Workshop& workshop, const LessonPart& part, const std::string& exercise,
                   const RunOutcome& outcome, const Progress& progress) {
  Verdict verdict;
  if (outcome.kind != RunOutcome::tested) {
    verdict.failed = exercise.empty() ? part.id() : exercise;
    if (outcome.kind == RunOutcome::not_built) {
      verdict.page = build_failure(outcome.said, workshop.root);
    } else {
      add_broken_off(verdict.page, outcome);
    }
    return verdict;
  }
  const TestResult* const failure = first_failure(outcome.results);
  if (failure != nullptr) {
    verdict.failed = id_of(*failure, part);
    verdict.mistake = failure->mistake;
    add_failure(verdict.page, workshop, part, *failure);
    const Page warning = build_warning(outcome.said, workshop.root);
    if (!warning.empty()) verdict.page.gap();
    verdict.page.add(warning);
    verdict.page.gap();
    verdict.page.add(standing_page(progress, part));
    return verdict;
  }
  // A report without the test that was asked for proves nothing.
  const bool complete =
      !outcome.results.empty() &&
      (exercise.empty() || standing_of(exercise, outcome.results) == Standing::done);
  if (!complete) {
    verdict.page.add("The tests of " + (exercise.empty() ? part.lesson->folder() : exercise) +
                         " did not run: is its *_test.cc as it was?",
                     Style::bad);
    return verdict;
  }
  verdict.well = true;
  const std::size_t count = exercises_of(*part.lesson, part.part).size();
  verdict.page.add(exercise.empty()
                       ? what_is_done(part, count)
                       : exercise + " " + workshop.course.exercise(exercise).title + ": done.",
                   Style::good);
  for (const TestResult& result : outcome.results) {
    if (!result.remark.empty()) verdict.page.add(result.exercise + ": " + result.remark);
  }
  const Page warning = build_warning(outcome.said, workshop.root);
  if (!warning.empty()) verdict.page.gap();
  verdict.page.add(warning);
  const Page standing = standing_page(progress, part);
  if (!standing.empty()) verdict.page.gap();
  verdict.page.add(standing);
  return verdict;
}

void remember(const Workshop& workshop, const LessonPart& part, const std::string& state,
              const RunOutcome& outcome) {
  constexpr int kBuildFailed = 1;  // of Bazel; its other troubles are not the student's
  if (outcome.kind == RunOutcome::not_ended) return;
  if (outcome.kind == RunOutcome::not_built && outcome.status != kBuildFailed) return;
  if (state != state_of(workshop.root, workshop.course, *part.lesson, part.part)) return;
  PartMemory memory = in_state(workshop.memory.part(*part.lesson, part.part), state);
  memory.state = state;
  memory.compiles = outcome.kind == RunOutcome::tested;
  memory.results =
      memory.compiles ? merged(memory.results, outcome.results) : std::vector<TestResult>();
  workshop.memory.keep(*part.lesson, part.part, memory);
}

}  // namespace andrea::course
