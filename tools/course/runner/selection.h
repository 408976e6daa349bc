// File: selection.h
//
// What a person means by "02.5": an exercise, a part of a lesson, or a lesson.
//
//   02  2                      a lesson
//   02.5  2.5  02.w1           an exercise, a question of the worksheet
//   02.kernel  02.worksheet  02.together  02.further

#ifndef ANDREA_TOOLS_COURSE_RUNNER_SELECTION_H_
#define ANDREA_TOOLS_COURSE_RUNNER_SELECTION_H_

#include <optional>
#include <string>

#include "tools/course/course.h"
#include "tools/course/runner/part.h"

namespace andrea::course {

struct Selection {
  const Lesson* lesson = nullptr;
  std::optional<Part> part;            // of an exercise too
  const Exercise* exercise = nullptr;  // null where it is all of the lesson or of the part
};

// Points into `course`. Throws Error, with what there is instead.
Selection selection_of(const Course& course, const std::string& words);

// The same where it has to be an exercise.
Selection exercise_selection(const Course& course, const std::string& words);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_RUNNER_SELECTION_H_
