// File: child.h
//
// Another program that runs beside this one, in a process group of its own, so that it and all that
// it has started can be stopped; what it prints, on either stream, is read here.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_CHILD_H_
#define ANDREA_TOOLS_COURSE_RUNNER_CHILD_H_

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace andrea::course {

struct Command {
  std::vector<std::string> words;                                // the first is sought on the PATH
  std::filesystem::path folder;                                  // to run in
  std::vector<std::pair<std::string, std::string>> variables{};  // on top of this program's
  std::vector<std::string> without{};                            // variables that it does not get
};

class Child {
 public:
  // Throws Error where it cannot be started.
  explicit Child(const Command& command);
  ~Child();  // stops it
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // To poll for reading; -1 after the end.
  int descriptor() const { return output_; }
  // Reads what there is, without waiting. False once it has ended and all is read.
  bool read();
  const std::string& printed() const { return printed_; }
  // After the end: its exit status, or 128 and the signal that ended it.
  int status() const { return status_; }
  // Asks it to end, and makes it after `seconds`.
  void stop(double seconds);

 private:
  void reap();

  pid_t process_ = -1;
  int output_ = -1;
  int status_ = 0;
  std::string printed_;
};

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_CHILD_H_
