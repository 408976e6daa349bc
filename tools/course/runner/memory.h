// File: memory.h
//
// What the runner keeps between its calls, in .andrea/ at the root: the last results of each part,
// with the state of the files that they are of, and how many stages of each hint were shown. All of
// it may be deleted: results are then found anew, by running the tests, and hints begin again.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_MEMORY_H_
#define ANDREA_TOOLS_COURSE_RUNNER_MEMORY_H_

#include <filesystem>
#include <string>
#include <vector>

#include "tools/course/runner/part.h"
#include "tools/course/runner/test_results.h"

namespace andrea::course {

// What is known of a part in one state of its files.
struct PartMemory {
  // What was found out in another state of the files.
  struct Past {
    std::string state;
    std::vector<TestResult> results;
  };

  std::string state;     // state_of; empty where nothing is known
  bool compiles = true;  // where not, there are no results
  std::vector<TestResult> results{};
  std::vector<TestResult> earlier{};  // the last ones of other states, for what is unknown in this
  std::vector<Past> past{};           // the last few states, the newest first
};

// What the memory knows of that state of the files, which may be one that they had before; its
// `state` is empty where that is nothing.
PartMemory in_state(PartMemory memory, const std::string& state);

class Memory {
 public:
  explicit Memory(std::filesystem::path root) : root_(std::move(root)) {}

  // For files of a moment.
  std::filesystem::path folder() const { return root_ / ".andrea"; }

  // Nothing is known where the file is absent or damaged.
  PartMemory part(const Lesson& lesson, Part part) const;
  // Whether a test of the part has ever been built.
  bool knows(const LessonPart& part) const;
  // A part that cannot be remembered is found out again the next time.
  void keep(const Lesson& lesson, Part part, const PartMemory& what) const;

  int hints_shown(const std::string& exercise) const;
  void keep_hints_shown(const std::string& exercise, int stages) const;

 private:
  std::filesystem::path file_of(const Lesson& lesson, Part part) const;

  std::filesystem::path root_;
};

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_MEMORY_H_
