// File: simulator/tool/process.h
//
// Other programs, run without a shell in between, so that no name needs quoting.

#ifndef ANDREA_SIMULATOR_TOOL_PROCESS_H_
#define ANDREA_SIMULATOR_TOOL_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace simulator {

using Variables = std::vector<std::pair<std::string, std::string>>;  // names and values, for the
                                                                     // child's environment

// A child that runs on beside this program. What it prints, on either stream, goes to a file.
class Process {
 public:
  // Looks for `words[0]` on the PATH. The variables come on top of this program's environment.
  Process(const std::vector<std::string>& words, const Variables& variables,
          const std::string& output_file);

  // 0 if it could be started, else an errno.
  int start_error() const { return start_error_; }
  // Waits for its end, unless it has been waited for. Its exit status, or 128 and the signal that
  // ended it.
  int wait();

 private:
  pid_t child_ = -1;  // -1 once it has ended.
  int end_ = 127;
  int start_error_ = 0;
};

// Where the PATH has the program; empty if it has none.
std::string find_program(const std::string& name);

// Puts a program in place of this one: same process, streams and folder. `shown_name` is its
// argv[0]. Returns an errno if that fails.
int replace_by(const std::string& path, const std::string& shown_name,
               const std::vector<std::string>& arguments, const Variables& variables);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_PROCESS_H_
