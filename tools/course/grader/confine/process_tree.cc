#include "tools/course/grader/confine/process_tree.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace andrea::confine {

namespace fs = std::filesystem;

std::vector<pid_t> descendants_of(pid_t process) {
  std::vector<pid_t> found;
  const auto add_children = [&](pid_t parent) {
    std::error_code gone;
    const fs::path threads = "/proc/" + std::to_string(parent) + "/task";
    for (fs::directory_iterator thread(threads, gone), end; !gone && thread != end;
         thread.increment(gone)) {
      std::ifstream children(thread->path() / "children");
      for (pid_t child = 0; children >> child;) found.push_back(child);
    }
  };
  add_children(process);
  for (std::size_t i = 0; i < found.size(); ++i) add_children(found[i]);
  return found;
}

std::int64_t resident_bytes(const std::vector<pid_t>& processes) {
  static const std::int64_t page = sysconf(_SC_PAGESIZE);
  std::int64_t sum = 0;
  for (const pid_t process : processes) {
    std::ifstream numbers("/proc/" + std::to_string(process) + "/statm");
    std::int64_t whole = 0, resident = 0;
    if (numbers >> whole >> resident) sum += resident * page;
  }
  return sum;
}

void kill_descendants() {
  for (;;) {
    const std::vector<pid_t> alive = descendants_of(getpid());
    for (const pid_t process : alive) kill(process, SIGSTOP);
    for (const pid_t process : alive) kill(process, SIGKILL);
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    if (alive.empty()) return;
    usleep(1000);
  }
}

}  // namespace andrea::confine
