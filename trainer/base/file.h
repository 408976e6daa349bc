// File: file.h
//
// Files, with errors that name the file and the cause. Every function throws Error.

#ifndef ANDREA_TRAINER_BASE_FILE_H_
#define ANDREA_TRAINER_BASE_FILE_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace andrea {

// The whole file. A folder, a missing or an unreadable file is an Error.
std::string read_file(const std::filesystem::path& path);

// Writes the file anew. Returns once the bytes have reached the disk (fsync), so that a later
// rename of the file or its folder never exposes a half-written one.
void write_file(const std::filesystem::path& path, std::string_view contents);

// Makes the entries of the folder (names created, renamed, removed in it) reach the disk.
void sync_folder(const std::filesystem::path& folder);

// Writes path + ".tmp", then renames it: a reader, or a crash, sees the old contents or the new.
void replace_file(const std::filesystem::path& path, std::string_view contents);

// A file being written from front to back; buffered. close() is what makes it durable and what
// reports a full disk, so a file that was not closed counts as not written.
class FileWriter {
 public:
  // Creates the file, or empties it. Error where it cannot.
  explicit FileWriter(std::filesystem::path path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // Appends; Error on a full disk, at the latest in close().
  void write(const void* data, std::size_t bytes);
  void write(std::string_view contents) { write(contents.data(), contents.size()); }

  // Overwrites bytes at an offset already written, as a header whose count is known at the end.
  void write_at(std::size_t offset, const void* data, std::size_t bytes);
  // Returns once all has reached the disk.
  void close();

  std::size_t bytes_written() const { return bytes_written_; }  // what readers will find

 private:
  void flush();

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string buffer_;
  std::size_t bytes_written_ = 0;
};

// A file mapped read-only into memory: its pages are loaded as they are read, so a file larger
// than memory will do.
class MappedFile {
 public:
  MappedFile() = default;
  // Error: no such file, or it cannot be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  const char* data() const { return data_; }                // valid as long as the object
  std::size_t size() const { return size_; }                // in bytes
  std::string_view view() const { return {data_, size_}; }  // the whole file

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_BASE_FILE_H_
