// File: frame.h
//
// GoogleTest puts three lines in front of what EXPECT_TRUE(exercise(...)) says, and a bracket
// behind.

#ifndef ANDREA_TESTS_HARNESS_EXERCISE_FRAME_H_
#define ANDREA_TESTS_HARNESS_EXERCISE_FRAME_H_

#include <string>

namespace andrea {

// The text without its first and last line, which frame it.
inline std::string without_frame(const std::string& text) {
  const std::string frame = "  Actual: false (";
  const std::size_t at = text.find(frame);
  if (at == std::string::npos) return text;
  const std::size_t start = at + frame.size();
  return text.substr(start, text.rfind(')') - start);
}

}  // namespace andrea

#endif  // ANDREA_TESTS_HARNESS_EXERCISE_FRAME_H_
