// File: run_to_end.h
//
// A run of tests that is waited for, with a line of progress on standard error.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_RUN_TO_END_H_
#define ANDREA_TOOLS_COURSE_RUNNER_RUN_TO_END_H_

#include <string>

#include "tools/course/runner/part_run.h"
#include "tools/course/runner/progress.h"
#include "tools/course/runner/workshop.h"

namespace andrea::course {

// Throws Interrupted where a person ends it, once the build and the tests have ended. Remembers
// nothing.
RunOutcome run_to_end(const Workshop& workshop, const RunRequest& request);

// The tests of a part, or of one exercise of it; remembers what they say.
RunOutcome test_part(const Workshop& workshop, const LessonPart& part, const std::string& exercise,
                     const std::string& seed);

// Runs the tests of everything that is unknown.
Progress found_out(const Workshop& workshop);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_RUN_TO_END_H_
