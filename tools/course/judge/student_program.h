// File: student_program.h
//
// The student's program as the callee of the judge's tests (tests/harness/callee.h): a process for
// each call, which reads one file and writes one.
//
//   student INPUT_FILE OUTPUT_FILE
//
// Nothing of one call reaches the next: not memory, not files, not time. A call whose process ends
// without a reply, or with one that does not fit (call_file.h), throws CallFailed with a sentence;
// the calls after it are as good as any. What the process prints goes on to the judge's own
// standard output and error, up to a bound, since the simulator's reports are among it.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_STUDENT_PROGRAM_H_
#define ANDREA_TOOLS_COURSE_JUDGE_STUDENT_PROGRAM_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/harness/callee.h"
#include "tools/course/judge/call_file.h"

namespace andrea::judge {

struct ProgramOptions {
  std::string student;                // the program's path
  std::vector<std::string> launcher;  // goes before it, with "--" between; empty: it is run plainly
  int seconds_a_call = 20;
  int seconds = 600;  // for all calls together
};

class StudentProgram : public Callee {
 public:
  explicit StudentProgram(ProgramOptions options);

  // All but nonce, counting and the simulator's options is the caller's. Afterwards what the call's
  // reports, errors and counters say is in what the callee tells.
  Reply ask(Call call);

  bool watches() const override { return true; }
  std::size_t errors_reported() const override { return errors_; }
  cudaError_t finish() override;
  void start_counting() override;
  simulator::Counters stop_counting() override;

 private:
  ProgramOptions options_;
  std::chrono::steady_clock::time_point end_;
  std::size_t errors_ = 0;
  cudaError_t error_ = cudaSuccess;
  bool counting_ = false, counted_ = false;
  std::vector<simulator::KernelCounters> counters_;
};

// The one that proxies ask. Throws std::logic_error where the judge has not made it yet.
StudentProgram& student_program();
void set_student_program(StudentProgram& program);

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_STUDENT_PROGRAM_H_
