// File: silence.h
//
// While one exists, nothing that the process prints is seen: neither a student's printf nor a
// report, of runs that are only to learn more of a failure that is known.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_SILENCE_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_SILENCE_H_

#include <array>

namespace andrea {

// Keeps what the student's code prints out of the verdict.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  std::array<int, 2> before_;  // copies of standard output and standard error
};

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_SILENCE_H_
