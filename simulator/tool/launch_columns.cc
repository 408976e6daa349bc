#include "simulator/tool/launch_columns.h"

#include <algorithm>

#include "simulator/rewriter/tokens.h"

namespace simulator {
namespace {

constexpr std::string_view kMacro = "__SIMULATOR_LAUNCH";

class LineTokens {
 public:
  explicit LineTokens(std::string_view line) : line_(line) {
    std::size_t begin = 0;
    for (const Token& token : tokenize(line)) {
      if (token.is_significant()) tokens_.push_back({token, begin});
      begin += token.text.size();
    }
  }

  std::size_t size() const { return tokens_.size(); }
  bool is(std::size_t i, std::string_view text) const {
    return i < size() && tokens_[i].token.is(text);
  }
  bool is_word(std::size_t i) const {
    return i < size() && tokens_[i].token.kind == TokenKind::identifier;
  }
  std::size_t begin(std::size_t i) const { return i < size() ? tokens_[i].begin : line_.size(); }
  std::size_t end(std::size_t i) const {
    return i < size() ? tokens_[i].begin + tokens_[i].token.text.size() : line_.size();
  }
  // `<<<`, or `<< <` as formatters leave it.
  bool opens_launch(std::size_t i) const { return is(i, "<<<") || (is(i, "<<") && is(i + 1, "<")); }
  bool closes_launch(std::size_t i) const {
    return is(i, ">>>") || (is(i, ">>") && is(i + 1, ">"));
  }

 private:
  struct Placed {
    Token token;
    std::size_t begin;
  };
  std::string_view line_;
  std::vector<Placed> tokens_;
};

// The first token of the kernel that ends before `launch`.
std::size_t kernel_begin(const LineTokens& tokens, std::size_t launch) {
  std::size_t i = launch;
  if (i > 0 && (tokens.is(i - 1, ">") || tokens.is(i - 1, ">>"))) {
    int depth = 0;
    do {
      --i;
      depth += tokens.is(i, ">>") ? 2 : tokens.is(i, ">") ? 1 : tokens.is(i, "<") ? -1 : 0;
    } while (i > 0 && depth > 0);
  }
  while (i > 0 && (tokens.is_word(i - 1) || tokens.is(i - 1, "::") || tokens.is(i - 1, ".") ||
                   tokens.is(i - 1, "->"))) {
    // Two words in a row are no name: `else scale<<<`
    if (tokens.is_word(i - 1) && tokens.is_word(i)) break;
    --i;
  }
  return i;
}

LaunchSpans read_launch(const LineTokens& tokens, std::size_t launch) {
  LaunchSpans result;
  std::size_t i = launch;
  while (i < tokens.size() && !tokens.closes_launch(i)) ++i;
  if (tokens.is(i, ">>")) ++i;
  result.head = {tokens.begin(kernel_begin(tokens, launch)), tokens.end(i)};
  result.end = tokens.end(tokens.size());
  if (!tokens.is(++i, "(")) return result;
  int depth = 0;
  std::size_t first = i + 1;  // Of the argument.
  for (; i < tokens.size(); ++i) {
    if (tokens.is(i, "(") || tokens.is(i, "[") || tokens.is(i, "{")) ++depth;
    if (tokens.is(i, ")") || tokens.is(i, "]") || tokens.is(i, "}")) --depth;
    if (depth == 0 || (depth == 1 && tokens.is(i, ","))) {
      if (i > first) result.arguments.push_back({tokens.begin(first), tokens.end(i - 1)});
      first = i + 1;
    }
    if (depth == 0) {
      result.end = tokens.end(i);
      break;
    }
  }
  return result;
}

}  // namespace

std::vector<LaunchSpans> find_launches(std::string_view line) {
  const LineTokens tokens(line);
  std::vector<LaunchSpans> launches;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.opens_launch(i)) launches.push_back(read_launch(tokens, i));
  }
  return launches;
}

Place place_in_source(std::string_view source_line, std::string_view compiled_line, int column) {
  const std::size_t at = column > 0 ? static_cast<std::size_t>(column) - 1 : 0;
  const std::vector<LaunchSpans> launches = find_launches(source_line);
  std::size_t macro = compiled_line.find(kMacro);
  for (std::size_t i = 0; i < launches.size() && macro != std::string_view::npos; ++i) {
    if (at == macro) return {launches[i].head, static_cast<int>(i)};
    if (at == macro + kMacro.size()) return {{launches[i].end, launches[i].end + 1}, -1};
    macro = compiled_line.find(kMacro, macro + 1);
  }
  // Behind the last launch both lines are the same again.
  std::size_t common = 0;
  const std::size_t shorter = std::min(source_line.size(), compiled_line.size());
  while (common < shorter && source_line[source_line.size() - 1 - common] ==
                                 compiled_line[compiled_line.size() - 1 - common]) {
    ++common;
  }
  std::size_t place = at;
  if (at + common >= compiled_line.size()) place = at + source_line.size() - compiled_line.size();
  place = std::min(place, source_line.size());
  return {{place, place + 1}, -1};
}

Span find_word(std::string_view line, std::string_view word, std::size_t from) {
  const LineTokens tokens(line);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.begin(i) >= from && tokens.is(i, word)) return {tokens.begin(i), tokens.end(i)};
  }
  return {};
}

}  // namespace simulator
