#include "tools/site/cpp_lines.h"

#include <cctype>

namespace andrea::site {
namespace {

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

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<CppLine> lines() {
    std::vector<CppLine> result;
    while (at_ < text_.size()) result.push_back(line());
    return result;
  }

 private:
  CppLine line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view all = text_.substr(at_, end - at_);
    at_ = end + 1;
    CppLine line;
    line.before = place();
    const std::size_t first = all.find_first_not_of(" \t");
    line.preprocessor = in_directive_ || (!in_comment_ && raw_end_.empty() &&
                                          first != std::string_view::npos && all[first] == '#');
    std::size_t code_end = all.size();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (in_comment_) {
        if (all.substr(i).starts_with("*/")) {
          in_comment_ = false;
          ++i;
        }
      } else if (!raw_end_.empty()) {
        if (all.substr(i).starts_with(raw_end_)) {
          i += raw_end_.size() - 1;
          raw_end_.clear();
        }
      } else if (all.substr(i).starts_with("//")) {
        line.has_comment = true;
        line.column = i;
        line.comment = all.substr(i + 2);
        code_end = i;
        break;
      } else if (all.substr(i).starts_with("/*")) {
        in_comment_ = true;
        ++i;
      } else if (all[i] == '"') {
        i = string_from(all, i, line.preprocessor);
      } else if (all[i] == '\'' && (i == 0 || !is_word(all[i - 1]))) {
        i = quoted_from(all, i, '\'');
      } else if (!line.preprocessor) {
        take(all[i]);
      }
    }
    if (!line.preprocessor) take(' ');
    line.at_comment = place();
    line.code = all.substr(0, code_end);
    while (!line.code.empty() && line.code.back() == ' ') line.code.pop_back();
    in_directive_ = line.preprocessor && all.ends_with('\\');
    return line;
  }

  // The last character of a string or raw string that begins at i.
  std::size_t string_from(std::string_view all, std::size_t i, bool in_directive) {
    if (!in_directive) take('"');
    if (i > 0 && all[i - 1] == 'R') {
      const std::size_t open = all.find('(', i);
      raw_end_ = ")" + std::string(all.substr(i + 1, open - i - 1)) + "\"";
      return open;
    }
    return quoted_from(all, i, '"');
  }

  static std::size_t quoted_from(std::string_view all, std::size_t i, char quote) {
    for (++i; i < all.size() && all[i] != quote; ++i) {
      if (all[i] == '\\') ++i;
    }
    return i;
  }

  void take(char c) {
    switch (c) {
      case '(':
      case '[':
        ++parentheses_;
        break;
      case ')':
      case ']':
        --parentheses_;
        break;
      case '{':
        open();
        return;
      case '}':
        if (!scopes_.empty()) scopes_.pop_back();
        statement_.clear();
        return;
      case ';':
        if (parentheses_ == 0) {
          statement_.clear();
          return;
        }
        break;
      case ',':
        if (parentheses_ == 0 && innermost() == Scope::enumeration) {
          statement_.clear();
          return;
        }
        break;
      case ':': {
        const std::string_view label = without_spaces(statement_);
        if (label == "public" || label == "private" || label == "protected") {
          statement_.clear();
          return;
        }
        break;
      }
      default:
        break;
    }
    statement_ += c;
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
  std::size_t at_ = 0;
  bool in_comment_ = false;
  bool in_directive_ = false;
  std::string raw_end_;  // of the raw string that is open
  int parentheses_ = 0;
  std::vector<Scope> scopes_;
  std::string statement_;  // what stands there of a declaration
};

}  // namespace

std::vector<CppLine> lines_of(std::string_view text) { return Scanner(text).lines(); }

}  // namespace andrea::site
