// File: solution.h
//
// ./andrea solution: how the solution does it, beside how the student did.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_SOLUTION_H_
#define ANDREA_TOOLS_COURSE_RUNNER_SOLUTION_H_

#include <string>

#include "tools/course/runner/page.h"
#include "tools/course/runner/workshop.h"

namespace andrea::course {

// `selection` as in selection.h. What has not passed is shown only with `give_up`; where nothing
// may be shown, or there are no solutions, an Error says so. May run tests.
Page solution(const Workshop& workshop, const std::string& selection, bool give_up);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_SOLUTION_H_
