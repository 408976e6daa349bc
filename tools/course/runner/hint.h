// File: hint.h
//
// ./andrea hint: one stage more each time it is asked.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_HINT_H_
#define ANDREA_TOOLS_COURSE_RUNNER_HINT_H_

#include "tools/course/runner/page.h"
#include "tools/course/runner/workshop.h"

namespace andrea::course {

// The next stage of the exercise's hint, and what comes after it; after the last one it again. With
// `with_earlier` those that were shown before too; with `all` the whole hint at once. Remembers
// what was shown. Throws Error where hints.md has none.
Page hint_page(const Workshop& workshop, const Exercise& exercise, bool with_earlier, bool all);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_HINT_H_
