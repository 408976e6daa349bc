// File: simulator/tool/linker_messages.h
//
// What g++ says when a program does not link, made readable: which name is missing, and what to do.

#ifndef ANDREA_SIMULATOR_TOOL_LINKER_MESSAGES_H_
#define ANDREA_SIMULATOR_TOOL_LINKER_MESSAGES_H_

#include <string>
#include <string_view>
#include <vector>

namespace simulator {

// `text` is all that g++ printed. `current_folder` is left out of paths; `sources` are the
// program's, as given.
std::string readable_linker_messages(std::string_view text, const std::string& current_folder,
                                     const std::vector<std::string>& sources);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_LINKER_MESSAGES_H_
