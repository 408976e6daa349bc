// File: payoff.h
//
// What there is to see once a lesson is done: a training with its kernels, the lab, and the
// questions for answers in words.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_PAYOFF_H_
#define ANDREA_TOOLS_COURSE_RUNNER_PAYOFF_H_

#include "tools/course/runner/page.h"
#include "tools/course/runner/workshop.h"

namespace andrea::course {

// Says that the lesson is done, and what its README.md has for that: the command that compares a
// training with the trainer's own, if it has one, and, where there is no run to compare with yet,
// the command that makes one.
Page payoff_page(const Workshop& workshop, const Lesson& lesson);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_PAYOFF_H_
