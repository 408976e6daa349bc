#include "simulator/tool/content_hash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace simulator {

void ContentHash::mix(std::uint64_t word) {
  // An odd multiplier loses nothing; the shift brings the upper bits, which depend on all, down.
  state_ = (state_ ^ word) * 0xD6E8FEB86659FD93;
  state_ ^= state_ >> 32;
}

void ContentHash::add(std::string_view text) {
  mix(text.size());
  std::uint64_t word = 0;
  for (; text.size() >= sizeof(word); text.remove_prefix(sizeof(word))) {
    std::memcpy(&word, text.data(), sizeof(word));
    mix(word);
  }
  word = 0;
  std::memcpy(&word, text.data(), text.size());
  mix(word);
}

std::string ContentHash::digits() const {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(state_));
  return text;
}

std::optional<std::uint64_t> hash_of_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::optional<std::uint64_t> result;
  struct stat status = {};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const ssize_t got = read(file, bytes.data() + filled, bytes.size() - filled);
      if (got <= 0) break;
      filled += static_cast<std::size_t>(got);
    }
    if (filled == bytes.size()) result = hash_of_text(bytes);
  }
  close(file);
  return result;
}

std::uint64_t hash_of_text(std::string_view text) {
  ContentHash hash;
  hash.add(text);
  return hash.value();
}

}  // namespace simulator
