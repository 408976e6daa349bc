// File: simulator/tool/command_line.h
//
// The words behind `./andrea cuda`: the program's sources, options of the simulator, options for
// the compiler in g++'s own form, and, behind `--`, the program's arguments.
//
// Those who come from nvcc bring its options along. Each is taken for what it means here: passed to
// g++ (-Xcompiler), to the lint (--extended-lambda), or left out where the simulator needs none of
// it
// (-arch=sm_80). A library that the simulator replaces (-lcudart) is left out of the link; one that
// it lacks (-lcurand) is refused by name, as is what would not work at all (-fsanitize=address).

#ifndef ANDREA_SIMULATOR_TOOL_COMMAND_LINE_H_
#define ANDREA_SIMULATOR_TOOL_COMMAND_LINE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/rewriter/lint.h"

namespace simulator {

struct CommandLine {
  std::vector<std::string> sources;    // .cu files and C++ files
  std::vector<std::string> arguments;  // Of the program.

  bool is_help = false;          // help was asked for
  bool is_check = false;         // The check build.
  std::string output;            // Where to keep the program, which is then not run; else empty.
  std::string compiler = "g++";  // as --compiler names it
  std::vector<std::pair<std::string, std::string>> environment;  // SIMULATOR_..., for the program.

  std::vector<std::string> compile_flags;    // Without those of the next two.
  std::vector<std::string> include_folders;  // -I
  std::string standard = "-std=c++20";       // Never older: the launch needs it.
  std::vector<std::string> link_flags;       // behind all others
  LintOptions lint;                          // which rules hold
};

// What --help prints.
extern const std::string_view kHelp;

// False, and a sentence in `problem`, if the words make no sense.
bool read_command_line(const std::vector<std::string>& words, CommandLine& result,
                       std::string& problem);

// A CUDA source, to be rewritten: *.cu. Others are C++, compiled as they are.
bool is_cuda_source(std::string_view path);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_COMMAND_LINE_H_
