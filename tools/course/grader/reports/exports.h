// File: exports.h
//
// One student's marks, as other systems read them.

#ifndef ANDREA_TOOLS_COURSE_GRADER_REPORTS_EXPORTS_H_
#define ANDREA_TOOLS_COURSE_GRADER_REPORTS_EXPORTS_H_

#include <string>

#include "tools/course/grader/marks/marks.h"

namespace andrea::grader {

// JUnit's XML, as Jenkins' schema has it: a suite a lesson, a case an exercise. Not graded is an
// error, everything else that is not right a failure. A suite's points are its properties, a case's
// stand in what it printed, since the schema has no properties of a case.
std::string junit(const Student& student, const std::vector<course::Lesson>& lessons);

// Gradescope's results.json, as the specification of its autograders has it.
std::string gradescope(const Student& student, const std::vector<course::Lesson>& lessons);

// What GitHub Classroom reads from the log of a workflow: two notices. Numbers alone, since a text
// of a student's could hold further commands.
std::string classroom(const Student& student, const std::vector<course::Lesson>& lessons);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_REPORTS_EXPORTS_H_
