#include "simulator/rewriter/tokens.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace simulator {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Longest first. `<` and `>` have rules of their own.
constexpr std::array<std::string_view, 20> kOperators = {"...", "->*", "::", "->", "##", "++", "--",
                                                         "&&",  "||",  "==", "!=", "+=", "-=", "*=",
                                                         "/=",  "%=",  "&=", "|=", "^=", ".*"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

// The bytes of a line end at `position`, or 0.
std::size_t line_end_length(std::string_view source, std::size_t position) {
  if (position >= source.size()) return 0;
  if (source[position] == '\n') return 1;
  if (source[position] != '\r') return 0;
  return position + 1 < source.size() && source[position + 1] == '\n' ? 2 : 1;
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<Token> scan() {
    if (source_.starts_with(kByteOrderMark)) {
      position_ = kByteOrderMark.size();
      emit(TokenKind::whitespace);
    }
    while (position_ < source_.size()) {
      scan_token();
    }
    return std::move(tokens_);
  }

 private:
  char at(std::size_t ahead) const {
    return position_ + ahead < source_.size() ? source_[position_ + ahead] : '\0';
  }
  bool looking_at(std::string_view text) const {
    return source_.substr(position_).starts_with(text);
  }
  std::size_t line_end_length(std::size_t position) const {
    return simulator::line_end_length(source_, position);
  }
  std::size_t continuation_length(std::size_t position) const {
    return simulator::continuation_length(source_, position);
  }

  // Ends the token that runs from where the last one ended to position_.
  void emit(TokenKind kind, bool terminated = true) {
    Token token;
    token.kind = kind;
    token.terminated = terminated;
    token.line = line_;
    token.column = static_cast<int>(begin_ - line_begin_) + 1;
    token.directive = directive_;
    token.text = source_.substr(begin_, position_ - begin_);
    for (std::size_t i = begin_; i < position_;) {
      const std::size_t length = line_end_length(i);
      i += length == 0 ? 1 : length;
      if (length == 0) continue;
      ++line_;
      line_begin_ = i;
    }
    if (token.is_significant()) {
      if (directive_ != 0) ++tokens_in_directive_;
      at_line_start_ = false;
    }
    tokens_.push_back(token);
    begin_ = position_;
  }

  void scan_token() {
    const char c = at(0);
    if (line_end_length(position_) != 0) {
      position_ += line_end_length(position_);
      emit(TokenKind::newline);
      directive_ = 0;
      at_line_start_ = true;
    } else if (is_blank(c) || continuation_length(position_) != 0) {
      scan_whitespace();
    } else if (looking_at("//")) {
      scan_line_comment();
    } else if (looking_at("/*")) {
      scan_block_comment();
    } else if (c == '#' && at_line_start_ && directive_ == 0) {
      directive_ = ++directives_;
      tokens_in_directive_ = 0;
      ++position_;
      emit(TokenKind::punctuation);
    } else if ((c == '<' || c == '"') && expects_header_name()) {
      scan_header_name(c == '<' ? '>' : '"');
    } else if (is_name_start(c)) {
      scan_name();
    } else if (is_digit(c) || (c == '.' && is_digit(at(1)))) {
      scan_number();
    } else if (c == '"' || c == '\'') {
      scan_quoted(c);
    } else {
      scan_operator();
    }
  }

  // Right behind #include.
  bool expects_header_name() const {
    if (directive_ == 0 || tokens_in_directive_ != 2) return false;
    for (auto token = tokens_.rbegin(); token != tokens_.rend(); ++token) {
      if (token->is_significant()) {
        return token->is("include") || token->is("include_next") || token->is("import");
      }
    }
    return false;
  }

  void scan_header_name(char end) {
    ++position_;
    while (position_ < source_.size() && line_end_length(position_) == 0 && at(0) != end) {
      ++position_;
    }
    const bool terminated = at(0) == end;
    if (terminated) ++position_;
    emit(TokenKind::header_name, terminated);
  }

  void scan_whitespace() {
    while (position_ < source_.size()) {
      if (is_blank(at(0))) {
        ++position_;
      } else if (const std::size_t length = continuation_length(position_); length != 0) {
        position_ += length;
      } else {
        break;
      }
    }
    emit(TokenKind::whitespace);
  }

  void scan_line_comment() {
    while (position_ < source_.size() && line_end_length(position_) == 0) {
      position_ += std::max<std::size_t>(1, continuation_length(position_));
    }
    emit(TokenKind::comment);
  }

  void scan_block_comment() {
    const std::size_t end = source_.find("*/", position_ + 2);
    position_ = end == std::string_view::npos ? source_.size() : end + 2;
    emit(TokenKind::comment, end != std::string_view::npos);
  }

  void scan_name() {
    while (position_ < source_.size() && is_name_part(at(0))) ++position_;
    const std::string_view name = source_.substr(begin_, position_ - begin_);
    const bool is_raw =
        name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R";
    const bool is_prefix = name == "L" || name == "u" || name == "U" || name == "u8";
    if (is_raw && at(0) == '"') {
      scan_raw_string();
    } else if (is_prefix && (at(0) == '"' || at(0) == '\'')) {
      scan_quoted(at(0));
    } else {
      emit(TokenKind::identifier);
    }
  }

  void scan_number() {
    ++position_;
    while (position_ < source_.size()) {
      const char c = at(0);
      const bool is_exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (is_exponent && (at(1) == '+' || at(1) == '-')) {
        position_ += 2;
      } else if (c == '\'' && is_name_part(at(1))) {
        position_ += 2;
      } else if (c == '.' || is_name_part(c)) {
        ++position_;
      } else {
        break;
      }
    }
    emit(TokenKind::number);
  }

  void scan_quoted(char quote) {
    const TokenKind kind = quote == '"' ? TokenKind::string : TokenKind::character;
    ++position_;
    while (position_ < source_.size() && line_end_length(position_) == 0) {
      if (at(0) == '\\') {
        const std::size_t length = continuation_length(position_);
        position_ = std::min(position_ + (length == 0 ? 2 : length), source_.size());
      } else if (at(0) == quote) {
        ++position_;
        skip_suffix();
        emit(kind);
        return;
      } else {
        ++position_;
      }
    }
    emit(kind, false);
  }

  void scan_raw_string() {
    constexpr std::size_t kLongestDelimiter = 16;
    const std::string_view start = source_.substr(position_ + 1, kLongestDelimiter + 1);
    const std::size_t delimiter_length = start.find_first_of("( \t\r\n\v\f\\)\"");
    if (delimiter_length == std::string_view::npos || start[delimiter_length] != '(') {
      scan_quoted('"');
      return;
    }
    const std::size_t open = position_ + 1 + delimiter_length;
    std::string close = ")";
    close += start.substr(0, delimiter_length);
    close += '"';
    const std::size_t end = source_.find(close, open + 1);
    if (end == std::string_view::npos) {
      position_ = source_.size();
      emit(TokenKind::string, false);
      return;
    }
    position_ = end + close.size();
    skip_suffix();
    emit(TokenKind::string);
  }

  // Of a user-defined literal: "12"_km.
  void skip_suffix() {
    if (position_ >= source_.size() || !is_name_start(at(0))) return;
    while (position_ < source_.size() && is_name_part(at(0))) ++position_;
  }

  void scan_operator() {
    const char c = at(0);
    if (c == '<' || c == '>') {
      position_ += angle_length(c);
      emit(TokenKind::punctuation);
      return;
    }
    for (const std::string_view text : kOperators) {
      if (!looking_at(text)) continue;
      position_ += text.size();
      emit(TokenKind::punctuation);
      return;
    }
    ++position_;
    constexpr std::string_view kSingle = "#(){}[]:;,?=+-*/%&|^~!.@`\\";
    const bool is_known = kSingle.find(c) != std::string_view::npos;
    emit(is_known ? TokenKind::punctuation : TokenKind::other);
  }

  std::size_t angle_length(char c) const {
    std::size_t run = 1;
    while (run < 3 && at(run) == c) ++run;
    if (run == 3) return 3;
    if (run == 1 && looking_at("<=>")) return 3;
    return run + (at(run) == '=' ? 1 : 0);
  }

  std::string_view source_;
  std::vector<Token> tokens_;
  std::size_t begin_ = 0;  // Of the token that is being read.
  std::size_t position_ = 0;
  std::size_t line_begin_ = 0;
  int line_ = 1;
  int directive_ = 0;  // The one that is being read, or 0.
  int directives_ = 0;
  int tokens_in_directive_ = 0;
  bool at_line_start_ = true;
};

}  // namespace

std::size_t continuation_length(std::string_view source, std::size_t position) {
  if (position >= source.size() || source[position] != '\\') return 0;
  std::size_t end = position + 1;
  while (end < source.size() && is_blank(source[end])) ++end;
  const std::size_t line_end = line_end_length(source, end);
  return line_end == 0 ? 0 : end + line_end - position;
}

std::vector<Token> tokenize(std::string_view source) { return Scanner(source).scan(); }

}  // namespace simulator
