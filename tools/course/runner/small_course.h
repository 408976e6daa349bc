// File: small_course.h
//
// For tests: a course of two lessons in a folder of its own, with a program `bazel` that only
// pretends. What it "builds" is a script that reads kernel.cu and writes a report as GoogleTest
// does, so that the runner is driven as it is, in milliseconds.
//
// An exercise passes when its region says `return 1;` (00.1), `return 2;` (00.2), `return 3;`
// (01.1); `return 0;` is not begun, `return 7;` is a mistake that is recognised, `return 9;` ends
// the program, and the word BROKEN does not compile.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_SMALL_COURSE_H_
#define ANDREA_TOOLS_COURSE_RUNNER_SMALL_COURSE_H_

#include <filesystem>
#include <string>

#include "tools/course/runner/workshop.h"

namespace andrea::course {

class SmallCourse {
 public:
  SmallCourse();   // in TEST_TMPDIR, or where temporary files are
  ~SmallCourse();  // removes it
  SmallCourse(const SmallCourse&) = delete;
  SmallCourse& operator=(const SmallCourse&) = delete;

  const std::filesystem::path& root() const { return root_; }
  // The PATH that finds the fake before all others.
  std::string path() const;
  Workshop workshop() const;

  std::string read(const std::string& file) const;
  void write(const std::string& file, const std::string& text) const;
  // The body of the exercise's function replaced by this line.
  void answer(const std::string& exercise, const std::string& line) const;
  // How often `bazel` was called.
  int builds() const;

 private:
  std::filesystem::path root_;
};

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_SMALL_COURSE_H_
