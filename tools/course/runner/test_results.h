// File: test_results.h
//
// What the tests of a part said, as GoogleTest reports it in JSON, with the harness's properties.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_TEST_RESULTS_H_
#define ANDREA_TOOLS_COURSE_RUNNER_TEST_RESULTS_H_

#include <string>
#include <vector>

namespace andrea::course {

struct TestResult {
  std::string test;      // "Lesson02.Exercise5"
  std::string exercise;  // "02.5"; empty where it is the test of more than one
  std::string title;     // of such a test: "kernels/attention.h: all steps together"
  bool passed = false;
  std::string mistake;  // the name of the one that was recognised, "unsolved", "report" or empty
  std::string remark;   // on an answer that is accepted
  std::string seed;     // of the inputs
  std::string told;     // why it failed, for a person
};

// Throws Error where the text is no such report. What is no UTF-8 in it is replaced.
std::vector<TestResult> results_from(const std::string& json);

std::string json_from(const std::vector<TestResult>& results);

// The results in `now`, and of `before` those of other tests.
std::vector<TestResult> merged(std::vector<TestResult> before, const std::vector<TestResult>& now);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_TEST_RESULTS_H_
