// File: table.h
//
// The class on a terminal, and as CSV.

#ifndef ANDREA_TOOLS_COURSE_GRADER_REPORTS_TABLE_H_
#define ANDREA_TOOLS_COURSE_GRADER_REPORTS_TABLE_H_

#include <string>

#include "tools/course/grader/marks/marks.h"

namespace andrea::grader {

// A line a student: points of each lesson and in all, and what is to be looked at.
std::string terminal_table(const Class& whole);

// A line a student: points of each lesson, in all, of each exercise, the named mistakes, remarks.
std::string csv_table(const Class& whole);

// "does not compile: 00/kernel.cu; not handed in: 00/further.cu; ..."; empty where all is well.
std::string remarks_of(const Student& student, const std::vector<course::Lesson>& lessons);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_REPORTS_TABLE_H_
