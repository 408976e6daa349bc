#include "tests/mutants/mechanical.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "simulator/rewriter/tokens.h"
#include "tools/course/stub.h"

namespace andrea::mutants {
namespace {

using simulator::Token;
using simulator::TokenKind;

const std::map<std::string_view, std::string_view> kOperators = {
    {"<", "<="}, {"<=", "<"}, {">", ">="},  {">=", ">"},  {"==", "!="}, {"!=", "=="}, {"+", "-"},
    {"-", "+"},  {"+=", "="}, {"&&", "||"}, {"||", "&&"}, {"-=", "="},  {"*=", "="},
};
const std::map<std::string_view, std::string_view> kPairs = {
    {"rows", "columns"}, {"columns", "rows"}, {"row", "column"}, {"column", "row"}};
const std::set<std::string_view> kBuiltIns = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
const std::set<std::string_view> kBarriers = {"__syncthreads", "__syncwarp"};
const std::set<std::string_view> kLeaving = {"return", "continue", "break"};

// A source as the tokens that the compiler sees.
class Source {
 public:
  explicit Source(const std::string& text) : text_(text) {
    const std::vector<Token> all = simulator::tokenize(text_);
    bool space_before = true;
    for (const Token& token : all) {
      if (!token.is_significant()) {
        space_before = true;
        continue;
      }
      if (!tokens_.empty()) spaced_.back().second = space_before;
      tokens_.push_back(token);
      spaced_.emplace_back(space_before, true);
      space_before = false;
    }
    mark_templates_and_launches();
  }

  std::size_t size() const { return tokens_.size(); }
  const Token& token(std::size_t i) const { return i < tokens_.size() ? tokens_[i] : nothing_; }
  bool is(std::size_t i, std::string_view text) const { return token(i).is(text); }
  bool is_name(std::size_t i) const { return token(i).kind == TokenKind::identifier; }
  bool is_binary(std::size_t i, std::string_view text) const {
    return is(i, text) && spaced_[i].first && spaced_[i].second;
  }
  bool is_binary(std::size_t i) const { return spaced_[i].first && spaced_[i].second; }
  bool stays(std::size_t i) const { return stays_[i] || token(i).directive != 0; }

  // The bracket that closes the one at `open`; size() where there is none.
  std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < size(); ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) ++depth;
      if (is(i, ")") || is(i, "]") || is(i, "}")) --depth;
      if (depth == 0) return i;
    }
    return size();
  }

  // The last token of the statement that begins at `begin`.
  std::size_t end_of_statement(std::size_t begin) const {
    for (std::size_t i = begin; i < size(); ++i) {
      if (is(i, "(") || is(i, "[")) i = closing(i);
      if (is(i, "{")) return closing(i);
      if (is(i, ";")) return i;
    }
    return size() - 1;
  }

  std::string between(std::size_t first, std::size_t last) const {
    return text_.substr(begin_of(first), end_of(last) - begin_of(first));
  }
  // With the tokens first .. last replaced. Lines keep their numbers.
  std::string with(std::size_t first, std::size_t last, std::string replacement) const {
    const std::string old = between(first, last);
    const auto lines = std::count(old.begin(), old.end(), '\n') -
                       std::count(replacement.begin(), replacement.end(), '\n');
    for (auto i = lines; i > 0; --i) replacement += '\n';
    std::string text = text_;
    return text.replace(begin_of(first), old.size(), replacement);
  }

 private:
  std::size_t begin_of(std::size_t i) const {
    return static_cast<std::size_t>(tokens_[i].text.data() - text_.data());
  }
  std::size_t end_of(std::size_t i) const { return begin_of(i) + tokens_[i].text.size(); }

  // A list of template arguments has no space before its bracket.
  void mark_templates_and_launches() {
    stays_.assign(size(), false);
    int templates = 0;
    bool launch = false;
    for (std::size_t i = 0; i < size(); ++i) {
      const bool opens =
          i > 0 && is(i, "<") && (is(i - 1, "template") || (is_name(i - 1) && !spaced_[i].first));
      if (opens) ++templates;
      if (is(i, "<<<")) launch = true;
      stays_[i] = templates > 0 || launch;
      if (is(i, ">>>")) launch = false;
      if (templates > 0 && is(i, ">")) --templates;
      if (templates > 0 && is(i, ">>")) templates = std::max(0, templates - 2);
      if (is(i, ";")) templates = 0;
    }
  }

  const std::string& text_;
  std::vector<Token> tokens_;
  std::vector<std::pair<bool, bool>> spaced_;  // a space before it, a space behind it
  std::vector<bool> stays_;
  Token nothing_{TokenKind::other, true, 0, 0, 0, {}};
};

