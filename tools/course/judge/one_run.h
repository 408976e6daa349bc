// File: one_run.h
//
// One process of a program that is not trusted: started, listened to, ended.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_ONE_RUN_H_
#define ANDREA_TOOLS_COURSE_JUDGE_ONE_RUN_H_

#include <cstddef>
#include <string>
#include <vector>

namespace andrea::judge {

struct RunLimits {
  double seconds = 10;
  std::size_t largest_file = 0;        // bytes that it may write into one file
  std::size_t most_printed = 1 << 16;  // of each stream; what follows is thrown away
};

struct RunResult {
  bool too_long = false;
  int status = 0;  // its exit status, where it ended by itself
  int signal = 0;  // that ended it
  std::string printed, complained;
};

// Runs `words`, the program's path first, with an environment of its own that has nothing of this
// process's but PATH, and with no other open file than the standard ones, of which the input is
// empty. When it has ended, or `seconds` are over, whatever it has started ends with it. If this
// process ends first, so does it.
// Throws std::system_error where no process can be started.
RunResult run_once(const std::vector<std::string>& words, const RunLimits& limits);

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_ONE_RUN_H_
