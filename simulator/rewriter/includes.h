// File: simulator/rewriter/includes.h
//
// A program of several files: the source, and the files that it includes by `#include "..."` from
// beside the includer or from folders given (and by <...> from folders given), and what these
// include, and so on.
//
// Every file reached, with a launch in it or without, is written below the output folder, at its
// own absolute path: `demo/main.cu` and `common/tile.cuh` of /home/ada become
//
//     OUT/home/ada/demo/main.cc
//     OUT/home/ada/common/tile.cuh
//
// The compiler looks for "tile.cuh" in the folder of the file that includes it, then in the folders
// given. Since all files keep their places relative to each other, and every folder given has its
// copy in front of it, the compiler always finds the rewritten file, also by "../common/tile.cuh";
// no #include line has to change, and no file of the user is written. What is included through a
// macro (#include HEADER) is not followed; -iquote lets the compiler find such files where they
// are.

#ifndef ANDREA_SIMULATOR_REWRITER_INCLUDES_H_
#define ANDREA_SIMULATOR_REWRITER_INCLUDES_H_

#include <string>
#include <vector>

#include "simulator/rewriter/finding.h"
#include "simulator/rewriter/lint.h"

namespace simulator {

struct ProgramFile {
  std::string path;               // As a message shows it: relative if the source's path is.
  std::string output;             // Where it is written.
  std::string source;             // as it was read
  std::string text;               // Rewritten.
  std::vector<Finding> findings;  // in the order of their lines
};

// A program's files, rewritten.
struct Program {
  std::vector<ProgramFile> files;  // The source first, the others as they are met.
  // Options for the compiler, to be given before the user's own -I: -iquote and -I, each followed
  // by its folder.
  std::vector<std::string> arguments;

  bool has_findings() const;  // in any file
};

// How a program is to be read and written.
struct ProgramOptions {
  std::string output_folder;                 // where the rewritten files go
  std::vector<std::string> include_folders;  // The user's -I, in order.
  bool lints = false;                        // whether rules of nvcc are checked too
  LintOptions lint;                          // which of them
};

// Reads and rewrites; writes nothing. If a file cannot be used, `problem` is a sentence about it
// and the program is empty.
Program rewrite_program(const std::string& path, const ProgramOptions& options,
                        std::string& problem);

// Writes every file of the program. False, and a sentence in `problem`, if one cannot be written.
bool write_program(const Program& program, std::string& problem);

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_INCLUDES_H_
