#include "tools/course/runner/file_watch.h"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

constexpr int kPollMilliseconds = 400;
constexpr int kQuietMilliseconds = 80;  // without a write: the editor has done
constexpr int kMostMilliseconds = 400;  // of a series of writes

// Of linux/magic.h, and what Windows and its neighbours mount: changes made on the other side are
// heard of by nobody here.
constexpr unsigned kSilent[] = {
    0x6969,      // NFS
    0x517b,      // SMB
    0xff534d42,  // CIFS
    0xfe534d42,  // SMB 2
    0x01021997,  // 9P: a Windows drive in WSL, a shared folder of a virtual machine
    0x65735546,  // FUSE: sshfs, shared folders of containers
    0x786f4256,  // VirtualBox
    0x00c36400,  // Ceph
    0x5346414f,  // AFS
    0x0bd00bd0,  // Lustre
};

std::string contents_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string stamp_of(const fs::path& path) {
  struct stat state = {};
  if (stat(path.c_str(), &state) != 0) return "absent";
  return std::to_string(state.st_size) + " " + std::to_string(state.st_mtim.tv_sec) + "." +
         std::to_string(state.st_mtim.tv_nsec) + " " + std::to_string(state.st_ino);
}

}  // namespace

bool tells_of_changes(const fs::path& folder) {
  struct statfs state = {};
  if (statfs(folder.c_str(), &state) != 0) return false;
  const auto kind = static_cast<unsigned>(state.f_type);
  return std::find(std::begin(kSilent), std::end(kSilent), kind) == std::end(kSilent);
}

FileWatch::FileWatch(fs::path root, std::vector<std::string> files, bool poll)
    : root_(std::move(root)) {
  std::set<fs::path> folders;
  for (const std::string& file : files) {
    files_[file] = {contents_of(root_ / file), stamp_of(root_ / file)};
    folders.insert((root_ / file).parent_path());
  }
  const bool told = std::all_of(folders.begin(), folders.end(), tells_of_changes);
  if (poll || !told) return;
  inotify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  // The folder, since a file that another is renamed over is not heard of again.
  constexpr unsigned kEvents = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MODIFY;
  for (const fs::path& folder : folders) {
    if (inotify_ < 0) break;
    if (inotify_add_watch(inotify_, folder.c_str(), kEvents) >= 0) continue;
    close(inotify_);  // too many watches: without them, then
    inotify_ = -1;
  }
}

FileWatch::~FileWatch() {
  if (inotify_ >= 0) close(inotify_);
}

int FileWatch::milliseconds() const {
  if (waiting_) return kQuietMilliseconds / 2;
  return inotify_ >= 0 ? 60'000 : kPollMilliseconds;
}

bool FileWatch::heard() {
  alignas(inotify_event) std::array<char, 8192> events;
  bool any = false;
  while (read(inotify_, events.data(), events.size()) > 0) any = true;
  return any;
}

bool FileWatch::stamps_differ() {
  bool differ = false;
  for (auto& [file, known] : files_) {
    std::string stamp = stamp_of(root_ / file);
    differ |= stamp != known.stamp;
    known.stamp = std::move(stamp);
  }
  return differ;
}

std::vector<Saved> FileWatch::saved() {
  const Clock::time_point now = Clock::now();
  if (inotify_ >= 0 ? heard() : stamps_differ()) {
    if (!waiting_) first_ = now;
    waiting_ = true;
    last_ = now;
  }
  if (!waiting_) return {};
  const bool quiet = now - last_ >= std::chrono::milliseconds(kQuietMilliseconds);
  const bool long_enough = now - first_ >= std::chrono::milliseconds(kMostMilliseconds);
  if (!quiet && !long_enough) return {};
  waiting_ = false;
  std::vector<Saved> saved;
  for (auto& [file, known] : files_) {
    // Between the removal of the old file and the arrival of the new one there is none.
    if (!fs::exists(root_ / file)) continue;
    std::string contents = contents_of(root_ / file);
    if (contents == known.contents) continue;
    saved.push_back({file, known.contents, contents});
    known.contents = std::move(contents);
  }
  return saved;
}

}  // namespace andrea::course
