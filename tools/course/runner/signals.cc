#include "tools/course/runner/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace andrea::course {

Signals::Signals(const std::vector<int>& which) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : which) sigaddset(&set, signal);
  sigprocmask(SIG_BLOCK, &set, &before_);
  descriptor_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

Signals::~Signals() {
  if (descriptor_ >= 0) close(descriptor_);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int Signals::take() {
  signalfd_siginfo info;
  return read(descriptor_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                              : 0;
}

}  // namespace andrea::course
