#include "trainer/base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace andrea {
namespace {

constexpr int kIndent = 4;

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

// The byte at which column number `column` begins, or npos where the line ends before it. Each
// character is taken to be one column wide.
std::size_t byte_of_column(std::string_view line, int column) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (begins_character(line[i]) && column-- == 0) return i;
  }
  return std::string_view::npos;
}

// Where the line is to be broken: the last space that leaves no more than `columns`, or else the
// first one after; npos when it fits or has none. The spaces that a line begins with do not count.
std::size_t place_to_break(std::string_view line, int columns) {
  const std::size_t first_word = line.find_first_not_of(' ');
  const std::size_t beyond = byte_of_column(line, columns);
  if (first_word == std::string_view::npos || beyond == std::string_view::npos) {
    return std::string_view::npos;
  }
  const std::size_t before = line.rfind(' ', beyond);
  if (before != std::string_view::npos && before > first_word) return before;
  return line.find(' ', std::max(beyond, first_word));
}

}  // namespace

int terminal_columns() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool draws_over() {
  const char* kind = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

std::string wrapped(std::string_view text, int columns, int indent) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    for (std::size_t cut; (cut = place_to_break(line, columns)) != std::string::npos;) {
      const std::size_t next = line.find_first_not_of(' ', cut);
      if (next == std::string::npos) break;  // only spaces are too much
      out += line.substr(0, line.find_last_not_of(' ', cut) + 1) + "\n";
      line = std::string(static_cast<std::size_t>(indent), ' ') + line.substr(next);
    }
    out += line;
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string for_terminal(std::string_view text) {
  return isatty(STDOUT_FILENO) != 0 ? wrapped(text, terminal_columns(), kIndent)
                                    : std::string(text);
}

}  // namespace andrea
