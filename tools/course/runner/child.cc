#include "tools/course/runner/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "trainer/base/error.h"

namespace andrea::course {
namespace {

// In the child: only what is safe between fork and exec of a program without threads. `problem` is
// a pipe that tells the parent why there is no program.
[[noreturn]] void become(const Command& command, int output, int problem) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // should this program be killed
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  for (const std::string& name : command.without) unsetenv(name.c_str());
  for (const auto& [name, value] : command.variables) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  if (chdir(command.folder.c_str()) == 0) execvp(words[0], words.data());
  const int error = errno;
  if (write(problem, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

}  // namespace

Child::Child(const Command& command) {
  std::array<int, 2> output, problem;
  if (pipe2(output.data(), O_CLOEXEC) != 0 || pipe2(problem.data(), O_CLOEXEC) != 0) {
    throw Error(text("no pipe to ", command.words[0], ": ", std::strerror(errno)));
  }
  process_ = fork();
  if (process_ == 0) become(command, output[1], problem[1]);
  close(output[1]);
  close(problem[1]);
  output_ = output[0];
  fcntl(output_, F_SETFL, O_NONBLOCK);
  int error = process_ < 0 ? errno : 0;
  if (process_ > 0 && ::read(problem[0], &error, sizeof error) < 0) error = errno;
  close(problem[0]);
  if (error == 0) return;
  if (process_ > 0) reap();
  close(output_);
  throw Error(text(command.words[0], " cannot be run: ", std::strerror(error)));
}

Child::~Child() {
  if (process_ > 0) stop(1);
  if (output_ >= 0) close(output_);
}

bool Child::read() {
  std::array<char, 16384> part;
  while (output_ >= 0) {
    const ssize_t size = ::read(output_, part.data(), part.size());
    if (size > 0) {
      printed_.append(part.data(), static_cast<std::size_t>(size));
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    close(output_);
    output_ = -1;
  }
  reap();
  return false;
}

void Child::reap() {
  if (process_ < 0) return;
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void Child::stop(double seconds) {
  using Clock = std::chrono::steady_clock;
  if (process_ < 0) return;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  kill(-process_, SIGINT);
  while (output_ >= 0 && Clock::now() < end) {
    pollfd file{output_, POLLIN, 0};
    poll(&file, 1, 50);
    if (!read()) return;
  }
  kill(-process_, SIGKILL);
  if (output_ >= 0) close(output_);
  output_ = -1;
  reap();
}

}  // namespace andrea::course
