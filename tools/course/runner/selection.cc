#include "tools/course/runner/selection.h"

#include "trainer/base/error.h"

namespace andrea::course {
namespace {

// "01, 02 and 03": the first and the last will do where they count up.
std::string lessons_there_are(const Course& course) {
  return course.lessons.front().number + " to " + course.lessons.back().number;
}

std::string exercises_there_are(const Lesson& lesson) {
  std::string last, last_question;
  for (const Exercise& exercise : lesson.exercises) {
    (part_of(exercise) == Part::worksheet ? last_question : last) = exercise.id;
  }
  std::string text = lesson.number + ".1 to " + last;
  if (!last_question.empty()) text += " and " + lesson.number + ".w1 to " + last_question;
  return text;
}

}  // namespace

Selection selection_of(const Course& course, const std::string& words) {
  const std::size_t dot = words.find('.');
  std::string number = words.substr(0, dot);
  if (number.size() == 1) number.insert(0, 1, '0');
  Selection selection;
  for (const Lesson& lesson : course.lessons) {
    if (lesson.number == number || lesson.folder() == "lessons/" + number) {
      selection.lesson = &lesson;
    }
  }
  if (selection.lesson == nullptr) {
    throw Error("there is no lesson '" + number + "'; the lessons are " +
                lessons_there_are(course) + ". A lesson is named as 02, an exercise as 02.5.");
  }
  if (dot == std::string::npos) return selection;
  const std::string rest = words.substr(dot + 1);
  for (const Part part : kParts) {
    if (rest == name_of(part)) {
      selection.part = part;
      return selection;
    }
  }
  const std::string id = selection.lesson->number + "." + rest;
  for (const Exercise& exercise : selection.lesson->exercises) {
    if (exercise.id != id) continue;
    selection.exercise = &exercise;
    selection.part = part_of(exercise);
    return selection;
  }
  throw Error("there is no exercise '" + id + "'; lesson " + selection.lesson->number + " has " +
              exercises_there_are(*selection.lesson) + ".");
}

Selection exercise_selection(const Course& course, const std::string& words) {
  const Selection selection = selection_of(course, words);
  if (selection.exercise == nullptr) {
    throw Error("'" + words + "' is more than one exercise; lesson " + selection.lesson->number +
                " has " + exercises_there_are(*selection.lesson) + ".");
  }
  return selection;
}

}  // namespace andrea::course
