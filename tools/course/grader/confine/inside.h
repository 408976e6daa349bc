// File: inside.h
//
// The last steps before a student's program: an unprivileged user, the limits, the forbidden calls.

#ifndef ANDREA_TOOLS_COURSE_GRADER_CONFINE_INSIDE_H_
#define ANDREA_TOOLS_COURSE_GRADER_CONFINE_INSIDE_H_

#include <string>
#include <vector>

#include "tools/course/grader/confine/limits.h"

namespace andrea::confine {

// The user that root becomes: nobody.
inline constexpr unsigned kNobody = 65534;

// Puts the program in place of this process. `ready`, a descriptor, is told "r" once all is set and
// only the start remains; before that, or where the start fails, it is told "! " and a sentence.
[[noreturn]] void run_inside(const Limits& limits, const std::vector<std::string>& words,
                             int ready);

}  // namespace andrea::confine

#endif  // ANDREA_TOOLS_COURSE_GRADER_CONFINE_INSIDE_H_
