// File: build_events.h
//
// What Bazel did, as its --build_event_json_file tells: the files that it made, and the actions
// that failed.

#ifndef ANDREA_TOOLS_COURSE_GRADER_MARKS_BUILD_EVENTS_H_
#define ANDREA_TOOLS_COURSE_GRADER_MARKS_BUILD_EVENTS_H_

#include <map>
#include <string>
#include <vector>

namespace andrea::grader {

struct FailedAction {
  std::string label;  // "//graded/ada/lessons/00_first_kernel:kernel_student"
  std::string kind;   // "CppCompile", "Judge"
  std::string words;  // what it printed
};

struct BuildEvents {
  std::map<std::string, std::string> files;  // "graded/ada/.../kernel.json": where it lies
  std::vector<FailedAction> failed;
};

// One JSON object a line; a line that is cut off, as after Ctrl-C, ends it. What an action printed
// is read from the file that the event names.
BuildEvents read_build_events(const std::string& lines);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_MARKS_BUILD_EVENTS_H_
