// File: number_text.h
//
// A number as a person reads it: with so many digits, without zeros at its end, and -0 as 0.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_NUMBER_TEXT_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_NUMBER_TEXT_H_

#include <cstdio>
#include <string>

namespace andrea {

inline std::string number_text(double number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, number + 0.0);  // -0 + 0 is 0
  return text;
}

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_NUMBER_TEXT_H_
