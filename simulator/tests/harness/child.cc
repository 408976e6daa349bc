#include "simulator/tests/harness/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace simulator_test {
namespace {

// A file of this process, gone when the object goes.
class ScratchFile {
 public:
  ScratchFile() {
    const char* const folder = std::getenv("TEST_TMPDIR");
    const std::filesystem::path base =
        folder != nullptr ? std::filesystem::path(folder) : std::filesystem::temp_directory_path();
    path_ = base / ("reports_" + std::to_string(getpid()) + ".json");
    std::filesystem::remove(path_);
  }
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

[[noreturn]] void become_child(const std::string& argument, const Environment& environment,
                               const std::string& json, int output) {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  setenv("SIMULATOR_JSON", json.c_str(), 1);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  execl("/proc/self/exe", "/proc/self/exe", argument.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

Ending run_again(const std::string& argument, const Environment& environment) {
  const ScratchFile json;
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) become_child(argument, environment, json.path(), ends[1]);
  close(ends[1]);

  Ending ending;
  char buffer[4096];
  for (ssize_t size; (size = read(ends[0], buffer, sizeof buffer)) > 0;) {
    ending.text.append(buffer, static_cast<std::size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ending.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);

  std::ifstream file(json.path());
  for (std::string line; std::getline(file, line);) ending.reports.push_back(read_json(line));
  return ending;
}

}  // namespace simulator_test
