#include "tools/course/judge/spelling_look.h"

#include <algorithm>
#include <set>

namespace andrea::judge {
namespace {

using simulator::Token;
using simulator::TokenKind;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_line_end(char c) { return c == '\n' || c == '\r'; }

bool spans_lines(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_line_end);
}

std::string without_splices(std::string_view text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = simulator::continuation_length(text, i);
    if (length == 0) kept += text[i];
    i += length == 0 ? 1 : length;
  }
  return kept;
}

// Next to these a word or an operator ends.
bool stands_alone(std::string_view text, std::size_t at) {
  return text.empty() || is_blank(text[at]) || is_line_end(text[at]) ||
         std::string_view(";,(){}").find(text[at]) != std::string_view::npos;
}

bool joins_words(const std::vector<Token>& tokens, std::size_t i) {
  const std::string_view before = i > 0 ? tokens[i - 1].text : "";
  const std::string_view behind = i + 1 < tokens.size() ? tokens[i + 1].text : "";
  return spans_lines(tokens[i].text) && without_splices(tokens[i].text).empty() &&
         !stands_alone(before, before.size() - 1) && !stands_alone(behind, 0);
}

// Of a text or character: "has ...", or nothing.
std::string odd_text(const Token& token, char quote) {
  static const std::set<std::string_view> kPrefixes = {"R", "LR", "uR", "UR", "u8R",
                                                       "L", "u",  "U",  "u8"};
  const std::string_view text = token.text;
  const std::string_view prefix = text.substr(0, text.find(quote));
  const std::string_view suffix = text.substr(text.rfind(quote) + 1);
  // Of two backslashes at the end of a line the compiler takes the second for the line's.
  const std::size_t last = text.find_last_not_of(" \t\v\f");
  if (spans_lines(text) || (!token.terminated && text[last] == '\\')) {
    return prefix.ends_with('R') ? "has a raw string of several lines"
                                 : "has a text that goes on in the next line";
  }
  // Where there is a macro of that name, the compiler takes it for the start of another text.
  if (kPrefixes.count(suffix) > 0) return "has a text that ends with " + std::string(suffix);
  return "";
}

std::string odd_comment(const Token& comment, std::string_view directive) {
  if (comment.text.starts_with("//")) return "";
  for (std::size_t i = 2; i + 1 < comment.text.size(); ++i) {
    std::size_t next = i + 1;
    while (comment.text[i] == '*' && next < comment.text.size()) {
      const std::size_t length = simulator::continuation_length(comment.text, next);
      if (length == 0) break;
      next += length;
    }
    if (next > i + 1 && next < comment.text.size() && comment.text[next] == '/') {
      return "has a comment whose end is cut in two";
    }
  }
  // The compiler may take what begins it for the name of a header: __has_include(<a/*b>).
  if ((directive == "if" || directive == "elif") && spans_lines(comment.text)) {
    return "has a comment that begins in a line #" + std::string(directive) + " and goes on";
  }
  return "";
}

// Compilers do not take every byte beyond ASCII for a letter: R may then begin a raw string.
bool is_odd_prefix(const std::vector<Token>& tokens, std::size_t i) {
  const auto beyond_ascii = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  return tokens[i].kind == TokenKind::identifier && i + 1 < tokens.size() &&
         tokens[i + 1].kind == TokenKind::string &&
         std::any_of(tokens[i].text.begin(), tokens[i].text.end(), beyond_ascii);
}

bool is_behind(const std::vector<Token>& tokens, std::size_t i, std::size_t j) {
  return j < tokens.size() &&
         tokens[j].text.data() == tokens[i].text.data() + tokens[i].text.size();
}

}  // namespace

std::vector<OddSpelling> odd_spellings(const std::vector<Token>& tokens) {
  std::vector<OddSpelling> found;
  int directive = 0;
  std::string_view word;  // of the directive
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.directive != directive) word = "";
    directive = token.directive;
    if (directive != 0 && word.empty() && token.kind == TokenKind::identifier) word = token.text;
    std::string what;
    if (token.kind == TokenKind::string) {
      what = odd_text(token, '"');
    } else if (token.kind == TokenKind::character) {
      what = odd_text(token, '\'');
    } else if (token.kind == TokenKind::comment) {
      what = odd_comment(token, word);
    } else if (token.kind == TokenKind::whitespace && joins_words(tokens, i)) {
      what = "has a word that goes on in the next line";
    } else if (is_odd_prefix(tokens, i)) {
      what = "has a text with the prefix '" + std::string(token.text) + "'";
    }
    if (!what.empty()) found.push_back({token.line, what});
  }
  return found;
}

bool is_digraph(const std::vector<Token>& tokens, std::size_t i) {
  if (tokens[i].kind != TokenKind::punctuation || !tokens[i].text.starts_with('<') ||
      !is_behind(tokens, i, i + 1))
    return false;
  const Token& next = tokens[i + 1];
  if (next.is(":") || next.text.starts_with('%')) return true;
  // <:: is < and :: but where : or > follows.
  return next.is("::") && is_behind(tokens, i + 1, i + 2) &&
         (tokens[i + 2].text.starts_with(':') || tokens[i + 2].text.starts_with('>'));
}

}  // namespace andrea::judge
