#include "tools/course/runner/screen.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

namespace andrea::course {
namespace {

// Another page of the terminal, without a cursor; and back.
constexpr std::string_view kEnter = "\033[?1049h\033[?25l";
constexpr std::string_view kLeave = "\033[0m\033[?25h\033[?1049l";

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// What a handler of a crash may use: no more than the terminal's modes as they were.
termios modes_before;
volatile std::sig_atomic_t has_taken = 0;

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(STDOUT_FILENO, text.data(), text.size());
    if (size < 0 && errno != EINTR && errno != EAGAIN) return;
    if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
  }
}

void give_back() {
  if (has_taken == 0) return;
  has_taken = 0;
  write_all(kLeave);
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes_before);
}

void take_terminal() {
  if (tcgetattr(STDIN_FILENO, &modes_before) != 0) return;
  has_taken = 1;
  termios modes = modes_before;
  modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // Ctrl-C stays a signal
  modes.c_cc[VMIN] = 0;
  modes.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes);
  write_all(kEnter);
}

// The handler has gone by then (SA_RESETHAND), so the signal ends the program as it would have.
void after_crash(int signal) {
  give_back();
  raise(signal);
}

void handle_crashes() {
  struct sigaction action = {};
  action.sa_handler = after_crash;
  action.sa_flags = SA_RESETHAND | SA_NODEFER;
  for (const int signal : kCrashes) sigaction(signal, &action, nullptr);
}

// Arrow and page keys as the letters that do the same; other sequences are nothing.
std::string letters_of(const std::string& typed) {
  std::string keys;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    if (typed[i] != '\033' || i + 1 >= typed.size() ||
        (typed[i + 1] != '[' && typed[i + 1] != 'O')) {
      keys += typed[i];
      continue;
    }
    i += 2;
    const std::size_t begin = i;
    while (i < typed.size() && (typed[i] < '@' || typed[i] > '~')) ++i;
    const std::string sequence = typed.substr(begin, i + 1 - begin);
    if (sequence == "A") keys += 'k';
    if (sequence == "B") keys += 'j';
    if (sequence == "5~") keys += 'b';
    if (sequence == "6~") keys += ' ';
  }
  return keys;
}

std::size_t room_for_body(ScreenSize size) {
  return static_cast<std::size_t>(std::max(1, size.rows - 3));
}

std::vector<std::string> body_lines(const Page& body, ScreenSize size, bool colours) {
  return laid_out(body, {size.columns, colours, /*cut=*/true});
}

}  // namespace

std::size_t last_first_line(const Page& body, ScreenSize size) {
  const std::size_t lines = body_lines(body, size, false).size(), room = room_for_body(size);
  // The row that says that there is more hides one.
  return lines <= room ? 0 : lines - room;
}

std::vector<std::string> frame_of(const std::string& title, const Page& body,
                                  const std::string& footer, std::size_t first, ScreenSize size,
                                  bool colours, bool is_old) {
  const std::vector<std::string> lines =
      body_lines(is_old ? body.in_one_style(Style::faint) : body, size, colours);
  const std::size_t room = room_for_body(size);
  first = std::min(first, lines.size() > room ? lines.size() - room : 0);
  const std::string note = is_old ? cut_off("before this test:", size.columns) : "";
  std::vector<std::string> rows = {styled(cut_off(title, size.columns), Style::strong, colours),
                                   styled(note, Style::faint, colours)};
  for (std::size_t i = first; i < lines.size() && rows.size() < room + 2; ++i) {
    rows.push_back(lines[i]);
  }
  if (first + room < lines.size()) {
    const std::size_t left = lines.size() - first - room + 1;
    rows.back() =
        styled(cut_off("... " + std::to_string(left) + " more lines: space", size.columns),
               Style::faint, colours);
  }
  while (rows.size() < room + 2) rows.emplace_back();
  rows.push_back(styled(cut_off(footer, size.columns), Style::faint, colours));
  return rows;
}

Screen::Screen(bool plain) : plain_(plain) {
  if (plain_) return;
  handle_crashes();
  take_terminal();
}

Screen::~Screen() { give_back(); }

ScreenSize Screen::size() const {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
    return {};
  }
  return {size.ws_col, size.ws_row};
}

void Screen::draw(const std::vector<std::string>& rows) {
  if (plain_) return;
  std::string all = "\033[H";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all += rows[i] + "\033[K";
    if (i + 1 < rows.size()) all += "\r\n";
  }
  write_all(all + "\033[J");
}

std::string Screen::keys(bool& closed) {
  std::array<char, 256> part;
  const ssize_t size = read(STDIN_FILENO, part.data(), part.size());
  // Without a line to wait for, a terminal with nothing typed reads as 0 bytes too, but then
  // nobody has polled it readable.
  closed = size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN);
  if (size <= 0) return "";
  std::string typed(part.data(), static_cast<std::size_t>(size));
  if (!plain_) return letters_of(typed);
  std::erase(typed, '\n');
  return typed;
}

void Screen::suspend() { give_back(); }

void Screen::resume() {
  if (!plain_) take_terminal();
}

}  // namespace andrea::course
