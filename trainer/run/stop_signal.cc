#include "trainer/run/stop_signal.h"

#include <csignal>

namespace andrea {
namespace {

volatile std::sig_atomic_t g_received = 0;

void on_signal(int signal) {
  g_received = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

StopSignal::StopSignal() {
  g_received = 0;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

StopSignal::~StopSignal() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const char* StopSignal::received() const {
  switch (g_received) {
    case 0:
      return nullptr;
    case SIGINT:
      return "Ctrl-C";
    default:
      return "SIGTERM";
  }
}

}  // namespace andrea
