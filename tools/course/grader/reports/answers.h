// File: answers.h
//
// The answers in words (answers.md), which no machine grades: questions, answers and the
// instructor's rubric, to be shown side by side.

#ifndef ANDREA_TOOLS_COURSE_GRADER_REPORTS_ANSWERS_H_
#define ANDREA_TOOLS_COURSE_GRADER_REPORTS_ANSWERS_H_

#include <string>
#include <vector>

namespace andrea::grader {

// The questions of the stub, in its order: what stands before each "_Your answer:_".
std::vector<std::string> questions_in(const std::string& stub);

// As many answers; empty where there is none. What the stub has is no answer.
std::vector<std::string> answers_in(const std::string& text, const std::string& stub);

// The section "Rubric ..." of a lesson's NOTES.md, without its heading.
std::string rubric_in(const std::string& notes);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_REPORTS_ANSWERS_H_
