#include "simulator/tool/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <iostream>

#include "simulator/tool/message_colors.h"
#include "simulator/tool/message_text.h"

namespace simulator {
namespace {

bool is_terminal() {
  const char* const kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

bool has_colors() {
  const char* const off = std::getenv("NO_COLOR");
  return is_terminal() && (off == nullptr || *off == '\0');
}

// On a terminal no line is broken within a word.
std::string fitted(std::string_view messages) {
  winsize size = {};
  const bool has_width = is_terminal() && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
  if (!has_width || size.ws_col < 20) return std::string(messages);
  return wrapped(messages, size.ws_col);
}

}  // namespace

bool tell(const std::string& sentence) {
  std::cerr << fitted("andrea cuda: " + sentence + ".\n");
  return false;
}

void show_messages(std::string_view messages) {
  if (has_colors()) {
    std::cerr << colored(fitted(messages));
  } else {
    std::cerr << fitted(messages);
  }
}

ProgressLine::ProgressLine(const std::string& text) {
  if (is_terminal()) std::cerr << text << std::flush;
}

void ProgressLine::erase() const {
  if (is_terminal()) std::cerr << "\r\033[K" << std::flush;
}

}  // namespace simulator
