// File: stop_signal.h
//
// Ctrl-C and SIGTERM as a request that the training loop looks at between steps. A second Ctrl-C
// ends the program at once.

#ifndef ANDREA_TRAINER_RUN_STOP_SIGNAL_H_
#define ANDREA_TRAINER_RUN_STOP_SIGNAL_H_

namespace andrea {

// From construction to destruction the two signals set a flag instead of ending the process.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // The signal's name, or null while none came.
  const char* received() const;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_RUN_STOP_SIGNAL_H_
