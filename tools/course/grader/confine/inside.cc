#include "tools/course/grader/confine/inside.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "tools/course/grader/confine/forbidden_calls.h"

namespace andrea::confine {
namespace {

[[noreturn]] void give_up(int ready, const std::string& what, int error) {
  const std::string sentence = "! " + what + ": " + std::strerror(error) + ".";
  [[maybe_unused]] const ssize_t told = write(ready, sentence.data(), sentence.size());
  _exit(kNotRun);
}

}  // namespace

void run_inside(const Limits& limits, const std::vector<std::string>& words, int ready) {
  const auto must = [&](bool well, const char* what) {
    if (!well) give_up(ready, what, errno);
  };
  if (geteuid() == 0) {
    must(setgroups(0, nullptr) == 0, "root's groups cannot be left");
    must(setresgid(kNobody, kNobody, kNobody) == 0, "the group nobody cannot be taken");
    must(setresuid(kNobody, kNobody, kNobody) == 0, "the user nobody cannot be taken");
    // Its processes are counted by user and user namespace: in one of its own it has the whole
    // number for itself, whatever else runs as nobody. Without one the limit is shared.
    [[maybe_unused]] const int alone = unshare(CLONE_NEWUSER);
  }
  const auto limit = [&](__rlimit_resource resource, std::int64_t soft, std::int64_t hard) {
    rlimit now{};
    must(getrlimit(resource, &now) == 0, "a limit cannot be read");
    const auto least = [&](std::int64_t wanted) {
      const auto value = static_cast<rlim_t>(wanted);
      return now.rlim_max < value ? now.rlim_max : value;
    };
    const rlimit set{least(soft), least(hard)};
    must(setrlimit(resource, &set) == 0, "a limit cannot be set");
  };
  limit(RLIMIT_CPU, limits.seconds, limits.seconds + 1);
  // No RLIMIT_DATA and no RLIMIT_AS: they count what is only reserved, as the simulator does with
  // many gigabytes. What is resident is measured from outside (watched.h); if that is too slow for
  // the machine, the kernel takes this program first.
  std::ofstream("/proc/self/oom_score_adj") << 1000;
  limit(RLIMIT_NPROC, limits.processes, limits.processes);
  limit(RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes);
  limit(RLIMIT_NOFILE, 256, 256);
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_MSGQUEUE, 0, 0);
  must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "new privileges cannot be forbidden");
  if (const int error = forbid_calls(); error != 0) {
    give_up(ready, "calls cannot be forbidden (seccomp)", error);
  }

  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  must(fcntl(ready, F_SETFD, FD_CLOEXEC) == 0 && write(ready, "r", 1) == 1, "nobody listens");
  execv(arguments[0], arguments.data());
  give_up(ready, words[0] + " cannot be started", errno);
}

}  // namespace andrea::confine
