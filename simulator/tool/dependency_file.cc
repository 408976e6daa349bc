#include "simulator/tool/dependency_file.h"

#include <cstddef>

namespace simulator {

std::vector<std::string> paths_of_dependency_file(std::string_view text) {
  std::vector<std::string> paths;
  std::string path;
  bool is_behind_colon = false;
  const auto end_path = [&] {
    if (is_behind_colon && !path.empty()) paths.push_back(path);
    if (path.ends_with(':')) is_behind_colon = true;
    path.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\\' && (next == ' ' || next == '#' || next == ':')) {
      path += text[++i];
    } else if (c == '$' && next == '$') {
      path += text[++i];
    } else if (c == '\\' && next == '\n') {
      end_path();
      ++i;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      end_path();
      if (c == '\n') is_behind_colon = false;
    } else {
      path += c;
    }
  }
  end_path();
  return paths;
}

}  // namespace simulator