bool is_size(std::string_view name) {
  return name.size() == 1 && std::isupper(static_cast<unsigned char>(name[0])) != 0;
}

class Mutator {
 public:
  Mutator(const std::string& solution, const std::string& file) : source_(solution) {
    for (const course::Region& region : course::regions_of(solution, file)) {
      exercise_ = region.exercise;
      begin_ = end_ = 0;
      while (begin_ < source_.size() && source_.token(begin_).line <= region.first_line) ++begin_;
      for (end_ = begin_; end_ < source_.size() && source_.token(end_).line < region.last_line;) {
        ++end_;
      }
      for (std::size_t i = begin_; i < end_; ++i) {
        if (!source_.stays(i)) at(i);
      }
    }
  }

  std::vector<MechanicalMutant> mutants() && { return std::move(mutants_); }

 private:
  void at(std::size_t i) {
    operation(i);
    guard(i);
    axis_of_built_in(i);
    exchanged_in_product(i);
    exchanged_subscripts(i);
    other_size(i);
    integer(i);
    barrier(i);
    atomic_addition(i);
  }

  void operation(std::size_t i) {
    const auto found = kOperators.find(source_.token(i).text);
    if (found != kOperators.end() && source_.is_binary(i))
      replace(i, i, std::string(found->second));
  }

  void guard(std::size_t i) {
    if (!source_.is(i, "if")) return;
    const std::size_t open = source_.is(i + 1, "constexpr") ? i + 2 : i + 1;
    const std::size_t close = source_.closing(open);
    const std::size_t last = source_.end_of_statement(close + 1);
    if (source_.is(last + 1, "else")) return;
    if (kLeaving.count(source_.token(close + 1).text) != 0) {
      add(i, i, last, ";", source_.between(i, last) + " removed");
    } else {
      add(i, i, close, "", source_.between(i, close) + " removed");
    }
  }

  void axis_of_built_in(std::size_t i) {
    if (kBuiltIns.count(source_.token(i).text) == 0 || !source_.is(i + 1, ".")) return;
    const std::string name = std::string(source_.token(i).text) + ".";
    replace(i, i + 2, name + (source_.is(i + 2, "x") ? "y" : "x"));
  }

  // row * columns + column
  void exchanged_in_product(std::size_t i) {
    const bool is_index = source_.is_name(i) && source_.is_binary(i + 1, "*") &&
                          source_.is_name(i + 2) && source_.is_binary(i + 3, "+") &&
                          source_.is_name(i + 4);
    if (!is_index || i + 4 >= end_) return;
    for (const std::string_view other : {"*", ".", "->", "/", "%"}) {
      if (i > 0 && source_.is(i - 1, other)) return;
    }
    for (const std::string_view other : {"*", ".", "->", "/", "%", "(", "[", "<"}) {
      if (source_.is(i + 5, other)) return;
    }
    const auto text = [&](std::size_t token) { return std::string(source_.token(token).text); };
    replace(i, i + 4, text(i + 4) + " * " + text(i + 2) + " + " + text(i));
  }

  // tile[x][y]
  void exchanged_subscripts(std::size_t i) {
    if (!source_.is(i, "[") || i == begin_ || is_type_before(i - 1)) return;
    const std::size_t close = source_.closing(i);
    if (!source_.is(close + 1, "[")) return;
    const std::size_t end = source_.closing(close + 1);
    if (end >= end_) return;
    const std::string first = source_.between(i, close), second = source_.between(close + 1, end);
    if (first != second) replace(i, end, second + first);
  }

