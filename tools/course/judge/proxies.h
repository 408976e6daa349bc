// File: proxies.h
//
// The text of the two sides of a call, made from the declarations of headers.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_PROXIES_H_
#define ANDREA_TOOLS_COURSE_JUDGE_PROXIES_H_

#include <set>
#include <string>
#include <vector>

namespace andrea::judge {

struct Header {
  std::string path;  // as it is included
  std::string text;
};

// All of these throw std::runtime_error for a header that is not understood.

// The judge's side: each function that the headers declare, defined as a proxy. `includes`: further
// headers that know how a type crosses. `without`: full names of functions that the judge does not
// call; one that no header declares is an error.
std::string proxies_of(const std::vector<Header>& headers, const std::vector<std::string>& includes,
                       const std::set<std::string>& without);
// The student's side: the table of dispatch.h.
std::string dispatch_of(const std::vector<Header>& headers,
                        const std::vector<std::string>& includes,
                        const std::set<std::string>& without);

// The full name of each function that the headers declare, one a line: what students' objects
// offer.
std::string names_of(const std::vector<Header>& headers);

// A worksheet's two sides. `solution`: the completed worksheet.h, whose marked regions
// (tools/course/stub.h) are what the student's program is asked for. All else is given, and stays
// as it stands, so that the numbers drawn from a name are the judge's own. A constant becomes a
// function and a macro of its name.
std::string worksheet_proxies_of(const Header& solution);
std::string worksheet_dispatch_of(const Header& solution, const std::string& students_header);

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_PROXIES_H_
