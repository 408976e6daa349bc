#include "trainer/tokenizer/byte_alphabet.h"

#include <array>

namespace andrea {
namespace {

constexpr bool stands_for_itself(int byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

constexpr std::array<int, 256> kCharacterOfByte = [] {
  std::array<int, 256> characters{};
  int next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    characters[byte] = stands_for_itself(byte) ? byte : next++;
  }
  return characters;
}();

}  // namespace

std::string write_bytes(std::string_view bytes) {
  std::string written;
  for (const char c : bytes) {
    const int character = kCharacterOfByte[static_cast<unsigned char>(c)];
    // UTF-8, in which characters below U+0800 have two bytes at most.
    if (character < 0x80) {
      written += static_cast<char>(character);
    } else {
      written += static_cast<char>(0xc0 | character >> 6);
      written += static_cast<char>(0x80 | (character & 0x3f));
    }
  }
  return written;
}

}  // namespace andrea
