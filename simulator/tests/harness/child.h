// File: child.h
//
// Runs this program once more, with an argument and a few variables of the environment, and tells
// how it ended and what the simulator reported. A fault may take its process along, so each has its
// own.

#ifndef ANDREA_SIMULATOR_TESTS_HARNESS_CHILD_H_
#define ANDREA_SIMULATOR_TESTS_HARNESS_CHILD_H_

#include <string>
#include <utility>
#include <vector>

#include "simulator/tests/harness/json.h"

namespace simulator_test {

struct Ending {
  int status = 0;             // as a shell gives it: 128 + n for signal n
  std::string text;           // standard output and standard error
  std::vector<Json> reports;  // as simulator/runtime/report.cc writes them
};

using Environment = std::vector<std::pair<std::string, std::string>>;

// Throws std::runtime_error where no process can be started, or the reports are no JSON.
Ending run_again(const std::string& argument, const Environment& environment);

}  // namespace simulator_test

#endif  // ANDREA_SIMULATOR_TESTS_HARNESS_CHILD_H_
