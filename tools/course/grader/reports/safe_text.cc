#include "tools/course/grader/reports/safe_text.h"

#include <algorithm>

#include "trainer/base/markup.h"

namespace andrea::grader {
namespace {

bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; }

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// The bytes of the character that begins here; 0 where none does.
std::size_t length_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xc2 && first <= 0xdf ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text[at + i])) return 0;
  }
  if (length < 3) return length;
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool beyond = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

std::string utf8(std::string_view text) {
  std::string valid;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_at(text, at);
    valid += length == 0 ? "\xef\xbf\xbd" : text.substr(at, length);
    at += std::max<std::size_t>(1, length);
  }
  return valid;
}

std::string terminal_text(std::string_view text) {
  std::string shown = utf8(text);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (is_control(shown[i])) shown[i] = '?';
    // U+0080 to U+009F move the cursor as well; U+202A to U+202E turn the line round.
    const auto code = [&](std::size_t at) {
      return at < shown.size() ? static_cast<unsigned char>(shown[at]) : 0;
    };
    const bool moves = code(i) == 0xc2 && code(i + 1) >= 0x80 && code(i + 1) <= 0x9f;
    const bool turns = code(i) == 0xe2 && code(i + 1) == 0x80 &&
                       ((code(i + 2) >= 0xaa && code(i + 2) <= 0xae) || code(i + 2) == 0xa8);
    if (moves) shown.replace(i, 2, "?");
    if (turns) shown.replace(i, 3, "?");
  }
  return shown;
}

std::string csv_field(std::string_view text) {
  const std::string valid = utf8(text);
  std::string field = "\"";
  if (!valid.empty() && std::string_view("=+-@\t\r\n|").find(valid[0]) != std::string_view::npos) {
    field += "'";
  }
  for (const char letter : valid) {
    if (letter == '"') field += '"';
    field += is_control(letter) ? ' ' : letter;
  }
  return field + "\"";
}

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char letter : markup_text(utf8(text))) {
    switch (letter) {
      case '\n':
        escaped += "&#10;";
        break;
      case '\t':
        escaped += ' ';
        break;
      default:
        escaped += is_control(letter) ? '?' : letter;
    }
  }
  return escaped;
}

std::size_t columns_of(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char byte) { return !continues(byte); }));
}

}  // namespace andrea::grader
