// File: sections.h
//
// The sections of the page, each as HTML; empty where there is nothing to tell.

#ifndef ANDREA_TOOLS_COURSE_GRADER_REPORTS_SECTIONS_H_
#define ANDREA_TOOLS_COURSE_GRADER_REPORTS_SECTIONS_H_

#include <string>

#include "tools/course/grader/reports/page.h"

namespace andrea::grader {

// The class in figures, and what the reader must know of how it was graded.
std::string summary_section(const Class& whole, const PageParts& parts);
// A table a lesson: a row a student, a column an exercise.
std::string marks_section(const Class& whole, const PageParts& parts);
// How many have each exercise, and the mistakes of those who have not, the commonest first.
std::string mistakes_section(const Class& whole, const PageParts& parts);
// Each student with what the tests and the compiler said.
std::string students_section(const Class& whole, const PageParts& parts);
std::string answers_section(const Class& whole, const PageParts& parts);
std::string likeness_section(const Class& whole, const PageParts& parts);

// For several sections: text from outside, made harmless; where a student's part of the page is.
std::string shown(const std::string& text);
std::string anchor_of(const Student& student);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_REPORTS_SECTIONS_H_
