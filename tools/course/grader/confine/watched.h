// File: watched.h
//
// Runs a program and waits for it: no longer than the clock allows, with no more memory than the
// limit, and without being flooded by what it prints.

#ifndef ANDREA_TOOLS_COURSE_GRADER_CONFINE_WATCHED_H_
#define ANDREA_TOOLS_COURSE_GRADER_CONFINE_WATCHED_H_

#include <functional>
#include <string>

#include "tools/course/grader/confine/limits.h"

namespace andrea::confine {

struct End {
  int status = kNotRun;             // of the program, or a Status
  std::string printed, complained;  // its two streams; the start alone where it was more
  std::string reason;               // a sentence, where it was stopped or could not be run
};

// `start` is called in a process of its own, which has no open files but the streams (nothing comes
// in) and `ready`, the descriptor that inside.h speaks of; it must not return. When the program has
// ended, so has all that it started.
End watched(const Limits& limits, const std::function<void(int ready)>& start);

}  // namespace andrea::confine

#endif  // ANDREA_TOOLS_COURSE_GRADER_CONFINE_WATCHED_H_
