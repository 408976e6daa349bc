// File: wrapped.h
//
// Prose as a terminal shows it well: no line longer than 100 columns, broken between words. A line
// that begins with a space is part of a picture, a table or a source text, and stays as it is. In
// the course runner all of it stays: that knows how wide the terminal is.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_WRAPPED_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_WRAPPED_H_

#include <algorithm>
#include <cstddef>
#include <string>

#include "tests/harness/exercise/course_runner.h"
#include "trainer/base/terminal.h"

namespace andrea {

inline std::string wrapped(const std::string& text) {
  constexpr int kColumns = 100;
  if (in_course_runner()) return text;
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string line = text.substr(begin, end - begin);
    result += line.front() == ' ' ? line : wrapped(line, kColumns, /*indent=*/0);
    begin = end;
  }
  return result;
}

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_WRAPPED_H_
