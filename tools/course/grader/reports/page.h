// File: page.h
//
// The class on one page of HTML that needs nothing else: who, which exercise, which mistake; what
// the class finds hard; answers in words beside their rubric; what is alike.

#ifndef ANDREA_TOOLS_COURSE_GRADER_REPORTS_PAGE_H_
#define ANDREA_TOOLS_COURSE_GRADER_REPORTS_PAGE_H_

#include <map>
#include <string>
#include <vector>

#include "tools/course/grader/likeness/likeness.h"
#include "tools/course/grader/marks/marks.h"
#include "tools/course/grader/reports/catalogue.h"

namespace andrea::grader {

struct WrittenQuestions {
  std::string stub;    // answers.md as it is handed out
  std::string rubric;  // empty where there is none
};

struct LikeFiles {
  std::string path;         // "lessons/00_first_kernel/kernel.cu"
  std::vector<Work> works;  // that the pairs refer to
  std::vector<Likeness> pairs;
  std::vector<std::string> too_short;  // exercises
};

struct PageParts {
  Catalogue catalogue;
  std::map<std::string, WrittenQuestions> questions;  // by the lesson's number
  std::vector<LikeFiles> alike;
  std::string date;  // "30 November 2026, 14:05"
};

std::string class_page(const Class& whole, const PageParts& parts);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_REPORTS_PAGE_H_
