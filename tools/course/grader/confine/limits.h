// File: limits.h
//
// How much a student's program may take.

#ifndef ANDREA_TOOLS_COURSE_GRADER_CONFINE_LIMITS_H_
#define ANDREA_TOOLS_COURSE_GRADER_CONFINE_LIMITS_H_

#include <cstdint>

namespace andrea::confine {

struct Limits {
  // Of the CPU, since a machine that grades is a busy one; of the clock three times as many, which
  // also ends a program that sleeps.
  int seconds = 20;
  int clock_seconds() const { return 3 * seconds; }

  std::int64_t memory_bytes = std::int64_t{2} << 30;  // resident, of all its processes together
  int processes = 256;                                // threads count as well
  std::int64_t file_bytes = std::int64_t{256} << 20;
  std::int64_t printed_bytes = 32 << 10;  // what is passed on of either stream; the rest is dropped
};

// What confine ends with, where it is not the program's own status. A program's own status from 120
// on is told as 120, so that none of these can be feigned; one that a signal ends gives 128 and the
// signal's number.
enum Status : int {
  kOwnStatusAtMost = 120,
  kTooMuchMemory = 123,
  kTooLong = 124,
  // Nothing was run: the confinement itself is not to be had here. It says nothing about the
  // student. The reason is on standard error.
  kNotRun = 125,
};

}  // namespace andrea::confine

#endif  // ANDREA_TOOLS_COURSE_GRADER_CONFINE_LIMITS_H_
