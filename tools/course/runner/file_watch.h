// File: file_watch.h
//
// Notices that files were saved: at once where the system tells (inotify), within half a second
// where it does not, as on a network's or a virtual machine's mount. An editor that writes a new
// file and renames it over the old one counts, several writes in a row are one save, and a file
// that holds what it held before was not saved.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_FILE_WATCH_H_
#define ANDREA_TOOLS_COURSE_RUNNER_FILE_WATCH_H_

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace andrea::course {

// Whether inotify hears of changes that others make in this folder.
bool tells_of_changes(const std::filesystem::path& folder);

struct Saved {
  std::string file;  // as it was given
  std::string before, after;
};

class FileWatch {
 public:
  // `files` below the root; they need not exist. With `poll` inotify is not used.
  FileWatch(std::filesystem::path root, std::vector<std::string> files, bool poll);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // To poll for reading; -1 where the system does not tell.
  int descriptor() const { return inotify_; }
  // In how many milliseconds saved() is to be called at the latest.
  int milliseconds() const;
  // What has been saved, once the file has been left alone for a moment.
  std::vector<Saved> saved();

 private:
  using Clock = std::chrono::steady_clock;
  struct Known {
    std::string contents;
    std::string stamp;  // size, time and number of the file
  };

  bool heard();          // of anything in one of the folders
  bool stamps_differ();  // without inotify

  std::filesystem::path root_;
  std::map<std::string, Known> files_;
  int inotify_ = -1;
  bool waiting_ = false;  // for the end of a series of writes
  Clock::time_point first_, last_;
};

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_FILE_WATCH_H_
