// File: formatted.h
//
// Numbers in the text of a picture, as the labs draw them.

#ifndef ANDREA_LESSONS_FORMATTED_H_
#define ANDREA_LESSONS_FORMATTED_H_

#include <cstdio>
#include <string>

namespace andrea {

// Up to four numbers in the places of printf's %f and its like. What is longer than 199 bytes is
// cut off.
inline std::string formatted(const char* format, double a, double b = 0, double c = 0,
                             double d = 0) {
  char text[200];
  std::snprintf(text, sizeof text, format, a, b, c, d);
  return text;
}

}  // namespace andrea

#endif  // ANDREA_LESSONS_FORMATTED_H_
