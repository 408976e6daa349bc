// File: compile_errors.h
//
// What Bazel, g++ and the linker say of a failed build, as a person wants it: the first error, with
// its file, line and source, in the compiler's own sentence; of the rest, how much there is.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_COMPILE_ERRORS_H_
#define ANDREA_TOOLS_COURSE_RUNNER_COMPILE_ERRORS_H_

#include <filesystem>
#include <string>

#include "tools/course/runner/page.h"

namespace andrea::course {

// `said` is all that Bazel printed; `root` is where the sources are.
Page build_failure(const std::string& said, const std::filesystem::path& root);

// The first warning of a build that did not fail; empty where there is none, or none in a file of
// the lessons.
Page build_warning(const std::string& said, const std::filesystem::path& root);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_COMPILE_ERRORS_H_
