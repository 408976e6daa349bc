// File: utf8.h
//
// Reading UTF-8 one character at a time, by the Unicode standard's table of well-formed byte
// sequences (table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.

#ifndef ANDREA_TRAINER_TOKENIZER_UTF8_H_
#define ANDREA_TRAINER_TOKENIZER_UTF8_H_

#include <cstddef>
#include <string_view>

namespace andrea {

// What stands at the start of a byte string.
struct Utf8Sequence {
  // Whether it is a whole character, may become one, or is none.
  enum class Kind {
    character,   // one whole character
    incomplete,  // the text ends inside a character that more bytes could complete
    invalid,     // a "maximal subpart": bytes to be replaced by one U+FFFD
  };
  Kind kind;          // what stands there
  std::size_t bytes;  // its length, 1 to 4
};

// The first sequence of the text, which must not be empty.
inline Utf8Sequence first_utf8_sequence(std::string_view text) {
  using Kind = Utf8Sequence::Kind;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const int lead = byte(0);
  if (lead < 0x80) return {Kind::character, 1};
  if (lead < 0xc2 || lead > 0xf4) return {Kind::invalid, 1};

  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // Four leads narrow the second byte, which is what shuts out overlong forms and surrogates.
  int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  for (std::size_t i = 1; i < length; ++i) {
    if (i == text.size()) return {Kind::incomplete, i};
    if (byte(i) < lowest || byte(i) > highest) return {Kind::invalid, i};
    lowest = 0x80;
    highest = 0xbf;
  }
  return {Kind::character, length};
}

}  // namespace andrea

#endif  // ANDREA_TRAINER_TOKENIZER_UTF8_H_
