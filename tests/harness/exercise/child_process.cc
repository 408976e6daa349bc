#include "tests/harness/exercise/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace andrea {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  int read = -1, write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "no pipe to a child process");
  }
  return {ends[0], ends[1]};
}

// So that the simulator tells of a kernel without end, with its line, before this process is
// stopped: it is patient with a loop round a barrier for four times as long.
void let_the_simulator_be_first(int seconds) {
  setenv("SIMULATOR_TIMEOUT", std::to_string(std::max(1, seconds / 5)).c_str(), 0);
}

[[noreturn]] void be_the_child(const std::function<std::string()>& work, const Pipe& answer,
                               const Pipe& printed, const Pipe& complained) {
  dup2(printed.write, STDOUT_FILENO);
  dup2(complained.write, STDERR_FILENO);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  // A marker, since an answer may be empty, and the work may end the process before it has one.
  const std::string text = work() + '\0';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t now = write(answer.write, text.data() + sent, text.size() - sent);
    if (now <= 0) break;
    sent += static_cast<std::size_t>(now);
  }
  std::fflush(nullptr);
  _exit(0);  // the parent's clean-up is the parent's
}

// Reads what there is; returns false at the end.
bool read_some(int file, std::string& into) {
  std::array<char, 4096> part;
  const ssize_t size = read(file, part.data(), part.size());
  if (size < 0) return errno == EINTR;
  into.append(part.data(), static_cast<std::size_t>(size));
  return size > 0;
}

}  // namespace

bool in_one_process() { return std::getenv("ANDREA_ONE_PROCESS") != nullptr; }

ChildResult in_child_process(const std::function<std::string()>& work, int seconds) {
  ChildResult result;
  if (in_one_process()) {
    result.answer = work();
    result.answered = true;
    return result;
  }
  const Pipe answer = make_pipe(), printed = make_pipe(), complained = make_pipe();
  std::fflush(nullptr);  // or both would print what waits
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "no child process");
  if (child == 0) {
    let_the_simulator_be_first(seconds);
    be_the_child(work, answer, printed, complained);
  }
  const std::array<Pipe, 3> pipes{answer, printed, complained};
  for (const Pipe& pipe : pipes) close(pipe.write);

  const auto end = Clock::now() + std::chrono::seconds(seconds);
  std::array<pollfd, 3> files;
  for (std::size_t i = 0; i < files.size(); ++i) files[i] = {pipes[i].read, POLLIN, 0};
  const std::array<std::string*, 3> texts{&result.answer, &result.printed, &result.complained};
  for (std::size_t open = files.size(); open > 0;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) {
      result.too_long = true;
      kill(child, SIGKILL);
      break;
    }
    if (poll(files.data(), files.size(), static_cast<int>(left.count())) <= 0) continue;
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (files[i].fd < 0 || files[i].revents == 0 || read_some(files[i].fd, *texts[i])) continue;
      files[i].fd = -1;  // poll leaves it out
      --open;
    }
  }
  for (const Pipe& pipe : pipes) close(pipe.read);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.answered = result.answer.ends_with('\0');
  if (result.answered) {
    result.answer.pop_back();
  } else if (!result.too_long) {
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  }
  return result;
}

}  // namespace andrea
