// File: pristine.h
//
// The exercise as it was before anybody had written in it, from the first of these that has it:
//
// 1. the solution, of which it is cut;
// 2. tools/course/stubs/NN_name/FILE, a copy that the student edition brings along;
// 3. git: the first version of the file that the history has.
//
// The file that the student edits is never asked: it may hold anything.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_PRISTINE_H_
#define ANDREA_TOOLS_COURSE_RUNNER_PRISTINE_H_

#include <filesystem>
#include <optional>
#include <string>

#include "tools/course/course.h"

namespace andrea::course {

// Where the student edition keeps what has no solution beside it.
std::filesystem::path stub_copy(const Lesson& lesson, const std::string& file);

// `file`: "kernel.cu", "further.cu" or "worksheet.h". Nothing where none of the three has it.
std::optional<std::string> pristine(const std::filesystem::path& root, const Lesson& lesson,
                                    const std::string& file);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_PRISTINE_H_
