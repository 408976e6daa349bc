#include "trainer/report/html.h"

#include "trainer/base/markup.h"

namespace andrea {

std::string html_text(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size() + text.size() / 8);
  for (const char character : markup_text(text)) {
    const auto code = static_cast<unsigned char>(character);
    switch (character) {
      case '\'':
        escaped += "&#39;";
        break;
      case '\n':
      case '\t':
        escaped += character;
        break;
      case '\x7f':
        escaped += "␡";
        break;
      default:
        if (code < 0x20) {
          // U+2400 + code in UTF-8.
          escaped += {'\xe2', '\x90', static_cast<char>(0x80 + code)};
        } else {
          escaped += character;
        }
    }
  }
  return escaped;
}

std::string_view utf8_start(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  const auto continues = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
  };
  while (bytes > 0 && continues(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

}  // namespace andrea
