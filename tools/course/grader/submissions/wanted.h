// File: wanted.h
//
// Which files of a submission are taken: those that course.json says a student edits, and
// answers.md. Whatever else lies there (a BUILD file, a test, a header) is never looked at.

#ifndef ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_WANTED_H_
#define ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_WANTED_H_

#include <optional>
#include <string>
#include <vector>

#include "tools/course/course.h"

namespace andrea::grader {

struct Wanted {
  std::vector<std::string> paths;  // "lessons/00_first_kernel/kernel.cu"
  // With one lesson alone, files that lie at the top count as its own: some systems hand over
  // files without their folders.
  bool at_the_top = false;
};

// The files of these lessons; `numbers` as "00", all where there are none. Throws Error for a
// number that the course does not have.
Wanted wanted_of(const course::Course& course, const std::vector<std::string>& numbers);

struct Place {
  std::string path;  // of Wanted
  // The better of two copies has the smaller one: lessons/NN_name/FILE before NN_name/FILE before
  // FILE at the top, and then the one that lies less deep.
  int rank = 0;
};

// What the file at this path in a submission is; nothing for a file that is not wanted. The folder
// of a lesson may lie anywhere, but not in solutions/ or tests/, nor in what tools leave behind.
std::optional<Place> place_of(const Wanted& wanted, const std::string& path);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_SUBMISSIONS_WANTED_H_
