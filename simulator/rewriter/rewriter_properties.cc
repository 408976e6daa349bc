#include "simulator/rewriter/rewriter_properties.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "simulator/rewriter/lint.h"
#include "simulator/rewriter/rewriter.h"
#include "simulator/rewriter/tokens.h"

namespace simulator {
namespace {

constexpr std::string_view kLine = "#line 1 \"a.cu\"\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string without_line(const std::string& text) {
  const std::size_t mark = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  if (text.substr(mark, kLine.size()) != kLine) return "";
  return text.substr(0, mark) + text.substr(mark + kLine.size());
}

std::ptrdiff_t lines_of(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

// As the tokens have it.
int lines_for_a_compiler(std::string_view text) {
  int lines = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] == '\n' || (text[i] == '\r' && !is_pair)) ++lines;
  }
  return lines;
}

bool are_in_order(const std::vector<Finding>& findings, int lines) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].line < 1 || findings[i].line > lines || findings[i].column < 1) return false;
    if (i > 0 && findings[i].line < findings[i - 1].line) return false;
  }
  return true;
}

}  // namespace

std::string broken_property(std::string_view source) {
  std::size_t offset = 0;
  int line = 1;
  bool may_change = false;
  bool has_shift = false;  // the two pieces of a launch may stand on both sides of a directive
  for (const Token& token : tokenize(source)) {
    if (token.text.empty() || token.text.data() != source.data() + offset) {
      return "the tokens are the text";
    }
    if (token.line < line || token.column < 1) return "tokens stand where they say";
    line = token.line;
    offset += token.text.size();
    if (!token.is_significant()) continue;
    may_change |= token.is("<<<") || token.is("__shared__") || token.is("__noinline__") ||
                  (has_shift && token.is("<"));
    has_shift |= token.is("<<");
  }
  if (offset != source.size()) return "the tokens are the text";

  const Rewritten once = rewrite(source, "a.cu");
  const std::string body = without_line(once.text);
  if (lines_of(once.text) != lines_of(source) + 1) return "there is one line more";
  if (once.is_changed != (body != source)) return "the change is told";
  if (once.is_changed && !may_change) return "text without launches is unchanged";
  const int lines = lines_for_a_compiler(source);
  if (!are_in_order(once.findings, lines)) return "findings stand in order";
  if (once.findings.empty() && without_line(rewrite(body, "a.cu").text) != body) {
    return "rewriting again changes nothing";
  }
  if (!are_in_order(lint(source), lines)) return "the lint's findings stand in order";
  return "";
}

}  // namespace simulator
