// File: walls.h
//
// What a student's program sees: the system's libraries, itself, its input and its output, and
// nothing else; no network, no other process, no place to write but the output. Made by bubblewrap
// (Debian's package, the program `bwrap`), from namespaces of the kernel.

#ifndef ANDREA_TOOLS_COURSE_GRADER_CONFINE_WALLS_H_
#define ANDREA_TOOLS_COURSE_GRADER_CONFINE_WALLS_H_

#include <string>
#include <vector>

namespace andrea::confine {

struct Judged {
  std::string program, input, output;  // files
  std::vector<std::string> libraries;  // shared ones that come with the program
};

// Where they are behind the walls.
inline constexpr const char* kConfine = "/judged/confine";
inline constexpr const char* kProgram = "/judged/student";
inline constexpr const char* kLibraries = "/judged/library";
inline constexpr const char* kInput = "/judged/input";
inline constexpr const char* kOutput = "/judged/output";

// The words that start `inside` (a program with its arguments) behind the walls. `self`, this very
// program's file, is there as kConfine.
std::vector<std::string> walled(const Judged& judged, const std::string& self,
                                const std::vector<std::string>& inside);

}  // namespace andrea::confine

#endif  // ANDREA_TOOLS_COURSE_GRADER_CONFINE_WALLS_H_
