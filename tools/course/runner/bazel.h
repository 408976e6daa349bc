// File: bazel.h
//
// A test program, built by Bazel.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_BAZEL_H_
#define ANDREA_TOOLS_COURSE_RUNNER_BAZEL_H_

#include <filesystem>
#include <string>
#include <vector>

#include "tools/course/runner/child.h"

namespace andrea::course {

struct Bazel {
  std::filesystem::path workspace;   // as Bazel sees it
  std::vector<std::string> startup;  // options before the command
  std::vector<std::string> flags;    // of the build
};

// `events`: where Bazel writes what it did.
Command build_command(const Bazel& bazel, const std::string& target,
                      const std::filesystem::path& events);

// The path of what was built for "//package:name", out of the file of events; empty where it is
// not there.
std::string built_program(const std::string& events, const std::string& target);

// "12 of 300", the last that Bazel has printed of its progress; empty where it has printed none.
std::string progress_in(const std::string& printed);

// Whether it waits for another Bazel of this output base.
bool waits_for_another(const std::string& printed);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_BAZEL_H_
