#include "tools/course/grader/likeness/own_tokens.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <string_view>

#include "simulator/rewriter/tokens.h"

namespace andrea::grader {
namespace {

using simulator::Token;
using simulator::TokenKind;

// A file of so many lines is compared with the stub by its lines as a set, which is cheap.
constexpr std::size_t kMostLines = 4000;

// What gives a program its form, however its things are called.
constexpr std::array<std::string_view, 33> kKeywords = {
    "auto", "bool",     "break",    "case",  "char",   "class",  "const",  "continue", "default",
    "do",   "double",   "else",     "enum",  "false",  "float",  "for",    "goto",     "if",
    "int",  "long",     "return",   "short", "sizeof", "static", "struct", "switch",   "template",
    "true", "typename", "unsigned", "using", "void",   "while"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    const std::size_t last = line.find_last_not_of(" \t\r");
    lines.push_back(first == std::string::npos ? "" : line.substr(first, last - first + 1));
  }
  return lines;
}

// For each line of `text`, whether the stub has it too, in the same order.
std::vector<bool> in_stub(const std::vector<std::string>& text,
                          const std::vector<std::string>& stub) {
  std::vector<bool> common(text.size());
  if (text.size() > kMostLines || stub.size() > kMostLines) {
    std::vector<std::string> sorted = stub;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < text.size(); ++i) {
      common[i] = std::binary_search(sorted.begin(), sorted.end(), text[i]);
    }
    return common;
  }
  // length[i][j]: of the longest common subsequence of the lines from i and from j on.
  const std::size_t columns = stub.size() + 1;
  std::vector<std::uint16_t> length((text.size() + 1) * columns);
  for (std::size_t i = text.size(); i-- > 0;) {
    for (std::size_t j = stub.size(); j-- > 0;) {
      length[i * columns + j] =
          text[i] == stub[j] ? static_cast<std::uint16_t>(length[(i + 1) * columns + j + 1] + 1)
                             : std::max(length[(i + 1) * columns + j], length[i * columns + j + 1]);
    }
  }
  for (std::size_t i = 0, j = 0; i < text.size() && j < stub.size();) {
    if (text[i] == stub[j]) {
      common[i++] = true;
      ++j;
    } else if (length[(i + 1) * columns + j] >= length[i * columns + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return common;
}

std::string kind_of(const Token& token) {
  switch (token.kind) {
    case TokenKind::identifier:
      return std::binary_search(kKeywords.begin(), kKeywords.end(), token.text)
                 ? std::string(token.text)
                 : "n";
    case TokenKind::number:
      return "0";
    case TokenKind::string:
    case TokenKind::character:
    case TokenKind::header_name:
      return "s";
    default:
      return std::string(token.text);
  }
}

}  // namespace

std::vector<OwnToken> own_tokens(const std::string& text, const std::string& stub) {
  const std::vector<bool> common = in_stub(lines_of(text), lines_of(stub));
  std::vector<OwnToken> own;
  for (const Token& token : simulator::tokenize(text)) {
    if (!token.is_significant()) continue;
    const auto line = static_cast<std::size_t>(token.line - 1);
    if (line < common.size() && common[line]) {
      if (!own.empty() && own.back().kind != kGap) own.push_back({kGap, "", token.line});
    } else {
      own.push_back({kind_of(token), std::string(token.text), token.line});
    }
  }
  return own;
}

}  // namespace andrea::grader
