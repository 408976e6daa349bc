// File: catalogue.h
//
// The sentences of the named mistakes, from the lessons' messages.json.

#ifndef ANDREA_TOOLS_COURSE_GRADER_REPORTS_CATALOGUE_H_
#define ANDREA_TOOLS_COURSE_GRADER_REPORTS_CATALOGUE_H_

#include <map>
#include <string>

namespace andrea::grader {

class Catalogue {
 public:
  // Adds the texts of one messages.json. Throws Error for what is none.
  void add(const std::string& json);

  // "the offset is not added." for "00.1" and "no_offset"; numbers that a test puts in are "N". A
  // name that no lesson has, as "report", has a sentence of its own here, or is told as it stands.
  std::string sentence(const std::string& exercise, const std::string& mistake) const;

 private:
  std::map<std::string, std::string> texts_;  // "00.1.no_offset"
};

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_REPORTS_CATALOGUE_H_
