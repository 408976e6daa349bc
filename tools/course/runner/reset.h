// File: reset.h
//
// ./andrea reset: an exercise as it was handed out. What was there is kept beside it, as
// kernel.cu.before-reset-1.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_RESET_H_
#define ANDREA_TOOLS_COURSE_RUNNER_RESET_H_

#include <string>

#include "tools/course/runner/page.h"
#include "tools/course/runner/workshop.h"

namespace andrea::course {

// `selection` as in selection.h: an exercise's own lines, a part's file, or the files of a lesson.
// Throws Error, and changes nothing, where the handed out text is not to be had, or the lines of
// an exercise cannot be told from the others.
Page reset(const Workshop& workshop, const std::string& selection);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_RESET_H_
