// File: wrapped.h
//
// Prose as a terminal shows it well: no line longer than 100 columns, broken between words. A line
// that begins with a space is part of a picture, a table or a source text, and stays as it is.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_WRAPPED_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_WRAPPED_H_

#include <algorithm>
#include <string>

namespace andrea {

inline constexpr std::size_t kColumns = 100;

inline std::string wrapped(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::size_t length = end - begin;
    if (length > kColumns && text[begin] != ' ') {
      std::size_t space = text.rfind(' ', begin + kColumns);
      if (space == std::string::npos || space < begin) space = text.find(' ', begin);
      length = std::min(space, end) - begin;
    }
    result.append(text, begin, length);
    begin += length;
    if (begin < text.size()) result += '\n', ++begin;  // a space or a line's end goes
  }
  return result;
}

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_WRAPPED_H_
