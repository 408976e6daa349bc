// File: course.h
//
// The course as data: lessons/course.json, which the tests, the runner, the grader and the site
// read. An exam (exam/x03_.../exam.json) is a lesson of its own that comes behind the lesson whose
// number it has.

#ifndef ANDREA_TOOLS_COURSE_COURSE_H_
#define ANDREA_TOOLS_COURSE_COURSE_H_

#include <string>
#include <vector>

namespace andrea::course {

struct Exercise {
  // "02.1", of a worksheet "02.w1", of an exam "x02.1"; its test is Lesson02.Exercise1, .Question1,
  // or Exam02.Exercise1.
  std::string id;
  std::string title;  // also its heading in the lesson's README.md and hints.md
  bool core = true;   // needed by a later lesson, or said to be; else "further"
  std::string
      file;  // that the student edits: "kernel.cu", "further.cu", "worksheet.h", "answers.md"
  int minutes = 0;  // an estimate
  int points = 0;
  std::vector<std::string> introduces, needs;  // concepts
};

struct Lesson {
  std::string number;  // "02", of an exam "x02"
  std::string name;    // "dot_product_similarity"
  std::string title;   // "Dot-product similarity"
  std::vector<Exercise> exercises;

  bool is_exam() const { return number.starts_with('x'); }
  std::string folder() const { return (is_exam() ? "exam/" : "lessons/") + number + "_" + name; }
  std::string solution_folder() const {
    return (is_exam() ? "exam/solutions/" : "solutions/") + number + "_" + name;
  }
};

struct Course {
  std::vector<Lesson> lessons;

  // Throw std::out_of_range, with the id, where there is none.
  const Exercise& exercise(const std::string& id) const;
  const Lesson& lesson_of(const std::string& exercise) const;
};

// Throws std::runtime_error with what is missing or of the wrong kind, and where.
Course read_course(const std::string& json);

// Takes an exam into the course, behind its lesson. Throws as read_course does; also where the
// course has no such lesson.
void add_exam(Course& course, const std::string& json);

// Sentences about what is wrong with the course itself; empty where all is well: ids that repeat or
// do not count up, a concept that is needed before an exercise introduces it, and so on.
std::vector<std::string> faults_of(const Course& course);

}  // namespace andrea::course

#endif  // ANDREA_TOOLS_COURSE_COURSE_H_
