// File: text_reader.h
//
// Reads text files from front to back, a piece at a time, so that a file larger than memory will
// do. A gzip file is decompressed on the way. Whatever the file's habits, the text that comes out
// has LF line ends (each CR LF pair becomes LF; a lone CR stays) and no UTF-8 byte-order mark at
// its front.
//
//     TextReader reader("novel.txt.gz");
//     std::string text;
//     while (reader.read(65536, &text)) {}   // text grows until the file is read

#ifndef ANDREA_TRAINER_CORPUS_TEXT_READER_H_
#define ANDREA_TRAINER_CORPUS_TEXT_READER_H_

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace andrea {

// Replaces each CR LF from position `from` on by LF.
void unify_line_ends(std::string* text, std::size_t from = 0);

class TextReader {
 public:
  // Error: the file cannot be opened.
  explicit TextReader(std::filesystem::path path);

  // Appends about `bytes` more bytes of the text; false, with nothing appended, at its end. Error:
  // a read that fails, a gzip file that is cut short or damaged, a `.gz` that is no gzip file.
  bool read(std::size_t bytes, std::string* text);

  const std::filesystem::path& path() const { return path_; }  // as it was given

 private:
  struct Close {
    void operator()(void* file) const;
  };

  void check() const;

  std::filesystem::path path_;
  std::unique_ptr<void, Close> file_;  // zlib's gzFile, which reads plain files too.
  bool at_start_ = true;
};

// The lines of a file, without their line ends.
class LineReader {
 public:
  // Error: the file cannot be opened.
  explicit LineReader(std::filesystem::path path) : reader_(std::move(path)) {}

  // The next line; false at the end of the file.
  bool next(std::string* line);
  std::size_t line_number() const { return line_number_; }  // Of the latest line, from 1.
  const std::filesystem::path& path() const { return reader_.path(); }  // as it was given

 private:
  TextReader reader_;
  std::string buffer_;
  std::size_t position_ = 0;
  std::size_t line_number_ = 0;
};

}  // namespace andrea

#endif  // ANDREA_TRAINER_CORPUS_TEXT_READER_H_
