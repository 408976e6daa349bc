// File: write_reports.h
//
// All that `./andrea grade` leaves behind in its report folder:
//
//   index.html                        the class on one page
//   grades.csv
//   submissions/ID/results.json       Gradescope's
//   submissions/ID/junit.xml
//   submissions/ID/classroom.txt      GitHub Classroom's notices

#ifndef ANDREA_TOOLS_COURSE_GRADER_REPORTS_WRITE_REPORTS_H_
#define ANDREA_TOOLS_COURSE_GRADER_REPORTS_WRITE_REPORTS_H_

#include <filesystem>

#include "tools/course/grader/marks/marks.h"

namespace andrea::grader {

// Each file is there whole or as it was before. `root`: the instructor's tree. `with_likeness`:
// what takes its time where there are many.
void write_reports(const std::filesystem::path& folder, const std::filesystem::path& root,
                   const Class& whole, bool with_likeness);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_REPORTS_WRITE_REPORTS_H_
