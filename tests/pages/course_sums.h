// File: course_sums.h
//
// Exercises, minutes and points of lessons/course.json, added up as the pages of docs/ have them.

#ifndef ANDREA_TESTS_PAGES_COURSE_SUMS_H_
#define ANDREA_TESTS_PAGES_COURSE_SUMS_H_

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "tools/course/course.h"

namespace andrea {

enum class Part { core, worksheet, further };

inline Part part_of(const course::Exercise& exercise) {
  if (exercise.file == "worksheet.h") return Part::worksheet;
  return exercise.core ? Part::core : Part::further;
}

struct Sums {
  int exercises = 0, minutes = 0, points = 0;

  void add(const course::Exercise& exercise) {
    ++exercises;
    minutes += exercise.minutes;
    points += exercise.points;
  }
};

using SumsOfParts = std::map<Part, Sums>;

inline SumsOfParts sums_of(const std::vector<course::Lesson>& lessons) {
  SumsOfParts sums;
  for (const course::Lesson& lesson : lessons) {
    for (const course::Exercise& exercise : lesson.exercises) sums[part_of(exercise)].add(exercise);
  }
  return sums;
}

// "2.6"
inline std::string hours(int minutes) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f", minutes / 60.0);
  return text;
}

inline std::string title_of(const course::Lesson& lesson) {
  return lesson.number + " " + lesson.title;
}

}  // namespace andrea

#endif  // ANDREA_TESTS_PAGES_COURSE_SUMS_H_
