// File: simulator/tool/message_colors.h
//
// Messages in the colours of a terminal.

#ifndef ANDREA_SIMULATOR_TOOL_MESSAGE_COLORS_H_
#define ANDREA_SIMULATOR_TOOL_MESSAGE_COLORS_H_

#include <string>
#include <string_view>

namespace simulator {

// "path:line:column: error: ...", its excerpt and the line that points into it. Other text stays.
std::string colored(std::string_view messages);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_MESSAGE_COLORS_H_
