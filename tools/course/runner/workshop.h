// File: workshop.h
//
// What every command of the runner works with.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_WORKSHOP_H_
#define ANDREA_TOOLS_COURSE_RUNNER_WORKSHOP_H_

#include <filesystem>

#include "tools/course/course.h"
#include "tools/course/runner/bazel.h"
#include "tools/course/runner/memory.h"
#include "tools/course/runner/page.h"

namespace andrea::course {

struct Workshop {
  std::filesystem::path root;
  Course course;
  Bazel bazel;
  Memory memory;
  Layout layout;       // of standard output
  bool plain = false;  // no control codes at all
};

// Prints it to standard output.
void print(const Workshop& workshop, const Page& page);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_WORKSHOP_H_
