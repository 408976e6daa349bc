#include "trainer/base/markup.h"

namespace andrea {

std::string markup_text(std::string_view text) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (const char character : text) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

}  // namespace andrea
