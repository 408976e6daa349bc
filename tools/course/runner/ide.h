// File: ide.h
//
// ./andrea ide: what an editor needs to understand the kernels, with clangd: compile_commands.json
// at the root, with this checkout's paths.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_IDE_H_
#define ANDREA_TOOLS_COURSE_RUNNER_IDE_H_

#include <filesystem>
#include <string>

#include "tools/course/runner/page.h"

namespace andrea::course {

// The text of compile_commands.json for the sources below lessons/ and solutions/.
std::string compile_commands(const std::filesystem::path& root);

// Writes it, and says what to do with it.
Page ide(const std::filesystem::path& root);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_IDE_H_
