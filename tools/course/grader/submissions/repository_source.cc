#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tools/course/grader/submissions/sources.h"
#include "trainer/base/error.h"

namespace andrea::grader {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

bool is_hash(const std::string& text) {
  return text.size() >= 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// The commit that HEAD names, read from the files that git writes.
std::string head_of(const fs::path& git) {
  std::string line = first_line(git / "HEAD");
  if (is_hash(line)) return line;
  require(line.rfind("ref: refs/", 0) == 0 && line.find("..") == std::string::npos,
          "its HEAD is not one that can be read.");
  const std::string reference = line.substr(5);
  line = first_line(git / reference);
  if (is_hash(line)) return line;
  std::ifstream packed(git / "packed-refs");
  for (std::string one; std::getline(packed, one);) {
    const std::size_t space = one.find(' ');
    if (space != std::string::npos && one.substr(space + 1) == reference) {
      return one.substr(0, space);
    }
  }
  throw Error("it has no commit yet on " + reference + ".");
}

// Whoever hands in a repository can make it a door to another one on this machine, whose objects
// would then count as the student's.
void refuse_doors(const fs::path& git) {
  require(!fs::exists(git / "objects/info/alternates"),
          "it borrows its objects from another repository (objects/info/alternates).");
  std::error_code error;
  fs::recursive_directory_iterator entry(git, error), end;
  int entries = 0;
  for (; entry != end && !error; entry.increment(error)) {
    require(++entries <= kMostEntries, "its .git has more than ", kMostEntries, " files.");
    require(!fs::is_symlink(entry->symlink_status(error)), "'",
            entry->path().lexically_relative(git).string(), "' of its .git is a link.");
  }
  require(!error, "its .git cannot be read to its end: ", error.message(), ".");
}

// A repository of our own that borrows the objects of the submission and none of its settings.
class Borrowed {
 public:
  explicit Borrowed(const fs::path& git) {
    std::string name = (fs::temp_directory_path() / "andrea-git-XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "no folder can be made in /tmp.");
    folder_ = name;
    fs::create_directories(folder_ / "objects/info");
    fs::create_directories(folder_ / "refs");
    std::ofstream(folder_ / "HEAD") << "ref: refs/heads/none\n";
    std::ofstream(folder_ / "objects/info/alternates")
        << fs::absolute(git / "objects").string() << "\n";
  }
  ~Borrowed() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

  // What git prints. A pack may be made to unpack without end, so its time and memory are limited.
  std::string git(std::vector<std::string> words, std::size_t at_most) const {
    words.insert(words.begin(), {"git", "--git-dir=" + folder_.string()});
    int ends[2];
    require(pipe2(ends, O_CLOEXEC) == 0, "no pipe can be made.");
    const pid_t child = fork();
    if (child == 0) start(words, ends[1]);
    close(ends[1]);
    std::string printed;
    char piece[1 << 16];
    for (ssize_t bytes; (bytes = read(ends[0], piece, sizeof(piece))) > 0;) {
      printed.append(piece, static_cast<std::size_t>(bytes));
      if (printed.size() > at_most) kill(child, SIGKILL);
    }
    close(ends[0]);
    int ended = 0;
    waitpid(child, &ended, 0);
    require(ended == 0, "git cannot read it: '", words[2],
            "' failed; it may be damaged, or a partial clone.");
    return printed;
  }

 private:
  [[noreturn]] static void start(std::vector<std::string>& words, int to) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit seconds{60, 61}, bytes{rlim_t{2} << 30, rlim_t{2} << 30};
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_DATA, &bytes);
    dup2(open("/dev/null", O_RDWR), STDIN_FILENO);
    dup2(STDIN_FILENO, STDERR_FILENO);
    dup2(to, STDOUT_FILENO);
    for (const char* name :
         {"GIT_DIR", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE"}) {
      unsetenv(name);
    }
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }

  fs::path folder_;
};

}  // namespace

bool is_repository(const fs::path& folder) {
  return fs::exists(folder / ".git") ||
         (fs::is_regular_file(folder / "HEAD") && fs::is_directory(folder / "objects") &&
          fs::is_directory(folder / "refs"));
}

void read_repository(const fs::path& folder, Picker& picker) {
  fs::path git = folder;
  if (fs::exists(folder / ".git")) git = folder / ".git";
  require(fs::is_directory(fs::symlink_status(git)),
          "its .git is not a folder but leads elsewhere, as in a work tree or a submodule.");
  refuse_doors(git);
  const std::string commit = head_of(git);
  require(is_hash(commit), "its HEAD names no commit.");
  const Borrowed borrowed(git);
  const std::string listed =
      borrowed.git({"ls-tree", "-r", "-l", "-z", "--full-tree", commit}, std::size_t{256} << 20);
  // "100644 blob HASH   123\tPATH", each ended by a zero.
  for (std::size_t begin = 0; begin < listed.size();) {
    const std::size_t end = std::min(listed.find('\0', begin), listed.size());
    const std::string line = listed.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    std::istringstream words(line.substr(0, tab));
    std::string mode, type, hash, size;
    words >> mode >> type >> hash >> size;
    const bool plain = type == "blob" && mode != "120000";
    picker.offer(line.substr(tab + 1), plain ? Picker::Kind::file : Picker::Kind::other,
                 std::atoll(size.c_str()), [&] {
                   return borrowed.git({"cat-file", "blob", hash}, kLargestFile);
                 });
  }
}

}  // namespace andrea::grader
