#include "tools/course/grader/marks/marks.h"

namespace andrea::grader {

bool any_of_lesson(const std::map<std::string, std::string>& files, const course::Lesson& lesson) {
  const std::string folder = lesson.folder() + "/";
  const auto first = files.lower_bound(folder);
  return first != files.end() && first->first.starts_with(folder);
}

Mark mark_of(const Student& student, const course::Lesson& lesson,
             const course::Exercise& exercise) {
  const std::string path = lesson.folder() + "/" + exercise.file;
  if (student.files.count(path) == 0)
    return {Outcome::missing, "", exercise.file + " was not handed in."};
  const auto result = student.results.find(path);
  if (result == student.results.end()) return {Outcome::not_graded, "", "It was not graded."};
  if (result->second.outcome != Outcome::passed)
    return {result->second.outcome, "", result->second.words};
  const auto mark = result->second.marks.find(exercise.id);
  if (mark == result->second.marks.end())
    return {Outcome::failed, "", "The judge says nothing of it."};
  return mark->second;
}

int points_of(const Student& student, const course::Lesson& lesson) {
  int sum = 0;
  for (const course::Exercise& exercise : lesson.exercises) {
    if (mark_of(student, lesson, exercise).outcome == Outcome::passed) sum += exercise.points;
  }
  return sum;
}

int points_of(const Student& student, const std::vector<course::Lesson>& lessons) {
  int sum = 0;
  for (const course::Lesson& lesson : lessons) sum += points_of(student, lesson);
  return sum;
}

int points_in(const course::Lesson& lesson) {
  int sum = 0;
  for (const course::Exercise& exercise : lesson.exercises) sum += exercise.points;
  return sum;
}

int points_in(const std::vector<course::Lesson>& lessons) {
  int sum = 0;
  for (const course::Lesson& lesson : lessons) sum += points_in(lesson);
  return sum;
}

const char* word_for(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "right";
    case Outcome::failed:
      return "wrong";
    case Outcome::not_compiled:
      return "does not compile";
    case Outcome::refused:
      return "was refused";
    case Outcome::missing:
      return "not handed in";
    case Outcome::not_graded:
      break;
  }
  return "not graded";
}

}  // namespace andrea::grader
