// File: the_course.h
//
// lessons/course.json, as the tests know it, and where the texts of an exercise are.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_THE_COURSE_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_THE_COURSE_H_

#include <string>

#include "tools/course/course.h"

namespace andrea {

const course::Course& the_course();

// Takes an exam in, given as the text of its exam.json.
void add_exam(const std::string& exam);

// Throws std::out_of_range where course.json has no such exercise.
const course::Exercise& the_exercise(const std::string& id);

// "lessons/02_dot_product_similarity/kernel.cu", ".../README.md", ".../hints.md"; an exam has no
// hints, which is told by an empty name.
std::string file_of(const std::string& id);
std::string readme_of(const std::string& id);
std::string hints_of(const std::string& id);

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_THE_COURSE_H_
