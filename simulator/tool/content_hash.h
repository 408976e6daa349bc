// File: simulator/tool/content_hash.h
//
// A 64-bit number that stands for the bytes it was fed: two texts that differ have the same one by
// an accident of one in 2^64. Not for secrets: who wants two texts of one number can make them.

#ifndef ANDREA_SIMULATOR_TOOL_CONTENT_HASH_H_
#define ANDREA_SIMULATOR_TOOL_CONTENT_HASH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace simulator {

class ContentHash {
 public:
  // Texts are kept apart: adding "ab", "c" is not adding "a", "bc".
  void add(std::string_view text);
  std::uint64_t value() const { return state_; }  // of all that was added
  // 16 hexadecimal digits.
  std::string digits() const;

 private:
  void mix(std::uint64_t word);

  std::uint64_t state_ = 0x9E3779B97F4A7C15;
};

// Nothing if the file cannot be read.
std::optional<std::uint64_t> hash_of_file(const std::string& path);
// Of one text.
std::uint64_t hash_of_text(std::string_view text);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_CONTENT_HASH_H_
