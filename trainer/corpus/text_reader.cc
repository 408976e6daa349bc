#include "trainer/corpus/text_reader.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "trainer/base/error.h"

namespace andrea {
namespace {

constexpr char kByteOrderMark[] = "\xef\xbb\xbf";
constexpr std::size_t kLineBufferBytes = 1 << 16;

// gzread() takes the number of bytes as an unsigned int and returns it as an int.
constexpr std::size_t kLargestRead = 1 << 30;

gzFile handle(void* file) { return static_cast<gzFile>(file); }

}  // namespace

void unify_line_ends(std::string* text, std::size_t from) {
  std::size_t read = text->find("\r\n", from);
  if (read == std::string::npos) return;
  std::size_t write = read;
  while (read < text->size()) {
    if ((*text)[read] == '\r' && read + 1 < text->size() && (*text)[read + 1] == '\n') ++read;
    (*text)[write++] = (*text)[read++];
  }
  text->resize(write);
}

TextReader::TextReader(std::filesystem::path path) : path_(std::move(path)) {
  const int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    throw Error(text("cannot open the text file ", path_.string(), ": ", std::strerror(errno)));
  }
  file_.reset(::gzdopen(descriptor, "rb"));
  if (file_ == nullptr) ::close(descriptor);
  require(file_ != nullptr, "cannot open the text file ", path_.string(), ": out of memory");
  ::gzbuffer(handle(file_.get()), 1 << 17);
}

void TextReader::Close::operator()(void* file) const { ::gzclose(handle(file)); }

bool TextReader::read(std::size_t bytes, std::string* text) {
  const std::size_t before = text->size();
  const std::size_t wanted = std::clamp<std::size_t>(bytes, 4, kLargestRead);
  text->resize(before + wanted);
  const int got =
      ::gzread(handle(file_.get()), text->data() + before, static_cast<unsigned>(wanted));
  text->resize(before + static_cast<std::size_t>(std::max(got, 0)));
  if (got <= 0) {
    check();
    return false;
  }
  // A CR at the end waits for what follows it, so that no CR LF pair is divided.
  while (text->back() == '\r') {
    const int next = gzgetc(handle(file_.get()));
    if (next < 0) break;
    text->push_back(static_cast<char>(next));
  }
  if (std::exchange(at_start_, false)) {
    require(path_.extension() != ".gz" || ::gzdirect(handle(file_.get())) == 0, path_.string(),
            " is named .gz but is no gzip file; rename it if it is plain text");
    if (text->compare(before, 3, kByteOrderMark) == 0) text->erase(before, 3);
  }
  unify_line_ends(text, before);
  return true;
}

void TextReader::check() const {
  int code = Z_OK;
  const char* message = ::gzerror(handle(file_.get()), &code);
  if (code == Z_OK || code == Z_STREAM_END) return;
  require(code != Z_BUF_ERROR, "the gzip file ", path_.string(),
          " is cut short; fetch it or compress it again");
  require(code != Z_ERRNO, "cannot read ", path_.string(), ": ", std::strerror(errno));
  throw Error(text("the gzip file ", path_.string(), " is damaged (", message,
                   "); fetch it or compress it again"));
}

bool LineReader::next(std::string* line) {
  std::size_t searched = position_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line->assign(buffer_, position_, end - position_);
      position_ = end + 1;
      ++line_number_;
      return true;
    }
    buffer_.erase(0, std::exchange(position_, 0));
    searched = buffer_.size();
    if (reader_.read(std::max(kLineBufferBytes, buffer_.size()), &buffer_)) continue;
    if (buffer_.empty()) return false;
    line->swap(buffer_);
    buffer_.clear();
    ++line_number_;
    return true;
  }
}

}  // namespace andrea
