#include "tools/course/judge/declarations.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>

#include "simulator/rewriter/tokens.h"

namespace andrea::judge {
namespace {

using simulator::Token;
using simulator::TokenKind;
using Tokens = std::vector<Token>;

class Parser {
 public:
  Parser(std::string_view source, std::string file) : file_(std::move(file)) {
    for (const Token& token : simulator::tokenize(source)) {
      if (token.is_significant() && token.directive == 0) tokens_.push_back(token);
    }
  }

  std::vector<Statement> all() {
    while (at_ < tokens_.size()) {
      if (is("namespace")) {
        begin_namespace();
      } else if (is("}")) {
        end_namespace();
      } else {
        statement();
      }
    }
    if (!namespaces_.empty()) fail("a namespace is not closed");
    return std::move(statements_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const int line = tokens_.empty() ? 0 : tokens_[std::min(at_, tokens_.size() - 1)].line;
    throw std::runtime_error(file_ + ":" + std::to_string(line) + ": " + what);
  }

  bool is(std::string_view text) const { return at_ < tokens_.size() && tokens_[at_].is(text); }

  static bool is_word(const Token& token) { return token.kind == TokenKind::identifier; }

  std::string scope() const {
    std::string all;
    for (const std::string& name : namespaces_) all += (all.empty() ? "" : "::") + name;
    return all;
  }

  void begin_namespace() {
    const int line = tokens_[at_++].line;
    std::string name;
    while (at_ < tokens_.size() && !is("{")) name += tokens_[at_++].text;
    if (name.empty() || at_ == tokens_.size()) fail("a namespace without a name, or without a {");
    ++at_;
    namespaces_.push_back(name);
    Statement begin;
    begin.kind = Statement::namespace_begin;
    begin.first_line = begin.last_line = line;
    begin.name = begin.scope = scope();
    statements_.push_back(begin);
  }

  void end_namespace() {
    if (namespaces_.empty()) fail("a } too many");
    Statement end;
    end.kind = Statement::namespace_end;
    end.first_line = end.last_line = tokens_[at_++].line;
    end.name = end.scope = scope();
    namespaces_.pop_back();
    statements_.push_back(end);
  }

  // From the opening bracket at `from`, behind its partner.
  std::size_t behind_bracket(std::size_t from) const {
    std::size_t depth = 0;
    for (std::size_t i = from; i < tokens_.size(); ++i) {
      const std::string_view text = tokens_[i].text;
      if (text == "(" || text == "[" || text == "{") ++depth;
      if (text == ")" || text == "]" || text == "}") --depth;
      if (depth == 0) return i + 1;
    }
    fail("a bracket is not closed");
  }

  std::string text(std::size_t from, std::size_t to) const {
    std::string all;
    for (std::size_t i = from; i < to; ++i) {
      all += (all.empty() ? "" : " ") + std::string(tokens_[i].text);
    }
    return all;
  }

  // One, or several constants of one declaration.
  void statement() {
    const std::size_t from = at_;
    std::size_t parenthesis = 0, equals = 0, body = 0, i = from;
    bool done = false;
    while (!done) {
      if (i >= tokens_.size()) fail("a declaration has no end");
      const std::string_view word = tokens_[i].text;
      if (word == "(" || word == "[" || word == "{") {
        if (word == "(" && parenthesis == 0 && equals == 0) parenthesis = i;
        if (word == "{" && equals == 0) body = i;
        i = behind_bracket(i);
        // A function's body, or a namespace's, ends the declaration; a type's has ; behind it.
        if (body != 0 && parenthesis != 0 && equals == 0) done = true;
        continue;
      }
      if (word == "=" && equals == 0 && parenthesis == 0) equals = i;
      done = word == ";";
      ++i;
    }
    at_ = i;
    Statement it;
    it.first_line = tokens_[from].line;
    it.last_line = tokens_[i - 1].line;
    it.text = text(from, i);
    it.scope = scope();
    static const std::set<std::string_view> kOthers = {
        "using", "struct", "class", "enum", "union", "template", "static_assert", "typedef"};
    if (kOthers.count(tokens_[from].text) > 0) {
      statements_.push_back(it);
      return;
    }
    at_ = from;  // for the line of a message
    if (equals != 0) {
      constants(it, from, equals, i - 1);
    } else if (parenthesis != 0) {
      function(it, from, parenthesis, body, i);
      statements_.push_back(it);
    } else {
      fail("a declaration that is neither a function nor a constant with a value");
    }
    at_ = i;
  }

  // Words that say how something is linked or computed, not what it is.
  std::size_t skip_specifiers(std::size_t from) const {
    static const std::set<std::string_view> kSpecifiers = {"inline", "constexpr", "static"};
    while (kSpecifiers.count(tokens_[from].text) > 0) ++from;
    return from;
  }

  void constants(Statement& it, std::size_t from, std::size_t equals, std::size_t end) {
    it.kind = Statement::constant;
    std::size_t start = skip_specifiers(from);
    if (tokens_[start].is("const")) ++start;
    std::size_t name = equals - 1;
    if (tokens_[name].is("]")) {
      it.is_array = true;
      if (!tokens_[name - 1].is("[")) fail("a plain array with a size; take std::array");
      name -= 2;
    }
    if (name <= start || !is_word(tokens_[name])) fail("a constant without a type or a name");
    it.name = tokens_[name].text;
    it.type = text(start, name);
    // `a = 1, b = 2` are two.
    std::size_t value = equals + 1, i = value;
    for (; i <= end; ++i) {
      if (i < end && !tokens_[i].is(",")) {
        const std::string_view word = tokens_[i].text;
        if (word == "(" || word == "[" || word == "{") i = behind_bracket(i) - 1;
        continue;
      }
      it.value = text(value, i);
      statements_.push_back(it);
      if (i == end) return;
      if (!is_word(tokens_[i + 1]) || !tokens_[i + 2].is("=")) {
        fail("a , in a constant that no other constant follows");
      }
      it.name = tokens_[i + 1].text;
      value = i + 3;
    }
  }

  void function(Statement& it, std::size_t from, std::size_t parenthesis, std::size_t body,
                std::size_t end) {
    it.kind = Statement::function;
    const std::size_t start = skip_specifiers(from);
    const std::size_t name = parenthesis - 1;
    if (name <= start || !is_word(tokens_[name])) fail("a function without a result or a name");
    it.name = tokens_[name].text;
    it.type = text(start, name);
    const std::size_t behind = behind_bracket(parenthesis);
    if (body != 0) {
      it.body = text(body, end);
    } else if (behind + 1 != end) {
      fail("something between ) and ; of a function");
    }
    std::size_t first = parenthesis + 1, depth = 0;
    for (std::size_t i = first; i < behind; ++i) {
      const std::string_view word = tokens_[i].text;
      const bool last = i + 1 == behind;
      if (word == "<" || word == "(" || word == "[" || word == "{") ++depth;
      if (!last && (word == ">" || word == ")" || word == "]" || word == "}")) --depth;
      if (word == ">>") depth -= 2;
      if (!last && !(word == "," && depth == 0)) continue;
      if (first < i) it.parameters.push_back(parameter(first, i));
      first = i + 1;
    }
  }

  Parameter parameter(std::size_t from, std::size_t to) const {
    // [[maybe_unused]]
    while (tokens_[from].is("[")) from = behind_bracket(from);
    for (std::size_t i = from; i < to; ++i) {
      if (tokens_[i].is("=")) fail("a parameter with a default");
    }
    const std::size_t name = to - 1;
    if (name <= from || !is_word(tokens_[name])) fail("a parameter without a type or a name");
    return {text(from, to), text(from, name), std::string(tokens_[name].text)};
  }

  std::string file_;
  Tokens tokens_;
  std::size_t at_ = 0;
  std::vector<std::string> namespaces_;
  std::vector<Statement> statements_;
};

}  // namespace

std::vector<Statement> statements_of(std::string_view source, const std::string& file) {
  return Parser(source, file).all();
}

}  // namespace andrea::judge
