// File: simulator/tool/compiler_call.h
//
// How g++ is called, and what else decides about the program that comes out.

#ifndef ANDREA_SIMULATOR_TOOL_COMPILER_CALL_H_
#define ANDREA_SIMULATOR_TOOL_COMPILER_CALL_H_

#include <string>
#include <vector>

#include "simulator/tool/command_line.h"
#include "simulator/tool/installation.h"
#include "simulator/tool/process.h"

namespace simulator {

// The call, but for folders of headers other than the simulator's, and files.
std::vector<std::string> compile_words(const CommandLine& command, const Installation& installation,
                                       bool is_cuda);

// In English, with temporary files where there is room for the program as well. CPATH would put a
// CUDA toolkit's headers before the simulator's.
Variables compiler_variables(const std::string& work_folder);

// A folder of the CUDA toolkit's headers, which must not hide the simulator's.
bool is_toolkit(const std::string& folder);

// All that decides about the program beside the contents of its files, as a hash.
std::string recipe_of(const CommandLine& command, const Installation& installation);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_COMPILER_CALL_H_
