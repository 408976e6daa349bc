// File: doc_text.h
//
// The text of an ordinary comment as Doxygen takes it.

#ifndef ANDREA_TOOLS_SITE_DOC_TEXT_H_
#define ANDREA_TOOLS_SITE_DOC_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

namespace andrea::site {

// A line of prose in which no character means a command. What stands in backticks or in quotes
// stays as it is; other words that only code has (`saved_bytes`, `std::string`) are put in
// backticks.
std::string prose(std::string_view line);

// The lines of a comment, of which each is what followed `//`: as many lines, of which indented
// ones (a formula, an example) are kept as they stand.
std::vector<std::string> doc_lines(const std::vector<std::string>& comment);

// The same in one line, down to the first empty line or example.
std::string first_paragraph(const std::vector<std::string>& comment);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_DOC_TEXT_H_
