// File: runner_test.h
//
// For the tests of the runner's commands: a small course whose tests only pretend, and what is said
// about it.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_RUNNER_TEST_H_
#define ANDREA_TOOLS_COURSE_RUNNER_RUNNER_TEST_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tools/course/runner/page.h"
#include "tools/course/runner/progress.h"
#include "tools/course/runner/run_to_end.h"
#include "tools/course/runner/selection.h"
#include "tools/course/runner/small_course.h"
#include "tools/course/runner/verdict.h"
#include "trainer/base/error.h"

namespace andrea::course {

// The page as plain text, a line each.
inline std::string text_of(const Page& page) {
  std::string text;
  for (const Line& line : page.lines()) {
    text +=
        line.beside ? text_of(line.beside->left) + text_of(line.beside->right) : line.text + '\n';
  }
  return text;
}

// Whether the text has that part.
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The small course and the runner's view of it.
class RunnerTest : public ::testing::Test {
 protected:
  RunnerTest() : workshop_(course_.workshop()) { setenv("PATH", course_.path().c_str(), 1); }
  ~RunnerTest() override { setenv("PATH", path_.c_str(), 1); }

  LessonPart part(const std::string& words) const {
    const Selection selection = selection_of(workshop_.course, words);
    return {selection.lesson, selection.part.value_or(Part::kernel)};
  }
  // The verdict on a part, or on one exercise.
  std::string told(const std::string& words, const std::string& exercise = "") const {
    const LessonPart which = part(words);
    const RunOutcome outcome = test_part(workshop_, which, exercise, "");
    return text_of(verdict_on(workshop_, which, exercise, outcome, progress_of(workshop_)).page);
  }
  std::string next() const {
    const Progress progress = progress_of(workshop_);
    return progress.next() == nullptr ? "" : progress.next()->id;
  }
  int done() const {
    int done = 0;
    const Progress progress = progress_of(workshop_);
    for (const Step& step : progress.steps) done += step.standing == Standing::done;
    return done;
  }
  std::string refusal(const auto& work) const {
    try {
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const std::string path_ = std::getenv("PATH");
  SmallCourse course_;
  Workshop workshop_;
};

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_RUNNER_TEST_H_
