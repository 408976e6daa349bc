#include "simulator/runtime/watchdog.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "simulator/runtime/block.h"
#include "simulator/runtime/fault.h"
#include "simulator/runtime/memory.h"
#include "simulator/runtime/observer.h"
#include "simulator/runtime/options.h"
#include "simulator/runtime/source_lines.h"

namespace simulator {
namespace {

constexpr std::size_t kSignalStackBytes = 256 * 1024;

// What the watchdog sends to an OS thread whose kernel gets nowhere: to let others run, and to end.
int turn_signal() { return SIGRTMIN + 5; }
int stop_signal() { return SIGRTMIN + 6; }
// To end at its next barrier.
int barrier_signal() { return SIGRTMIN + 7; }

struct Watched {
  pthread_t thread{};
  const Grid* grid = nullptr;
  const WorkerProgress* progress = nullptr;
  std::atomic<bool>* asked = nullptr;
};

// Whether a signal is on its way to the calling OS thread: no second one is sent before it has
// come, since each that is pending would take a piece of the stack.
thread_local std::atomic<bool> signal_asked{false};

struct Watchdog {
  std::mutex mutex;
  std::vector<Watched> watched;
  bool started = false;
};

Watchdog& the_watchdog() {
  static Watchdog* const kWatchdog = new Watchdog;
  return *kWatchdog;
}

using Clock = std::chrono::steady_clock;

// A number that grows while all is well, and since when it has not.
class Pulse {
 public:
  // Whether it has grown.
  bool feel(std::uint64_t number) {
    if (number == last_) return false;
    last_ = number;
    since_ = Clock::now();
    return true;
  }
  Clock::duration still() const { return Clock::now() - since_; }
  bool still_for(std::uint64_t seconds) const {
    return seconds > 0 && still() > std::chrono::seconds(seconds);
  }

 private:
  std::uint64_t last_ = 0;
  Clock::time_point since_ = Clock::now();
};

// When nothing in the grid has got on for a while, asks the running threads to let others run, and
// when that has not helped for as long as the option says, to stop. When only barriers have been
// passed for some times as long, asks them to stop at the next one.
void look_after() {
  constexpr std::chrono::milliseconds kLook{200};
  constexpr std::chrono::milliseconds kTurn{1};
  std::uint64_t last_grid = 0;
  Pulse steps;
  Pulse ends;
  bool stuck = false;
  for (;;) {
    std::this_thread::sleep_for(stuck ? kTurn : kLook);
    Watchdog& dog = the_watchdog();
    const std::lock_guard<std::mutex> lock(dog.mutex);
    stuck = false;
    if (dog.watched.empty()) {
      last_grid = 0;
      continue;
    }
    const Grid& grid = *dog.watched.front().grid;
    std::uint64_t passed = grid.next_block.load(std::memory_order_relaxed);
    std::uint64_t finished = passed;
    for (const Watched& one : dog.watched) {
      passed += one.progress->steps.load(std::memory_order_relaxed);
      finished += one.progress->finished.load(std::memory_order_relaxed);
    }
    if (grid.number != last_grid) {
      last_grid = grid.number;
      steps = {};
      ends = {};
    }
    ends.feel(finished);
    const std::uint64_t seconds = options().timeout_seconds;
    int signal = 0;
    if (steps.feel(passed)) {
      if (ends.still_for(seconds * kBarrierPatience)) signal = barrier_signal();
    } else if (steps.still_for(seconds)) {
      signal = stop_signal();
    } else if (steps.still() > kLook / 2) {
      signal = turn_signal();
      stuck = true;
    }
    if (signal == 0) continue;
    for (const Watched& one : dog.watched) {
      if (!one.asked->exchange(true)) pthread_kill(one.thread, signal);
    }
  }
}

// The program's own code, which is the first object that the loader tells of. Empty where the
// runtime is a part of it, in tests.
struct Image {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool contains(std::uintptr_t code) const { return code >= begin && code < end; }
};

const Image& program() {
  static const Image kProgram = [] {
    Image image;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
          for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& segment = info->dlpi_phdr[i];
            if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
            const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
            *static_cast<Image*>(result) = {begin, begin + segment.p_memsz};
          }
          return 1;
        },
        &image);
    const bool has_runtime = image.contains(reinterpret_cast<std::uintptr_t>(&worker_progress));
    return has_runtime ? Image{} : image;
  }();
  return kProgram;
}

// The innermost instruction of the program itself, where a signal has come in a library that it
// called.
std::uintptr_t program_code(std::uintptr_t code) {
  if (program().contains(code)) return code;
  std::uintptr_t found = code;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* result) {
        int before = 0;
        const std::uintptr_t at = _Unwind_GetIPInfo(context, &before);
        if (!program().contains(at)) return _URC_NO_REASON;
        *static_cast<std::uintptr_t*>(result) = before != 0 ? at : at - 1;
        return _URC_NORMAL_STOP;
      },
      &found);
  return found;
}

