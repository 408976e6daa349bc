// File: lines.h
//
// A text, line by line.

#ifndef ANDREA_TRAINER_BASE_LINES_H_
#define ANDREA_TRAINER_BASE_LINES_H_

#include <sstream>
#include <string>
#include <vector>

namespace andrea {

// Without the line ends. What follows the last line end is a line if there is anything.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace andrea

#endif  // ANDREA_TRAINER_BASE_LINES_H_
