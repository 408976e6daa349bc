// File: workspace.h
//
// The folder in which a class is graded: for Bazel, beside the instructor's tree and outside it, a
// package for each lesson of each submission; and class.json, what is known of the class.
//
//   graded/ada/lessons/00_first_kernel/{BUILD, kernel.cu, worksheet.h, answers.md}
//   targets     what Bazel is to build, a label a line
//   bazel.flags the flags it needs, one a line
//   class.json

#ifndef ANDREA_TOOLS_COURSE_GRADER_WORKSPACE_H_
#define ANDREA_TOOLS_COURSE_GRADER_WORKSPACE_H_

#include <filesystem>
#include <string>

#include "tools/course/grader/marks/build_events.h"
#include "tools/course/grader/marks/marks.h"

namespace andrea::grader {

struct GradingOptions {
  int seconds = 20;  // of the CPU, for each run of a student's program
  int jobs = 0;      // at once; 0: as many as there are cores
};

// Files that are there already with the same contents stay untouched, packages of other submissions
// go. `root`: the instructor's tree.
void write_workspace(const std::filesystem::path& folder, const std::filesystem::path& root,
                     const Class& whole, const GradingOptions& options);

// The class as write_workspace was given it, without results. Throws Error where there is none.
Class read_workspace(const std::filesystem::path& folder, const course::Course& course);

// Fills in the results from what Bazel did.
void add_results(Class& whole, const BuildEvents& events);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_WORKSPACE_H_
