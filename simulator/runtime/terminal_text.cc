#include "simulator/runtime/terminal_text.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace simulator {

bool colours_on_standard_error() {
  const char* const no_color = std::getenv("NO_COLOR");
  return isatty(STDERR_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

std::vector<std::string> lines_of_file(const std::string& file, int from, int to) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  std::string line;
  for (int at = 1; at <= to && std::getline(in, line); ++at) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (at >= from) lines.push_back(line);
  }
  return lines;
}

std::string wrapped(const std::string& words, const std::string& indent, std::size_t width) {
  std::istringstream in(words);
  std::string all;
  std::string line;
  for (std::string word; in >> word;) {
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > width) {
      all += indent + line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? all : all + indent + line + '\n';
}

}  // namespace simulator
