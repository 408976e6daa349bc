#include "simulator/tool/message_text.h"

#include <charconv>
#include <cstddef>
#include <utility>

namespace simulator {
namespace {

constexpr std::string_view kKinds[] = {"fatal error", "error", "warning", "note"};
constexpr std::string_view kDigits = "0123456789";

// Takes ":12" off the end of `text`; 0 if it has none.
int take_number(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return 0;
  const std::string_view digits = text.substr(colon + 1);
  if (digits.find_first_not_of(kDigits) != std::string_view::npos) return 0;
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  text = text.substr(0, colon);
  return number;
}

// `text` is "path:line:column", "path:line" or "path".
void split_place(std::string_view text, Message& place) {
  place.column = 0;
  place.line = take_number(text);
  const int before = take_number(text);
  if (before > 0) place.column = std::exchange(place.line, before);
  place.path = text;
}

bool read_header(std::string_view line, Message& message) {
  if (line.empty() || line[0] == ' ') return false;
  std::size_t first = std::string_view::npos;
  for (const std::string_view kind : kKinds) {
    const std::string mark = ": " + std::string(kind) + ": ";
    const std::size_t at = line.find(mark);
    if (at >= first) continue;
    first = at;
    message.kind = kind;
    message.text = line.substr(at + mark.size());
  }
  if (first == std::string_view::npos) return false;
  split_place(line.substr(0, first), message);
  return true;
}

// "   14 | code", "      |  ^~~", "  +++ |+#include"
bool is_excerpt(std::string_view line) {
  const std::size_t bar = line.find('|');
  return bar != std::string_view::npos && bar > 0 && line[0] == ' ' &&
         line.substr(0, bar).find_first_not_of(" 0123456789+") == std::string_view::npos;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::vector<Message> parse_messages(std::string_view text) {
  std::vector<Message> messages;
  std::vector<std::string> context;
  for (std::string& line : lines_of(text)) {
    Message message;
    if (read_header(line, message)) {
      message.context = std::exchange(context, {});
      messages.push_back(std::move(message));
    } else if (context.empty() && !messages.empty() && is_excerpt(line)) {
      messages.back().excerpt.push_back(std::move(line));
    } else {
      context.push_back(std::move(line));
    }
  }
  if (!context.empty()) messages.emplace_back().context = std::move(context);
  return messages;
}

std::string wrapped(std::string_view text, std::size_t width) {
  constexpr std::string_view kIndent = "    ";
  std::string result;
  for (const std::string& line : lines_of(text)) {
    std::size_t column = 0, blank = std::string::npos;  // `blank` is the last one in `result`.
    for (const char c : line) {
      // A character of several bytes counts once.
      const bool is_continued = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
      result += c;
      if (line[0] == ' ' || is_continued) continue;
      if (c == ' ') blank = result.size() - 1;
      if (++column <= width || blank == std::string::npos || c == ' ') continue;
      result[blank] = '\n';
      result.insert(blank + 1, kIndent);
      column = 0;
      for (const char moved : result.substr(blank + 1)) {
        if ((static_cast<unsigned char>(moved) & 0xC0) != 0x80) ++column;
      }
      blank = std::string::npos;
    }
    result += '\n';
  }
  return result;
}

std::string header_of(const Message& message) {
  std::string header = message.path;
  if (message.line > 0) header += ':' + std::to_string(message.line);
  if (message.column > 0) header += ':' + std::to_string(message.column);
  return header + ": " + message.kind + ": " + message.text;
}

bool read_place(std::string_view line, Message& place) {
  const std::size_t end = line.find(":   ");
  if (end == std::string_view::npos || line[0] == ' ') return false;
  split_place(line.substr(0, end), place);
  return place.line > 0;
}

}  // namespace simulator
