// File: watch.h
//
// ./andrea watch: tests what is saved, says what is wrong with it, and goes on when it is right.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_WATCH_H_
#define ANDREA_TOOLS_COURSE_RUNNER_WATCH_H_

#include <string>

#include "tools/course/runner/workshop.h"

namespace andrea::course {

// `selection` as in selection.h: where to begin; empty: at the next exercise. `poll`: look at the
// files now and then even where the system tells of changes. Returns the exit status: 0 after q,
// 128 and the signal after one. Whatever is saved of the lessons' files is tested, not only the
// exercise that it stands at.
int watch(const Workshop& workshop, const std::string& selection, bool poll);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_WATCH_H_
