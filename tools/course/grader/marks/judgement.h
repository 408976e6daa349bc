// File: judgement.h
//
// What a judge wrote: GoogleTest's report in JSON, whose tests have the property `exercise` and,
// where a mistake was recognised, `mistake`.

#ifndef ANDREA_TOOLS_COURSE_GRADER_MARKS_JUDGEMENT_H_
#define ANDREA_TOOLS_COURSE_GRADER_MARKS_JUDGEMENT_H_

#include <map>
#include <string>

#include "tools/course/grader/marks/marks.h"

namespace andrea::grader {

// By exercise. Of several tests of one exercise all must pass. A test that was skipped or did not
// run counts as not graded. Throws Error for what is no such report.
std::map<std::string, Mark> read_judgement(const std::string& json);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_MARKS_JUDGEMENT_H_
