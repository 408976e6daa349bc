#include "tools/course/course.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace andrea::course {
namespace {

using nlohmann::json;

Exercise exercise_from(const json& from) {
  Exercise exercise;
  from.at("id").get_to(exercise.id);
  from.at("title").get_to(exercise.title);
  exercise.core = from.value("core", true);
  from.at("file").get_to(exercise.file);
  from.at("minutes").get_to(exercise.minutes);
  from.at("points").get_to(exercise.points);
  exercise.introduces = from.value("introduces", std::vector<std::string>());
  exercise.needs = from.value("needs", std::vector<std::string>());
  return exercise;
}

Lesson lesson_from(const json& from) {
  Lesson lesson;
  from.at("number").get_to(lesson.number);
  from.at("name").get_to(lesson.name);
  from.at("title").get_to(lesson.title);
  for (const json& exercise : from.at("exercises")) {
    lesson.exercises.push_back(exercise_from(exercise));
  }
  return lesson;
}

}  // namespace

Course read_course(const std::string& text) {
  Course course;
  try {
    const json all = json::parse(text);
    for (const json& from : all.at("lessons")) course.lessons.push_back(lesson_from(from));
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("lessons/course.json: ") + error.what());
  }
  return course;
}

void add_exam(Course& course, const std::string& text) {
  Lesson exam;
  try {
    exam = lesson_from(json::parse(text));
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("exam.json: ") + error.what());
  }
  const auto lesson =
      std::find_if(course.lessons.begin(), course.lessons.end(),
                   [&](const Lesson& one) { return "x" + one.number == exam.number; });
  if (lesson == course.lessons.end()) {
    throw std::runtime_error("exam.json: '" + exam.number +
                             "' is not the number of a lesson with an x before it");
  }
  course.lessons.insert(lesson + 1, std::move(exam));
}

const Exercise& Course::exercise(const std::string& id) const {
  for (const Exercise& exercise : lesson_of(id).exercises) {
    if (exercise.id == id) return exercise;
  }
  throw std::out_of_range("lessons/course.json has no exercise '" + id + "'");
}

const Lesson& Course::lesson_of(const std::string& exercise) const {
  for (const Lesson& lesson : lessons) {
    if (exercise.starts_with(lesson.number + ".")) return lesson;
  }
  throw std::out_of_range("lessons/course.json has no lesson for '" + exercise + "'");
}

std::vector<std::string> faults_of(const Course& course) {
  std::vector<std::string> faults;
  std::set<std::string> known;
  for (const Lesson& lesson : course.lessons) {
    int exercises = 0, questions = 0;
    for (const Exercise& exercise : lesson.exercises) {
      const bool written = exercise.file == "worksheet.h" || exercise.file == "answers.md";
      const std::string id = lesson.number + (written ? ".w" + std::to_string(++questions)
                                                      : "." + std::to_string(++exercises));
      if (exercise.id != id)
        faults.push_back("'" + exercise.id + "' stands where " + id + " should");
      if (exercise.minutes <= 0) faults.push_back(exercise.id + " takes no time");
      if (exercise.points <= 0) faults.push_back(exercise.id + " has no points");
      for (const std::string& concept_ : exercise.needs) {
        if (known.count(concept_) > 0) continue;
        faults.push_back(exercise.id + " needs '" + concept_ + "' before it is introduced");
      }
      for (const std::string& concept_ : exercise.introduces) {
        if (known.insert(concept_).second) continue;
        faults.push_back(exercise.id + " introduces '" + concept_ + "' a second time");
      }
    }
  }
  return faults;
}

}  // namespace andrea::course
