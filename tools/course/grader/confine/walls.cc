#include "tools/course/grader/confine/walls.h"

#include <unistd.h>

#include <filesystem>
#include <initializer_list>

namespace andrea::confine {

namespace fs = std::filesystem;

std::vector<std::string> walled(const Judged& judged, const std::string& self,
                                const std::vector<std::string>& inside) {
  std::vector<std::string> words = {"bwrap",         "--die-with-parent",   "--new-session",
                                    "--unshare-pid", "--unshare-net",       "--unshare-ipc",
                                    "--unshare-uts", "--unshare-cgroup-try"};
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  if (geteuid() == 0) {
    // Without a user namespace, so that `inside` can become a user who owns nothing anywhere.
    add({"--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"});
  } else {
    add({"--unshare-user", "--uid", "65534", "--gid", "65534"});
  }
  // Said, since what bwrap makes unasked is for its own user alone.
  for (const char* folder : {"/usr", "/etc", "/judged", kLibraries}) {
    add({"--perms", "0755", "--dir", folder});
  }
  // Programs are not among them: what is not there cannot be started.
  add({"--ro-bind", "/usr/lib", "/usr/lib", "--ro-bind-try", "/usr/lib64", "/usr/lib64"});
  for (const std::string folder : {"/lib", "/lib64"}) {
    if (fs::is_symlink(folder)) {
      add({"--symlink", fs::read_symlink(folder).string(), folder});
    } else {
      add({"--ro-bind-try", folder, folder});
    }
  }
  add({"--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"});
  add({"--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"});
  add({"--ro-bind", self, kConfine});
  add({"--ro-bind", judged.program, kProgram});
  for (const std::string& library : judged.libraries) {
    add({"--ro-bind", library, kLibraries + ("/" + fs::path(library).filename().string())});
  }
  add({"--ro-bind", judged.input, kInput});
  add({"--bind", judged.output, kOutput});
  add({"--chdir", "/judged", "--remount-ro", "/", "--"});
  words.insert(words.end(), inside.begin(), inside.end());
  return words;
}

}  // namespace andrea::confine
