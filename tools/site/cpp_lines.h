// File: cpp_lines.h
//
// C++ sources line by line: what is code, what is a comment, and whether a comment there speaks of
// a declaration. It follows brackets, strings and comments, and understands no more of the language
// than where namespaces, classes and enumerations open.

#ifndef ANDREA_TOOLS_SITE_CPP_LINES_H_
#define ANDREA_TOOLS_SITE_CPP_LINES_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace andrea::site {

// A point between two characters of a source.
struct Place {
  bool declares = true;          // in no function's body and no initialiser
  bool in_enumeration = false;   // the innermost scope is an enumeration's
  bool statement_begins = true;  // nothing of a declaration stands before it
  int parentheses = 0;           // open ones, square brackets counted
  std::size_t depth = 0;         // open braces
};

// A line without its line end.
struct CppLine {
  std::string code;           // without the comment and the spaces before it
  std::string comment;        // what follows `//`, or nothing
  bool has_comment = false;   // a `//` that is no part of a string
  std::size_t column = 0;     // of the `//`
  bool preprocessor = false;  // a directive, or the continuation of one
  Place before;               // at the beginning of the line
  Place at_comment;           // where the comment begins, or the line ends
};

// The lines of a source.
std::vector<CppLine> lines_of(std::string_view text);

}  // namespace andrea::site

#endif  // ANDREA_TOOLS_SITE_CPP_LINES_H_