Report report_of(int signal, const siginfo_t& info, const Block& block, std::uintptr_t code) {
  Report report;
  Party party = party_now("");
  party.lines = source_lines(program_code(code));
  if (signal == SIGFPE) {
    report.kind = "division-by-zero";
    report.sentence = "an integer is divided by zero (or the least integer by -1)";
    party.did = "divides";
    report.cause = "On a GPU nothing stops, and the result is undefined: test the divisor first.";
  } else if (signal == SIGILL) {
    report.kind = "illegal-instruction";
    report.sentence = "the kernel came to code that cannot be reached by a right program";
    party.did = "runs";
    report.cause = "A function that must return a value may have ended without one.";
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
    const Fiber* const fiber = block.current_fiber();
    const auto bottom =
        fiber == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(fiber->stack_bottom());
    party.did = "uses it";
    if (signal == SIGBUS || info.si_code == SI_KERNEL) {
      // The processor names no address then.
      report.kind = "misaligned";
      report.sentence = "the kernel uses a vector at an address that is no multiple of its size";
      report.cause =
          "A pointer was cast to a larger type, such as float4: its address, and the start of "
          "every "
          "row, must be a multiple of that type's size.";
    } else if (address < 65536) {
      report.kind = "null-pointer";
      report.sentence = "the kernel uses a null pointer";
      report.cause = fault::kCauseOfNull;
    } else if (bottom != 0 && address < bottom && address + 8192 > bottom) {
      report.kind = "stack-overflow";
      report.sentence = "a GPU thread has used up its stack, which has " +
                        std::to_string(Fiber::kStackBytes / 1024) + " KB under the simulator";
      party.did = "runs out of it";
      report.cause =
          "A recursion has no end, or a local array is too large. On a GPU, too, such an array "
          "would lie "
          "in slow local memory: use shared memory, or an allocation of its own.";
    } else {
      report.kind = "wild-pointer";
      report.sentence = "the kernel uses an address that belongs to nothing";
      report.cause =
          "An index is far out of bounds, or a pointer was never set. The check build finds the "
          "first "
          "wrong access, which may be an earlier one.";
    }
  }
  report.parties.push_back(party);
  return report;
}

// The program's own code can be left at any instruction; in the runtime something may be half done.
// A kernel that is never met in its own code is stopped all the same, after some tries. Where each
// access is seen the next one is a better place to stop: it tells what the thread waits for.
bool may_leave(int signal, std::uintptr_t code) {
  constexpr unsigned kTries = 10;
  static thread_local unsigned tries = 0;
  if (signal == stop_signal() && ++tries % kTries == 0) return true;
  return program().contains(code) && (signal == turn_signal() || observer() == nullptr);
}

void handle(int signal, siginfo_t* info, void* context) {
  const auto* const machine = static_cast<const ucontext_t*>(context);
  const auto code = static_cast<std::uintptr_t>(machine->uc_mcontext.gregs[REG_RIP]);
  const bool from_watchdog =
      signal == turn_signal() || signal == stop_signal() || signal == barrier_signal();
  if (from_watchdog) signal_asked = false;
  Block* const block = current_block();
  if (block == nullptr) {
    // The host's own fault: as if there were no handler.
    if (!from_watchdog) ::signal(signal, SIG_DFL);
    return;
  }
  if (from_watchdog && block->ending()) return;
  if (signal == barrier_signal()) return block->ask_to_stop_at_barrier();
  if (from_watchdog && !may_leave(signal, code)) {
    if (signal == stop_signal()) block->ask_to_stop();
    return;
  }
  if (block->grid().error.load() != cudaSuccess) block->abort();
  if (signal == turn_signal()) {
    // A thread that spins on a plain load lets nobody else run: it is made to, as on a GPU all
    // warps have their turns. The checker sees such loads, and sees to it itself.
    if (observer() == nullptr) block->yield();
  } else if (signal == stop_signal()) {
    fault::no_progress(*block, "is running", source_lines(program_code(code)));
  } else {
    end_launch(*block, cudaErrorIllegalAddress, report_of(signal, *info, *block, code));
  }
}

void install_handlers() {
  struct sigaction action {};
  action.sa_sigaction = &handle;
  // Not blocked while handled: the handler leaves by a switch to another stack.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  // On the GPU thread's own stack, to which it returns when the others have had their turns.
  sigaction(turn_signal(), &action, nullptr);
  action.sa_flags |= SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, stop_signal(), barrier_signal()}) {
    sigaction(signal, &action, nullptr);
  }
}

// A full stack can run no handler, so each OS thread has another one.
struct SignalStack {
  SignalStack() {
    stack_t stack{};
    stack.ss_sp = mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack.ss_size = kSignalStackBytes;
    if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, nullptr);
  }
};

}  // namespace

WorkerProgress& worker_progress() {
  static thread_local WorkerProgress progress;
  return progress;
}

void watch(Grid& grid) {
  static thread_local const SignalStack kStack;
  Watchdog& dog = the_watchdog();
  const std::lock_guard<std::mutex> lock(dog.mutex);
  if (!dog.started) {
    dog.started = true;
    install_handlers();
    std::thread(&look_after).detach();
  }
  dog.watched.push_back({pthread_self(), &grid, &worker_progress(), &signal_asked});
}

void stop_watching() {
  Watchdog& dog = the_watchdog();
  const std::lock_guard<std::mutex> lock(dog.mutex);
  const auto self = std::find_if(dog.watched.begin(), dog.watched.end(), [](const Watched& one) {
    return pthread_equal(one.thread, pthread_self()) != 0;
  });
  if (self != dog.watched.end()) dog.watched.erase(self);
}

}  // namespace simulator
