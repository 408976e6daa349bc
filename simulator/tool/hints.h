// File: simulator/tool/hints.h
//
// Notes for a learner, behind messages of the compiler that are true but do not say what to do.

#ifndef ANDREA_SIMULATOR_TOOL_HINTS_H_
#define ANDREA_SIMULATOR_TOOL_HINTS_H_

#include <string>
#include <string_view>

namespace simulator {

// About an error with this text at this line of the source; empty if there is nothing to add.
std::string hint_for(std::string_view text, std::string_view source_line);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_HINTS_H_
