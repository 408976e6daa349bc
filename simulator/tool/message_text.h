// File: simulator/tool/message_text.h
//
// Messages of g++ as parts.

#ifndef ANDREA_SIMULATOR_TOOL_MESSAGE_TEXT_H_
#define ANDREA_SIMULATOR_TOOL_MESSAGE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

struct Message {
  std::vector<std::string> context;  // "In function ...", "required from ..."
  std::string path;                  // of the file it is about
  int line = 0;                      // 0 if there is none.
  int column = 0;                    // Likewise; from 1.
  std::string kind;  // "error", "fatal error", "warning", "note"; empty for lines of no known form.
  std::string text;  // the compiler's sentence
  std::vector<std::string> excerpt;  // The source line and what points into it.

  bool is_note() const { return kind == "note"; }  // belongs to the message before it
};

// The messages of a compiler's output, in order.
std::vector<Message> parse_messages(std::string_view text);

// "path:line:column: kind: text"
std::string header_of(const Message& message);

// Of "path:line:column:   required from here" the place; false for another line.
bool read_place(std::string_view line, Message& place);

// Without the line ends.
std::vector<std::string> lines_of(std::string_view text);
// Whether the part stands anywhere in it.
bool contains(std::string_view text, std::string_view part);
// All places, from left to right.
void replace_all(std::string& text, std::string_view from, std::string_view to);

// Breaks lines at blanks, so that they have at most `width` characters. Lines that begin with a
// blank stay: they show the source.
std::string wrapped(std::string_view text, std::size_t width);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_MESSAGE_TEXT_H_
