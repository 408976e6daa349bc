#include "simulator/check/source_text.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "simulator/runtime/terminal_text.h"

namespace simulator {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_space(char c) { return c == ' ' || c == '\t'; }

// Where the bracket or parenthesis opens that closes at `close`; npos where it does not.
std::size_t opening(const std::string& text, std::size_t close) {
  int depth = 0;
  for (std::size_t at = close + 1; at-- > 0;) {
    if (text[at] == ']' || text[at] == ')') ++depth;
    if ((text[at] == '[' || text[at] == '(') && --depth == 0) return at;
  }
  return std::string::npos;
}

// Where the primary expression begins that ends before `end`: names, members, elements, calls.
std::size_t expression_start(const std::string& text, std::size_t end) {
  std::size_t at = end;
  for (;;) {
    while (at > 0 && is_space(text[at - 1])) --at;
    if (at == 0) return at;
    if (text[at - 1] == ']' || text[at - 1] == ')') {
      const std::size_t open = opening(text, at - 1);
      if (open == std::string::npos) return end;
      at = open;
      // `(*p).x` ends here, `f(x).y` and `a[i].x` go on with the name before.
      if (text[open] == '(' && (at == 0 || !in_name(text[at - 1]))) return at;
      continue;
    }
    if (!in_name(text[at - 1])) return at;
    while (at > 0 && in_name(text[at - 1])) --at;
    const std::string_view before = std::string_view(text).substr(0, at);
    if (before.ends_with("->") || before.ends_with("::")) {
      at -= 2;
    } else if (before.ends_with('.')) {
      at -= 1;
    } else {
      return at;
    }
  }
}

}  // namespace

std::string source_text(const char* file, int line) {
  if (file == nullptr) return "";
  const std::vector<std::string> found = lines_of_file(file, line, line);
  return found.empty() ? "" : found.front();
}

std::string allocated_name(const std::string& text) {
  const std::size_t call = std::min(text.find("Malloc"), text.find("cudaHostAlloc"));
  if (call == std::string::npos) return "";
  std::size_t at = text.find('&', call);
  if (at == std::string::npos) return "";
  const std::size_t begin = ++at;
  while (at < text.size() && (in_name(text[at]) ||
                              std::string_view(".->[]").find(text[at]) != std::string_view::npos)) {
    ++at;
  }
  return text.substr(begin, at - begin);
}

std::string indexed_name(const std::string& text, unsigned column) {
  if (column == 0 || column > text.size() || text[column - 1] != ']') return "";
  std::size_t end = opening(text, column - 1);
  if (end == std::string::npos) return "";
  while (end > 0 && is_space(text[end - 1])) --end;
  const std::size_t begin = expression_start(text, end);
  return text.substr(begin, end - begin);
}

}  // namespace simulator
