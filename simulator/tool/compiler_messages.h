// File: simulator/tool/compiler_messages.h
//
// What g++ says about a rewritten program, made readable for who wrote it: messages keep their
// path, line and words; what is left out is the simulator's part in them (its headers, the lambda
// that a launch becomes, the same mistake told three times); a message about a launch points into
// the launch as it was written. Where the words are hard for a learner a note follows.
//
// This works on text, since that is what every version of GCC can give. A line that has an unknown
// form is shown as it is.

#ifndef ANDREA_SIMULATOR_TOOL_COMPILER_MESSAGES_H_
#define ANDREA_SIMULATOR_TOOL_COMPILER_MESSAGES_H_

#include <string>
#include <string_view>
#include <vector>

#include "simulator/rewriter/includes.h"

namespace simulator {

// g++ has to be called with these, and in English.
extern const std::vector<std::string> kMessageFlags;

struct CompiledProgram {
  std::string headers_folder;             // Of the simulator.
  std::vector<const ProgramFile*> files;  // What was rewritten.
};

// `text` is all that g++ printed for one source.
std::string readable_compiler_messages(std::string_view text, const CompiledProgram& program);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_COMPILER_MESSAGES_H_