  void other_size(std::size_t i) {
    if (!source_.is_name(i) || source_.is(i + 1, "(") || is_type_before(i)) return;
    if (i > 0 && (source_.is(i - 1, ".") || source_.is(i - 1, "->"))) return;
    const auto pair = kPairs.find(source_.token(i).text);
    if (pair != kPairs.end() && appears(pair->second)) replace(i, i, std::string(pair->second));
    const bool is_factor =
        source_.is_binary(i + 1, "*") || (i > 0 && source_.is_binary(i - 1, "*"));
    if (!is_size(source_.token(i).text) || !is_factor) return;
    const std::string other = following_size(source_.token(i).text);
    if (!other.empty()) replace(i, i, other);
  }

  // A declaration names its variable behind a type.
  bool is_type_before(std::size_t i) const {
    return i > 0 && source_.is_name(i - 1) && !source_.is(i - 1, "return");
  }

  bool appears(std::string_view name) const {
    for (std::size_t i = begin_; i < end_; ++i) {
      if (source_.is(i, name)) return true;
    }
    return false;
  }

  // The next size of the region in the order of the alphabet, after the last the first.
  std::string following_size(std::string_view name) const {
    std::set<std::string_view> sizes;
    for (std::size_t i = begin_; i < end_; ++i) {
      if (source_.is_name(i) && is_size(source_.token(i).text)) sizes.insert(source_.token(i).text);
    }
    if (sizes.size() < 2) return "";
    const auto next = sizes.upper_bound(name);
    return std::string(next == sizes.end() ? *sizes.begin() : *next);
  }

  void integer(std::size_t i) {
    if (source_.token(i).kind != TokenKind::number) return;
    const std::string text(source_.token(i).text);
    const bool is_hexadecimal = text.starts_with("0x");
    const std::string_view digits = is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
    const std::size_t start = is_hexadecimal ? 2 : 0;
    const std::size_t end = std::min(text.find_first_not_of(digits, start), text.size());
    if (text.find_first_not_of("uUlL", end) != std::string::npos || end == start) return;
    const unsigned long long value = std::stoull(text.substr(0, end), nullptr, 0);
    replace(i, i, std::to_string(is_hexadecimal ? value - 1 : value + 1) + text.substr(end));
  }

  void barrier(std::size_t i) {
    const bool is_call = kBarriers.count(source_.token(i).text) != 0;
    const bool is_group = source_.is_name(i) && source_.is(i + 1, ".") && source_.is(i + 2, "sync");
    if (!is_call && !is_group) return;
    const std::size_t close = source_.closing(is_call ? i + 1 : i + 3);
    if (!source_.is(close + 1, ";")) return;
    add(i, i, close, "", source_.between(i, close) + " removed");
  }

  void atomic_addition(std::size_t i) {
    if (!source_.is(i, "atomicAdd") || !source_.is(i + 1, "(")) return;
    const std::size_t close = source_.closing(i + 1);
    if (!source_.is(close + 1, ";")) return;
    for (std::size_t comma = i + 2; comma < close; ++comma) {
      if (source_.is(comma, "(") || source_.is(comma, "[")) comma = source_.closing(comma);
      if (!source_.is(comma, ",")) continue;
      add(i, i, close,
          "*(" + source_.between(i + 2, comma - 1) +
              ") += " + source_.between(comma + 1, close - 1),
          "atomicAdd to +=");
      return;
    }
  }

  void replace(std::size_t first, std::size_t last, const std::string& replacement) {
    add(first, first, last, replacement, source_.between(first, last) + " to " + replacement);
  }

  void add(std::size_t named, std::size_t first, std::size_t last, const std::string& replacement,
           const std::string& change) {
    std::string words = change;
    std::replace(words.begin(), words.end(), '\n', ' ');
    words.erase(std::unique(words.begin(), words.end(),
                            [](char a, char b) { return a == ' ' && b == ' '; }),
                words.end());
    std::string name = "line " + std::to_string(source_.token(named).line) + ": " + words;
    const int count = ++names_[name];
    if (count > 1) name += " (" + std::to_string(count) + ")";
    mutants_.push_back({exercise_, name, source_.with(first, last, replacement)});
  }

  Source source_;
  std::string exercise_;
  std::size_t begin_ = 0, end_ = 0;  // the tokens of the region
  std::map<std::string, int> names_;
  std::vector<MechanicalMutant> mutants_;
};

}  // namespace

std::vector<MechanicalMutant> mechanical_mutants(const std::string& solution,
                                                 const std::string& file) {
  return Mutator(solution, file).mutants();
}

}  // namespace andrea::mutants
