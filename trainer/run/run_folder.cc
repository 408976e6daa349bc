#include "trainer/run/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "trainer/base/error.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRuns = "runs";

}  // namespace

RunFolder unused_run_folder(const std::string& name) {
  fs::path candidate = fs::path(kRuns) / name;
  for (int number = 2; fs::exists(candidate); ++number) {
    candidate = fs::path(kRuns) / text(name, "-", number);
  }
  return {candidate};
}

RunFolder newest_run_folder() {
  RunFolder newest;
  fs::file_time_type newest_time;
  std::error_code missing;
  for (const fs::directory_entry& entry : fs::directory_iterator(kRuns, missing)) {
    const RunFolder folder{entry.path()};
    if (!folder.holds_a_run()) continue;
    const fs::path witness = fs::exists(folder.metrics()) ? folder.metrics() : folder.config();
    const fs::file_time_type time = fs::last_write_time(witness);
    if (newest.path.empty() || time > newest_time) {
      newest = folder;
      newest_time = time;
    }
  }
  require(!newest.path.empty(), "there is no run in the folder ", kRuns,
          "; start one with ./andrea train, or name one");
  return newest;
}

void make_run_folder(const RunFolder& folder, bool resume) {
  std::error_code failure;
  fs::create_directories(folder.path, failure);
  require(!failure, "cannot make the folder ", folder.path.string(), ": ", failure.message());
  require(resume || !folder.holds_a_run(), folder.path.string(),
          " already holds a run; continue it with --resume, or name another folder with --out");
}

void remove_set_up(const RunFolder& folder) {
  std::error_code ignored;
  for (const fs::path& part : {folder.config(), folder.tokenizer(), folder.data()}) {
    fs::remove_all(part, ignored);
  }
  fs::remove(folder.path / ".lock", ignored);
  fs::remove(folder.path, ignored);  // goes only if it is empty
}

RunLock::RunLock(const RunFolder& folder) {
  const fs::path path = folder.path / ".lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  require(descriptor_ >= 0, "cannot write ", path.string(), ": ", std::strerror(errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor_);
    throw Error(text("another process is training in ", folder.path.string(),
                     "; wait for it, or name another folder with --out"));
  }
}

RunLock::~RunLock() { ::close(descriptor_); }

}  // namespace andrea
