// File: course_runner.h
//
// Whether the course runner (tools/course/runner) has started this program. It wraps lines itself,
// at the width of its terminal, and names its own commands where else Bazel's stand.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_COURSE_RUNNER_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_COURSE_RUNNER_H_

#include <cstdlib>

namespace andrea {

// By a variable of the environment, which the runner sets.
inline bool in_course_runner() { return std::getenv("ANDREA_COURSE_RUNNER") != nullptr; }

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_COURSE_RUNNER_H_
