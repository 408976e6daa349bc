#include "tests/mutants/equivalents.h"

#include <sstream>
#include <stdexcept>

namespace andrea::mutants {

std::vector<Equivalent> read_equivalents(const std::string& text, const std::string& file) {
  std::vector<Equivalent> all;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t space = line.find(' '), mark = line.rfind(" # ");
    if (mark == std::string::npos || space >= mark) {
      throw std::runtime_error(file + ":" + std::to_string(number) +
                               ": a line is 'exercise mutant # reason'.");
    }
    std::string name = line.substr(space + 1, mark - space - 1);
    name.erase(name.find_last_not_of(' ') + 1);
    all.push_back({line.substr(0, space), name, line.substr(mark + 3)});
  }
  return all;
}

}  // namespace andrea::mutants
