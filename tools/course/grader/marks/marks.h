// File: marks.h
//
// What each student gets for each exercise. Points come from course.json, and from nowhere else: a
// judge says "right" or "wrong", and what nobody has said anything about is worth nothing.

#ifndef ANDREA_TOOLS_COURSE_GRADER_MARKS_MARKS_H_
#define ANDREA_TOOLS_COURSE_GRADER_MARKS_MARKS_H_

#include <map>
#include <string>
#include <vector>

#include "tools/course/course.h"

namespace andrea::grader {

enum class Outcome {
  passed,
  failed,
  not_compiled,
  refused,     // it does what no exercise needs (tools/course/judge/look_main.cc)
  missing,     // the file was not handed in
  not_graded,  // the grader's own trouble, or it has not come so far; not the student's
};

struct Mark {
  Outcome outcome = Outcome::not_graded;
  std::string
      mistake;       // "no_offset" of "00.1.no_offset" in the catalogue, "report", "unsolved", ...
  std::string told;  // what the test says
};

// What came of one file: a judge's marks, or the words of the compiler or of the trouble.
struct FileResult {
  Outcome outcome = Outcome::not_graded;  // `passed` where it was judged
  std::string words;
  std::map<std::string, Mark> marks;  // by exercise
};

struct Student {
  std::string name, id;
  std::vector<std::string> remarks;           // about the submission
  std::map<std::string, std::string> files;   // "lessons/00_first_kernel/kernel.cu": its text
  std::map<std::string, FileResult> results;  // by the same paths
};

struct Class {
  std::vector<course::Lesson> lessons;  // that are graded
  std::vector<Student> students;
  std::vector<std::string> left_out;  // what lay beside the submissions
  bool confined = true;
  std::string past;  // folder of earlier submissions, or empty
};

// Whether one of these files, "lessons/00_first_kernel/kernel.cu" and its text, is the lesson's.
bool any_of_lesson(const std::map<std::string, std::string>& files, const course::Lesson& lesson);

// Of an exercise of this lesson.
Mark mark_of(const Student& student, const course::Lesson& lesson,
             const course::Exercise& exercise);

int points_of(const Student& student, const course::Lesson& lesson);
int points_of(const Student& student, const std::vector<course::Lesson>& lessons);
int points_in(const course::Lesson& lesson);
int points_in(const std::vector<course::Lesson>& lessons);

// "right", "wrong", "does not compile", "was refused", "not handed in", "not graded"
const char* word_for(Outcome outcome);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_MARKS_MARKS_H_
