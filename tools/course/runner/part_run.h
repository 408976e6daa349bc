// File: part_run.h
//
// One run of the tests of a part, from the build to their report, in steps, so that a program can
// listen to its user meanwhile.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_PART_RUN_H_
#define ANDREA_TOOLS_COURSE_RUNNER_PART_RUN_H_

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/course/runner/bazel.h"
#include "tools/course/runner/child.h"
#include "tools/course/runner/part.h"
#include "tools/course/runner/test_results.h"

namespace andrea::course {

struct RunOutcome {
  enum Kind { not_built, not_ended, tested } kind = not_built;
  std::vector<TestResult> results{};
  std::string said{};     // by Bazel and the compiler; where not ended, by the program
  int status = 0;         // of the program where it has not written its report
  bool too_long = false;  // it was stopped
  double build_seconds = 0, test_seconds = 0;
};

struct RunRequest {
  std::string target;     // "//lessons/02_dot_product_similarity:kernel_test"
  std::string filter{};   // GoogleTest's; empty: all tests
  std::string seed{};     // of the inputs; empty: another each time
  std::string profile{};  // a file for what the exercises ask of memory; empty: none
  std::string sizes{};    // "N=64, M=32": the only ones that are tried; empty: all
  bool is_first = false;  // as far as is known it has never been built
};

// All tests of the part, or those of an exercise of it.
RunRequest request_for(const Course& course, const LessonPart& part, const std::string& exercise);

class PartRun {
 public:
  // `folder`: for files of the run. Throws Error where Bazel cannot be started.
  PartRun(Bazel bazel, std::filesystem::path folder, RunRequest request);
  ~PartRun();

  // To poll for reading.
  int descriptor() const { return child_->descriptor(); }
  // To be called after the poll, and at least once a second. False once all is over.
  bool advance();
  const RunOutcome& outcome() const { return outcome_; }
  void stop() { child_->stop(2); }

  // "compiling", "compiling (12 of 300)", "testing".
  std::string doing() const;
  // Why that takes longer than it will the next time; empty where it does not.
  std::string excuse() const;
  double seconds() const;  // since it does that

 private:
  using Clock = std::chrono::steady_clock;
  void start_tests(const std::string& program);
  void take_report();

  Bazel bazel_;
  std::filesystem::path events_, report_;
  RunRequest request_;
  std::unique_ptr<Child> child_;
  bool testing_ = false;
  Clock::time_point begun_ = Clock::now();
  RunOutcome outcome_;
};

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_PART_RUN_H_
