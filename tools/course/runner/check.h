// File: check.h
//
// ./andrea check: builds, runs, and tells the verdict.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_CHECK_H_
#define ANDREA_TOOLS_COURSE_RUNNER_CHECK_H_

#include <string>

#include "tools/course/runner/workshop.h"

namespace andrea::course {

// `selection` as in selection.h; empty: where the next exercise is. A lesson is its kernels, its
// worksheet and the kernels together, up to the first that is not done. The exit status.
int check(const Workshop& workshop, const std::string& selection, const std::string& seed);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_CHECK_H_
