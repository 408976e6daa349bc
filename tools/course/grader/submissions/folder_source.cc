#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "tools/course/grader/submissions/sources.h"
#include "trainer/base/error.h"

namespace andrea::grader {
namespace {

namespace fs = std::filesystem;

// Opened without following a link or waiting for who writes into a pipe, and looked at when open,
// so that it cannot be exchanged in between.
std::string read_plainly(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  require(file >= 0, "'", path.filename().string(), "' cannot be read: ", std::strerror(errno),
          ".");
  struct stat about {};
  std::string text;
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= kLargestFile) {
    text.resize(static_cast<std::size_t>(about.st_size));
    const ssize_t bytes = read(file, text.data(), text.size());
    text.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  }
  close(file);
  return text;
}

}  // namespace

void read_folder(const fs::path& folder, Picker& picker) {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error), end;
  require(!error, "it cannot be read: ", error.message(), ".");
  for (; entry != end; entry.increment(error)) {
    const fs::file_status status = entry->symlink_status(error);
    // A whole repository may lie in it, with thousands of files that nobody wants.
    if (fs::is_directory(status) && entry->path().filename() == ".git") {
      entry.disable_recursion_pending();
    }
    if (fs::is_directory(status)) continue;
    const bool plain = fs::is_regular_file(status);
    const auto bytes = plain ? static_cast<std::int64_t>(entry->file_size(error)) : 0;
    picker.offer(entry->path().lexically_relative(folder).string(),
                 plain ? Picker::Kind::file : Picker::Kind::other, bytes,
                 [&] { return read_plainly(entry->path()); });
  }
  require(!error, "it cannot be read to its end: ", error.message(), ".");
}

}  // namespace andrea::grader
