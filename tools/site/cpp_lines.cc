#include "tools/site/cpp_lines.h"

#include <cctype>
#include <utility>

#include "simulator/rewriter/tokens.h"

namespace andrea::site {
namespace {

using simulator::Token;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool begins_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !is_word(text[word.size()]));
}

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Cuts a balanced `<...>` or `(...)` off the front.
void cut_brackets(std::string_view& text, char open, char close) {
  if (text.empty() || text.front() != open) return;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) {
      text = without_spaces(text.substr(i + 1));
      return;
    }
  }
}

enum class Scope { names, enumeration, body };

// What a brace opens, by the text since the last declaration ended.
Scope scope_of(std::string_view statement) {
  statement = without_spaces(statement);
  while (begins_with_word(statement, "template")) {
    statement = without_spaces(statement.substr(8));
    cut_brackets(statement, '<', '>');
  }
  for (const char* word : {"inline", "typedef", "static", "const"}) {
    if (begins_with_word(statement, word)) {
      statement = without_spaces(statement.substr(std::string_view(word).size()));
    }
  }
  if (begins_with_word(statement, "namespace") || statement.starts_with("extern \"")) {
    return Scope::names;
  }
  if (begins_with_word(statement, "enum")) return Scope::enumeration;
  for (const std::string_view word : {"class", "struct", "union"}) {
    if (!begins_with_word(statement, word)) continue;
    statement = without_spaces(statement.substr(word.size()));
    for (const std::string_view aligned : {"alignas", "__align__"}) {
      if (!begins_with_word(statement, aligned)) continue;
      statement = without_spaces(statement.substr(aligned.size()));
      cut_brackets(statement, '(', ')');
    }
    return statement.find('(') == std::string_view::npos ? Scope::names : Scope::body;
  }
  return Scope::body;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<CppLine> lines() {
    const std::vector<Token> tokens = simulator::tokenize(text_);
    for (const Token& token : tokens) read(token);
    if (begin_ < text_.size()) end_line(text_.size(), tokens.back());
    return std::move(lines_);
  }

 private:
  void read(const Token& token) {
    const auto begin = static_cast<std::size_t>(token.text.data() - text_.data());
    if (token.text.starts_with("//")) {
      line_.has_comment = true;
      line_.column = begin - begin_;
      line_.comment = token.text.substr(2);
    }
    if (token.directive == 0) take(token);
    for (std::size_t i = token.text.find('\n'); i != std::string_view::npos;
         i = token.text.find('\n', i + 1)) {
      end_line(begin + i, token);
    }
  }

  // Ends the line at `end`, which is in or behind `last`.
  void end_line(std::size_t end, const Token& last) {
    const std::size_t size = line_.has_comment ? line_.column : end - begin_;
    line_.code = text_.substr(begin_, size);
    while (line_.code.ends_with(' ')) line_.code.pop_back();
    line_.preprocessor = last.directive != 0;
    line_.at_comment = place();
    lines_.push_back(std::move(line_));
    line_ = CppLine();
    line_.before = place();
    begin_ = end + 1;
  }

  void take(const Token& token) {
    if (!token.is_significant()) {
      statement_ += ' ';
    } else if (token.is("{")) {
      open();
    } else if (token.is("}")) {
      if (!scopes_.empty()) scopes_.pop_back();
      statement_.clear();
    } else if (ends_statement(token)) {
      statement_.clear();
    } else {
      if (token.is("(") || token.is("[")) ++parentheses_;
      if (token.is(")") || token.is("]")) --parentheses_;
      statement_ += token.text;
    }
  }

  bool ends_statement(const Token& token) const {
    if (token.is(":")) {
      const std::string_view label = without_spaces(statement_);
      return label == "public" || label == "private" || label == "protected";
    }
    return parentheses_ == 0 &&
           (token.is(";") || (token.is(",") && innermost() == Scope::enumeration));
  }

  void open() {
    const bool can = parentheses_ == 0 && declares() && innermost() != Scope::enumeration;
    scopes_.push_back(can ? scope_of(statement_) : Scope::body);
    statement_.clear();
  }

  Scope innermost() const { return scopes_.empty() ? Scope::names : scopes_.back(); }

  bool declares() const {
    for (const Scope scope : scopes_) {
      if (scope == Scope::body) return false;
    }
    return true;
  }

  Place place() const {
    return {declares(), innermost() == Scope::enumeration, without_spaces(statement_).empty(),
            parentheses_, scopes_.size()};
  }

  std::string_view text_;
  std::vector<CppLine> lines_;
  CppLine line_;           // the one that is being read
  std::size_t begin_ = 0;  // of that line
  int parentheses_ = 0;
  std::vector<Scope> scopes_;
  std::string statement_;  // what stands there of a declaration
};

}  // namespace

std::vector<CppLine> lines_of(std::string_view text) { return Reader(text).lines(); }

}  // namespace andrea::site
