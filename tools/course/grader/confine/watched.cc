#include "tools/course/grader/confine/watched.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iterator>

#include "tools/course/grader/confine/process_tree.h"

namespace andrea::confine {
namespace {

constexpr int kLookEvery = 50;  // milliseconds
constexpr int kReady = 3;       // the descriptor in the child

struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    read_end = ends[0];
    write_end = ends[1];
    fcntl(read_end, F_SETFL, O_NONBLOCK);
  }
  ~Pipe() {
    close(read_end);
    close_write();
  }
  void close_write() {
    if (write_end >= 0) close(write_end);
    write_end = -1;
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

// What is read from a pipe, of which no more than the start is kept.
class Stream {
 public:
  explicit Stream(std::int64_t at_most) : at_most_(at_most) {}

  // Reads what is there. It comes to an end even where somebody writes without one.
  void drain() {
    char piece[1 << 16];
    for (int i = 0; i < 64; ++i) {
      const ssize_t bytes = read(pipe.read_end, piece, sizeof(piece));
      ended_ = bytes == 0;
      if (bytes <= 0) return;
      const std::int64_t taken =
          std::min<std::int64_t>(bytes, at_most_ - static_cast<std::int64_t>(kept_.size()));
      kept_.append(piece, static_cast<std::size_t>(taken));
      dropped_ += bytes - taken;
    }
  }

  // Who has closed it is not asked any more, or poll would never wait.
  pollfd sign() const { return {ended_ ? -1 : pipe.read_end, POLLIN, 0}; }

  std::string text() const {
    if (dropped_ == 0) return kept_;
    return kept_ + "\n... and " + std::to_string(dropped_) + " bytes more.\n";
  }

  Pipe pipe;

 private:
  std::int64_t at_most_, dropped_ = 0;
  bool ended_ = false;
  std::string kept_;
};

int status_of(int ended) {
  if (WIFSIGNALED(ended)) return 128 + WTERMSIG(ended);
  const int status = WEXITSTATUS(ended);
  // bwrap tells of a signal as a shell does.
  if (status >= 128 && status <= 128 + SIGRTMAX) return status;
  return status < kOwnStatusAtMost ? status : kOwnStatusAtMost;
}

[[noreturn]] void begin(const Pipe& printed, const Pipe& complained, const Pipe& ready,
                        const std::function<void(int)>& start) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(printed.write_end, STDOUT_FILENO);
  dup2(complained.write_end, STDERR_FILENO);
  // Whatever else is open here, as the pipe of a judge's results, is no business of a student's.
  const int kept = fcntl(ready.write_end, F_DUPFD, 1000);
  dup2(kept, kReady);
  close_range(kReady + 1, ~0U, 0);
  start(kReady);
  _exit(kNotRun);
}

}  // namespace

End watched(const Limits& limits, const std::function<void(int ready)>& start) {
  using Clock = std::chrono::steady_clock;
  End end;
  Stream printed(limits.printed_bytes), complained(limits.printed_bytes), ready(1000);
  // Orphans come to this process, and not to one that lets them live.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const Clock::time_point last = Clock::now() + std::chrono::seconds(limits.clock_seconds());
  const pid_t child = fork();
  if (child < 0) {
    end.reason = std::string("no process can be started: ") + std::strerror(errno) + ".";
    return end;
  }
  if (child == 0) begin(printed.pipe, complained.pipe, ready.pipe, start);
  for (Stream* const stream : {&printed, &complained, &ready}) stream->pipe.close_write();
  const int at_its_end = static_cast<int>(syscall(SYS_pidfd_open, child, 0));

  int stopped = 0, ended = 0;
  for (;;) {
    pollfd signs[] = {{at_its_end, POLLIN, 0}, printed.sign(), complained.sign()};
    poll(signs, std::size(signs), kLookEvery);
    printed.drain();
    complained.drain();
    if (waitpid(child, &ended, WNOHANG) == child) break;
    if (Clock::now() >= last) {
      stopped = kTooLong;
    } else if (resident_bytes(descendants_of(getpid())) > limits.memory_bytes) {
      stopped = kTooMuchMemory;
    } else {
      continue;
    }
    kill(child, SIGKILL);
    waitpid(child, &ended, 0);
    break;
  }
  close(at_its_end);
  kill_descendants();
  for (Stream* const stream : {&printed, &complained, &ready}) stream->drain();
  end.printed = printed.text();
  end.complained = complained.text();

  const std::string told = ready.text();
  if (told != "r") {
    const std::size_t sentence = told.find("! ");
    end.reason = sentence == std::string::npos ? end.complained : told.substr(sentence + 2);
    if (end.reason.empty()) end.reason = "the walls cannot be put up.";
    end.complained.clear();
    return end;
  }
  end.status = stopped != 0 ? stopped : status_of(ended);
  if (end.status == 128 + SIGXCPU) end.status = kTooLong;
  if (end.status == kTooLong) {
    end.reason = "It was stopped after " + std::to_string(limits.seconds) + " s of the CPU, or " +
                 std::to_string(limits.clock_seconds()) + " s of the clock.";
  } else if (end.status == kTooMuchMemory) {
    end.reason = "It was stopped: it held more than " + std::to_string(limits.memory_bytes >> 20) +
                 " MB of memory.";
  }
  return end;
}

}  // namespace andrea::confine
