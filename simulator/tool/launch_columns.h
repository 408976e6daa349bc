// File: simulator/tool/launch_columns.h
//
// Where a message of the compiler about a rewritten line belongs in the line as it was written.
//
//     scale<<<grid, block>>>(x, 2);                      written
//     __SIMULATOR_LAUNCH((scale), (grid, block), x, 2);  compiled
//
// The compiler calls every place in a launch by the column where the launch begins, since that is
// where the macro stands, and the place behind it by the column where the macro's name ends.

#ifndef ANDREA_SIMULATOR_TOOL_LAUNCH_COLUMNS_H_
#define ANDREA_SIMULATOR_TOOL_LAUNCH_COLUMNS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

// A piece of a line: from `begin` on, counted from 0, up to `end`.
struct Span {
  std::size_t begin = 0, end = 0;  // columns, from 0; the end is behind it
};

// A launch as far as it is on the line.
struct LaunchSpans {
  Span head;                    // kernel<<<grid, block>>>
  std::vector<Span> arguments;  // Those that end on the line.
  std::size_t end = 0;          // Behind the ), or the end of the line.
};

// In order.
std::vector<LaunchSpans> find_launches(std::string_view line);

struct Place {
  Span span;        // of the launch in the source
  int launch = -1;  // Which of find_launches the message is about; -1 for none.
};

// `column` counts from 1.
Place place_in_source(std::string_view source_line, std::string_view compiled_line, int column);

// The word in the line, from `from` on, as a token of its own; an empty span if it is not there.
Span find_word(std::string_view line, std::string_view word, std::size_t from);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_LAUNCH_COLUMNS_H_
