#include "tools/course/grader/marks/compiler_words.h"

#include <sstream>

namespace andrea::grader {
namespace {

constexpr int kMostLines = 30;
constexpr std::size_t kWidestLine = 200;

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// "graded/ada/lessons/x" to "lessons/x", wherever it stands.
std::string without_folders(std::string line) {
  for (std::size_t at; (at = line.find("graded/")) != std::string::npos;) {
    const std::size_t lessons = line.find("/lessons/", at);
    if (lessons == std::string::npos) break;
    line.erase(at, lessons + 1 - at);
  }
  return line;
}

}  // namespace

std::string plain_compiler_words(const std::string& words) {
  std::istringstream stream(without_colours(words));
  std::string plain;
  int lines = 0;
  for (std::string line; std::getline(stream, line);) {
    if (++lines > kMostLines) return plain + "... and more.\n";
    line = without_folders(line);
    if (line.size() > kWidestLine) line = line.substr(0, kWidestLine) + " ...";
    plain += line + "\n";
  }
  return plain;
}

}  // namespace andrea::grader
