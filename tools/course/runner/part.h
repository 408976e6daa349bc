// File: part.h
//
// The parts of a lesson, each with a test program of its own: the kernels, the worksheet, the
// kernels together with those of earlier lessons, and what goes further.

#ifndef ANDREA_TOOLS_COURSE_RUNNER_PART_H_
#define ANDREA_TOOLS_COURSE_RUNNER_PART_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/course/course.h"

namespace andrea::course {

// In the order in which a lesson is done; `further` is nobody's duty.
enum class Part { kernel, worksheet, together, further };
inline constexpr Part kParts[] = {Part::kernel, Part::worksheet, Part::together, Part::further};
inline constexpr Part kCoreParts[] = {Part::kernel, Part::worksheet, Part::together};

std::string name_of(Part part);          // "kernel"
std::string file_of_part(Part part);     // "kernel.cu"; empty for `together`
Part part_of(const Exercise& exercise);  // by its file

struct LessonPart {
  const Lesson* lesson = nullptr;
  Part part = Part::kernel;

  std::string id() const { return lesson->number + "." + name_of(part); }  // "02.kernel"
};

// Whether the lesson has it: lesson 00 has nothing to put together.
bool has_part(const std::filesystem::path& root, const Lesson& lesson, Part part);

// "//lessons/02_dot_product_similarity:kernel_test"
std::string target_of(const Lesson& lesson, Part part);

// The exercises of the part, in order; none for `together`.
std::vector<const Exercise*> exercises_of(const Lesson& lesson, Part part);

// The student's files that its test is built from, below the root: those of all lessons so far for
// `together`.
std::vector<std::string> student_files(const Course& course, const Lesson& lesson, Part part);

// The test of an exercise: "Lesson02.Exercise5", "Lesson02.Question1".
std::string test_of(const Exercise& exercise);

// A number that differs where any of the files differ that the verdict on the part depends on: the
// student's, and the lesson's own tests and headers. A change of the harness or of the simulator
// does not show in it.
std::string state_of(const std::filesystem::path& root, const Course& course, const Lesson& lesson,
                     Part part);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_PART_H_
