// File: verdict.h
//
// A run of tests, told as a person wants it: what does not compile before anything else; then one
// failure, with its reason; then how far the part is.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_VERDICT_H_
#define ANDREA_TOOLS_COURSE_RUNNER_VERDICT_H_

#include <string>

#include "tools/course/runner/page.h"
#include "tools/course/runner/part_run.h"
#include "tools/course/runner/progress.h"

namespace andrea::course {

struct Verdict {
  bool well = false;  // everything that was run passes
  Page page;
  std::string failed;  // the id of the step that is told: "02.5"; empty where all is well
  std::string mistake;
};

// `progress` is that after the run. `exercise`: the one that was asked for alone; empty: all of the
// part. Of a part with several failures the first in the order of the course is told.
Verdict verdict_on(const Workshop& workshop, const LessonPart& part, const std::string& exercise,
                   const RunOutcome& outcome, const Progress& progress);

// "done 02.1 02.2" and "not yet 02.3", a line each.
Page standing_page(const Progress& progress, const LessonPart& part);

// What to do next, with the command.
Page next_page(const Progress& progress, const Step* next);

// Remembers what the run has found out, unless a file has changed since `state` was taken.
void remember(const Workshop& workshop, const LessonPart& part, const std::string& state,
              const RunOutcome& outcome);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_VERDICT_H_
