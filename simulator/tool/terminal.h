// File: simulator/tool/terminal.h
//
// What the tool says, on standard error: the standard output is the program's alone.

#ifndef ANDREA_SIMULATOR_TOOL_TERMINAL_H_
#define ANDREA_SIMULATOR_TOOL_TERMINAL_H_

#include <string>
#include <string_view>

namespace simulator {

// "andrea cuda: sentence". Always false, for a caller that has to return it.
bool tell(const std::string& sentence);

// Messages of the compiler or about the source; in colours on a terminal, not under NO_COLOR.
void show_messages(std::string_view messages);

// A line that is there while something takes time, on a terminal only.
class ProgressLine {
 public:
  // Shows the line at once, where there is a terminal.
  explicit ProgressLine(const std::string& text);
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // The line of progress, if one stands there.
  void erase() const;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_TERMINAL_H_
