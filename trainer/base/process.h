// File: process.h
//
// Runs another program and waits for it. No shell is involved, so no argument is ever interpreted.
//
//     const ProcessResult result = run_process({"dpkg-deb", "-x", "a.deb", "folder"}, ".");
//     require(result.status == 0, "dpkg-deb: ", result.errors);

#ifndef ANDREA_TRAINER_BASE_PROCESS_H_
#define ANDREA_TRAINER_BASE_PROCESS_H_

#include <filesystem>
#include <string>
#include <vector>

namespace andrea {

struct ProcessResult {
  int status = 0;  // Its exit status; 127 if there is no such program; 128 + the signal's number.
  std::string output;  // What it wrote to standard output, held in memory,
  std::string errors;  // and to standard error.
};

// Runs arguments[0], sought in PATH, in the folder, with empty input and messages in English.
// Error: the machine cannot start a process.
ProcessResult run_process(const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder);

}  // namespace andrea

#endif  // ANDREA_TRAINER_BASE_PROCESS_H_
