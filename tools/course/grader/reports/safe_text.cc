#include "tools/course/grader/reports/safe_text.h"

#include <algorithm>

#include "trainer/base/markup.h"
#include "trainer/tokenizer/utf8.h"

namespace andrea::grader {
namespace {

bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; }

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

std::string utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const Utf8Sequence first = first_utf8_sequence(text);
    const bool whole = first.kind == Utf8Sequence::Kind::character;
    valid += whole ? text.substr(0, first.bytes) : "\xef\xbf\xbd";
    text.remove_prefix(whole ? first.bytes : 1);
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
  std::string letters = markup_text(utf8(text));
  // U+FFFE and U+FFFF are well encoded, and no characters of XML.
  for (const std::string_view none : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (std::size_t at; (at = letters.find(none)) != std::string::npos;) {
      letters.replace(at, none.size(), "?");
    }
  }
  std::string escaped;
  for (const char letter : letters) {
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
