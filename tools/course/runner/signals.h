// File: signals.h
//
// Signals as something to poll: what ends this program (Ctrl-C, a closed terminal, kill), what
// stops it (Ctrl-Z), and a terminal that has another size. While an object lives they are not
// delivered otherwise.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_SIGNALS_H_
#define ANDREA_TOOLS_COURSE_RUNNER_SIGNALS_H_

#include <csignal>
#include <vector>

namespace andrea::course {

class Signals {
 public:
  explicit Signals(const std::vector<int>& which);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  int descriptor() const { return descriptor_; }
  // The next that has come; 0 where none has.
  int take();

 private:
  sigset_t before_;
  int descriptor_ = -1;
};

// Ctrl-C, or another signal that is to end the program, which then exits with 128 and its number.
struct Interrupted {
  int signal = 0;
};

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_SIGNALS_H_
