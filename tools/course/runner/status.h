// File: status.h
//
// Where a student is: in a sentence, as a table, exercise by exercise, or as JSON.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_STATUS_H_
#define ANDREA_TOOLS_COURSE_RUNNER_STATUS_H_

#include <string>

#include "tools/course/runner/page.h"
#include "tools/course/runner/progress.h"

namespace andrea::course {

// ./andrea alone: where you are, and the next command.
Page where_page(const Progress& progress);

// A line a lesson; narrower where the terminal has not room for it.
Page status_page(const Workshop& workshop, const Progress& progress);

// A line an exercise.
Page lesson_page(const Progress& progress, const Lesson& lesson);

// docs/runner.md says what it holds.
std::string status_json(const Workshop& workshop, const Progress& progress);

// The same table in Markdown, for the summary of a continuous integration.
std::string status_markdown(const Workshop& workshop, const Progress& progress);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_STATUS_H_
