// File: screen.h
//
// The whole terminal as a page that is drawn over: title, body, footer. Keys come one by one,
// unseen. However the program ends, also by Ctrl-C or a crash, the terminal is left as it was.
//
// Plainly (no terminal, TERM=dumb, --plain) pages are printed one below the other without any
// control code, and keys are lines.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_SCREEN_H_
#define ANDREA_TOOLS_COURSE_RUNNER_SCREEN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/course/runner/page.h"

namespace andrea::course {

struct ScreenSize {
  int columns = 80, rows = 24;
};

// The frame as rows, each at most `columns` wide: title, empty line, as much of the body as there
// is room for from line `first` on, footer. Where the body goes on, the row above the footer says
// so. A body that `is_old` is faint, and the row above it says so.
std::vector<std::string> frame_of(const std::string& title, const Page& body,
                                  const std::string& footer, std::size_t first, ScreenSize size,
                                  bool colours, bool is_old = false);

// The number of the last line that `first` may be, so that the end of the body is seen.
std::size_t last_first_line(const Page& body, ScreenSize size);

class Screen {
 public:
  explicit Screen(bool plain);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  bool plain() const { return plain_; }
  ScreenSize size() const;

  // Not when plain.
  void draw(const std::vector<std::string>& rows);
  // The keys that have been pressed, without waiting; arrows and page keys as 'k', 'j', 'b', ' '.
  // Sets `closed` where no more can come.
  std::string keys(bool& closed);

  // Gives the terminal back for as long as the program is stopped, and takes it again.
  void suspend();
  void resume();

 private:
  bool plain_;
};

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_SCREEN_H_
