// File: child_process.h
//
// Runs a part of a test in a process of its own, so that what it breaks (a fault of a kernel ends
// all CUDA work of its process; a bad pointer ends the process) breaks nothing else, and so that it
// can be stopped.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_CHILD_PROCESS_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_CHILD_PROCESS_H_

#include <functional>
#include <string>

namespace andrea {

struct ChildResult {
  std::string answer;      // what the work returned; empty where it did not come to that
  std::string printed;     // its standard output
  std::string complained;  // its standard error
  bool too_long = false;   // it was stopped
  bool answered = false;   // by a whole line
  int signal = 0;          // that ended it, where it did not answer
  int status = 0;          // its exit status, where it did not answer
};

// A kernel without end is stopped by the simulator before `seconds` are over, unless
// SIMULATOR_TIMEOUT says otherwise.
//
// The parent must not have used CUDA, whose threads a child does not inherit. With
// ANDREA_ONE_PROCESS set, for a debugger, the work is done in this process, and nothing is caught.
// Throws std::runtime_error where no process can be started.
ChildResult in_child_process(const std::function<std::string()>& work, int seconds);

// Whether ANDREA_ONE_PROCESS is set.
bool in_one_process();

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_CHILD_PROCESS_H_
