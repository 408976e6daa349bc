#include "tools/course/judge/one_run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace andrea::judge {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// An open file that closes itself.
class File {
 public:
  explicit File(int number = -1) : number_(number) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { close(); }

  int number() const { return number_; }
  void become(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Pipe() {
    std::array<int, 2> ends;
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("no pipe to a student's program");
    read.become(ends[0]);
    write.become(ends[1]);
  }
  File read, write;
};

// The environment of the program: what its libraries need. OpenMP's threads would wait for each
// other over the little work of a test.
std::vector<std::string> environment() {
  std::vector<std::string> all = {"OMP_NUM_THREADS=1", "OMP_WAIT_POLICY=passive", "NO_COLOR=1"};
  for (const char* const name : {"PATH", "SIMULATOR_WORKERS"}) {
    if (const char* const value = std::getenv(name))
      all.push_back(name + ("=" + std::string(value)));
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What runs between fork and exec may call nothing that waits for a lock of another thread.
[[noreturn]] void become_program(char* const* words, char* const* variables, int in, int out,
                                 int complaints, const RunLimits& limits, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it has died before that
  rlimit files{limits.largest_file, limits.largest_file}, none{0, 0};
  setrlimit(RLIMIT_FSIZE, &files);
  setrlimit(RLIMIT_CORE, &none);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(complaints, STDERR_FILENO);
  if (syscall(SYS_close_range, 3u, ~0u, 0u) != 0) {
    for (int number = 3; number < 4096; ++number) close(number);
  }
  execve(words[0], words, variables);
  constexpr char kText[] = "the program cannot be started\n";
  (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
  _exit(127);
}

// Takes what is there; false at the end of the stream.
bool take_some(int file, std::string& into, std::size_t most) {
  std::array<char, 65536> part;
  const ssize_t size = read(file, part.data(), part.size());
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  into.append(part.data(), std::min(static_cast<std::size_t>(size), most - into.size()));
  return size > 0;
}

// What has outlived the program, and has come to this process as to its next ancestor.
void end_orphans() {
  const std::string list = "/proc/self/task/" + std::to_string(gettid()) + "/children";
  for (int round = 0; round < 1000; ++round) {
    std::ifstream children(list);
    bool any = false;
    for (pid_t child; children >> child; any = true) kill(child, SIGKILL);
    while (waitpid(-1, nullptr, any ? 0 : WNOHANG) > 0) {
    }
    if (!any) return;
  }
}

}  // namespace

RunResult run_once(const std::vector<std::string>& words, const RunLimits& limits) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::vector<std::string> all_words = words, variables = environment();
  const std::vector<char*> word_pointers = pointers_to(all_words);
  const std::vector<char*> variable_pointers = pointers_to(variables);
  Pipe printed, complained;
  const File nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail("no process for a student's program");
  if (child == 0) {
    become_program(word_pointers.data(), variable_pointers.data(), nothing.number(),
                   printed.write.number(), complained.write.number(), limits, parent);
  }
  setpgid(child, child);  // both do it, since either may be first
  printed.write.close();
  complained.write.close();
  const File process(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));

  RunResult result;
  const auto end = Clock::now() + std::chrono::duration<double>(limits.seconds);
  const std::array<std::string*, 2> texts{&result.printed, &result.complained};
  std::array<pollfd, 3> files{pollfd{printed.read.number(), POLLIN, 0},
                              pollfd{complained.read.number(), POLLIN, 0},
                              pollfd{process.number(), POLLIN, 0}};
  for (const pollfd& file : files) fcntl(file.fd, F_SETFL, O_NONBLOCK);
  const auto listen = [&] {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (files[i].fd < 0 || files[i].revents == 0) continue;
      if (!take_some(files[i].fd, *texts[i], limits.most_printed)) files[i].fd = -1;
    }
  };
  while (files[2].revents == 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) {
      result.too_long = true;
      break;
    }
    if (poll(files.data(), files.size(), static_cast<int>(left.count())) > 0) listen();
  }
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  end_orphans();
  // Nobody writes any more; what is left is in the pipes.
  while (poll(files.data(), texts.size(), 0) > 0) listen();
  if (!result.too_long) {
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  }
  return result;
}

}  // namespace andrea::judge
