// File: simulator/tool/cuda_main.cc
//
// `./andrea cuda`: builds a CUDA program, unless it has been built before, and becomes it.

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "simulator/tool/build_cache.h"
#include "simulator/tool/command_line.h"
#include "simulator/tool/compiler_call.h"
#include "simulator/tool/installation.h"
#include "simulator/tool/process.h"
#include "simulator/tool/program_build.h"
#include "simulator/tool/terminal.h"

namespace simulator {
namespace {

constexpr int kWell = 0, kNotBuilt = 1, kWrongUsage = 2;

int keep_program(const std::string& program, const std::string& output) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_directory(output, error)) {
    tell("'" + output + "' is a folder; -o names the program");
    return kNotBuilt;
  }
  // Another program of this name may be running, and cannot be written into.
  fs::remove(output, error);
  fs::copy_file(program, output, error);
  if (!error) return kWell;
  tell("'" + output + "' cannot be written: " + error.message());
  return kNotBuilt;
}

// "./matmul": what the program would be called after a compilation by hand.
std::string shown_name(const CommandLine& command) {
  const std::filesystem::path path =
      std::filesystem::path(command.sources.front()).replace_extension();
  return path.has_parent_path() ? path.string() : "./" + path.string();
}

int run(const std::string& invoked_as, const std::vector<std::string>& words) {
  CommandLine command;
  std::string problem;
  if (!read_command_line(words, command, problem)) {
    tell(problem);
    return kWrongUsage;
  }
  if (command.is_help) {
    std::cout << kHelp;
    return kWell;
  }
  Installation installation;
  if (!find_installation(invoked_as, installation, problem)) {
    tell(problem);
    return kNotBuilt;
  }
  const std::optional<BuildCache> cache = BuildCache::open(problem);
  if (!problem.empty()) tell(problem);
  if (!cache) return kNotBuilt;

  std::string program = cache->find(recipe_of(command, installation), name_of_program(command));
  if (program.empty()) program = build_program(command, installation, *cache);
  if (program.empty()) return kNotBuilt;
  if (!command.output.empty()) return keep_program(program, command.output);
  const int error =
      replace_by(program, shown_name(command), command.arguments, command.environment);
  tell(program + " cannot be run: " + std::strerror(error));
  return kNotBuilt;
}

}  // namespace
}  // namespace simulator

int main(int count, char** words) {
  return simulator::run(words[0], std::vector<std::string>(words + 1, words + count));
}
