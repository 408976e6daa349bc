#include "trainer/base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "trainer/base/error.h"

namespace andrea {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

[[noreturn]] void fail(const char* verb, const std::filesystem::path& path) {
  const int cause = errno;
  throw Error(text("cannot ", verb, " ", path.string(), ": ", std::strerror(cause),
                   cause == ENOSPC ? " (the disk is full; free some space and run it again)" : ""));
}

// A descriptor that closes itself.
struct Descriptor {
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  const int number;
};

std::size_t size_of_regular_file(int descriptor, const std::filesystem::path& path) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0) fail("read", path);
  require(!S_ISDIR(status.st_mode), "cannot read ", path.string(),
          ": it is a folder; name a file in it");
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) fail("open", path);
  std::string contents;
  contents.reserve(size_of_regular_file(file.number, path));
  char chunk[1 << 16];
  for (;;) {
    const ssize_t got = ::read(file.number, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path);
    if (got == 0) return contents;
    contents.append(chunk, static_cast<std::size_t>(got));
  }
}

void write_file(const std::filesystem::path& path, std::string_view contents) {
  FileWriter writer(path);
  writer.write(contents);
  writer.close();
}

void sync_folder(const std::filesystem::path& folder) {
  const Descriptor handle{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (handle.number < 0) fail("open", folder);
  if (::fsync(handle.number) != 0) fail("sync", folder);
}

void replace_file(const std::filesystem::path& path, std::string_view contents) {
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  write_file(temporary, contents);
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail("write", path);
  sync_folder(path.has_parent_path() ? path.parent_path() : ".");
}

FileWriter::FileWriter(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail("write", path_);
}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileWriter::write(const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  bytes_written_ += bytes;
  while (bytes > 0) {
    const std::size_t piece = std::min(bytes, kBufferBytes - buffer_.size());
    buffer_.append(next, piece);
    next += piece;
    bytes -= piece;
    if (buffer_.size() == kBufferBytes) flush();
  }
}

void FileWriter::write_at(std::size_t offset, const void* data, std::size_t bytes) {
  flush();
  const ssize_t put = ::pwrite(descriptor_, data, bytes, static_cast<off_t>(offset));
  if (put != static_cast<ssize_t>(bytes)) fail("write", path_);
}

void FileWriter::close() {
  flush();
  if (::fsync(descriptor_) != 0) fail("write", path_);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("write", path_);
}

void FileWriter::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t put = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("write", path_);
    done += static_cast<std::size_t>(put);
  }
  buffer_.clear();
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) fail("open", path);
  size_ = size_of_regular_file(file.number, path);
  if (size_ == 0) return;  // An empty mapping is an error to mmap, not to us.
  void* mapping = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (mapping == MAP_FAILED) fail("map", path);
  data_ = static_cast<const char*>(mapping);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace andrea
