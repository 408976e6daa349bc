#include "simulator/tool/message_colors.h"

#include <cstddef>

#include "simulator/tool/message_text.h"

namespace simulator {

std::string colored(std::string_view messages) {
  constexpr std::string_view kBold = "\033[1m", kPlain = "\033[0m";
  struct Kind {
    std::string_view mark, color;
  };
  constexpr Kind kKinds[] = {{"fatal error: ", "\033[1;31m"},
                             {"error: ", "\033[1;31m"},
                             {"warning: ", "\033[1;35m"},
                             {"note: ", "\033[1;36m"}};
  std::string result;
  std::string_view color = kPlain;
  for (const std::string& line : lines_of(messages)) {
    const std::size_t content = line.find_first_not_of(" |0123456789");
    const bool points = content != std::string::npos &&
                        (line[content] == '^' || line[content] == '~') &&
                        line.find_first_not_of(" |^~") == std::string::npos;
    const Kind* found = nullptr;
    std::size_t at = std::string::npos;
    for (const Kind& kind : kKinds) {
      const std::size_t here = line.find(kind.mark);
      if (line[0] == ' ' || here >= at) continue;
      at = here;
      found = &kind;
    }
    if (found != nullptr) {
      color = found->color;
      result += std::string(kBold) + line.substr(0, at) + std::string(color) +
                std::string(found->mark) + std::string(kPlain) +
                line.substr(at + found->mark.size());
    } else if (points) {
      result +=
          line.substr(0, content) + std::string(color) + line.substr(content) + std::string(kPlain);
    } else {
      result += line;
    }
    result += '\n';
  }
  return result;
}

}  // namespace simulator
