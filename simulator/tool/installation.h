// File: simulator/tool/installation.h
//
// Where the simulator's own parts are: its shared library and its headers, beside the tool as Bazel
// lays them out.

#ifndef ANDREA_SIMULATOR_TOOL_INSTALLATION_H_
#define ANDREA_SIMULATOR_TOOL_INSTALLATION_H_

#include <string>

namespace simulator {

struct Installation {
  std::string tool;            // This program.
  std::string library;         // .../libandrea_simulator.so
  std::string headers_folder;  // .../simulator/include
};

// False, and a sentence in `problem`, if a part is missing. `invoked_as` is argv[0].
bool find_installation(const std::string& invoked_as, Installation& result, std::string& problem);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_TOOL_INSTALLATION_H_
