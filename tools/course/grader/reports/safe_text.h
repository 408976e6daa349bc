// File: safe_text.h
//
// Names and outputs come from students, and may be written to do something where they are shown: to
// a terminal, a spreadsheet, an XML reader. (For HTML: trainer/report/html.h.)

#ifndef ANDREA_TOOLS_COURSE_GRADER_REPORTS_SAFE_TEXT_H_
#define ANDREA_TOOLS_COURSE_GRADER_REPORTS_SAFE_TEXT_H_

#include <string>
#include <string_view>

namespace andrea::grader {

// Valid UTF-8: what is none becomes U+FFFD.
std::string utf8(std::string_view text);

// Of one line, without control characters: what moves the cursor, or is another line.
std::string terminal_text(std::string_view text);

// A field of a CSV file, quoted. One that a spreadsheet would take for a formula has an apostrophe
// in front.
std::string csv_field(std::string_view text);

// Text of an element or an attribute; control characters, which XML 1.0 does not have, become "?".
std::string xml_text(std::string_view text);

// How many columns it takes in a terminal, each character counting as one.
std::size_t columns_of(std::string_view utf8);

}  // namespace andrea::grader

#endif  // ANDREA_TOOLS_COURSE_GRADER_REPORTS_SAFE_TEXT_H_
