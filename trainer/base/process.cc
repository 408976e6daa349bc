#include "trainer/base/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "trainer/base/error.h"

namespace andrea {
namespace {

// A file without a name, in memory. The program writes there instead of into a pipe, which would
// have to be emptied while it runs.
class Capture {
 public:
  Capture() : descriptor_(::memfd_create("output", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "cannot capture a program's output: ", std::strerror(errno));
  }
  ~Capture() { ::close(descriptor_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int descriptor() const { return descriptor_; }

  std::string contents() const {
    std::string all;
    char chunk[1 << 16];
    for (;;) {
      const ssize_t got = ::pread(descriptor_, chunk, sizeof chunk, static_cast<off_t>(all.size()));
      if (got <= 0) return all;
      all.append(chunk, static_cast<std::size_t>(got));
    }
  }

 private:
  int descriptor_;
};

// This process's environment, in English.
std::vector<std::string> english_environment() {
  std::vector<std::string> variables = {"LC_ALL=C"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::strncmp(*variable, "LC_ALL=", 7) != 0) variables.emplace_back(*variable);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>* strings) {
  std::vector<char*> result;
  for (std::string& string : *strings) result.push_back(string.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder) {
  require(std::filesystem::is_directory(folder), "there is no folder ", folder.string());
  const Capture output;
  const Capture errors;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  std::vector<std::string> words = arguments;
  std::vector<std::string> variables = english_environment();
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, words[0].c_str(), &actions, nullptr,
                                     pointers(&words).data(), pointers(&variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT) return {127, "", text("there is no program ", arguments[0])};
  require(failure == 0, "cannot run ", arguments[0], ": ", std::strerror(failure));

  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output.contents(),
          errors.contents()};
}

}  // namespace andrea
