#include "tools/course/judge/source_look.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>

#include "simulator/rewriter/tokens.h"
#include "tools/course/judge/allowed.h"
#include "tools/course/judge/spelling_look.h"

namespace andrea::judge {
namespace {

using simulator::Token;
using simulator::TokenKind;

std::vector<Token> significant(std::string_view text) {
  std::vector<Token> tokens = simulator::tokenize(text);
  std::erase_if(tokens, [](const Token& token) { return !token.is_significant(); });
  return tokens;
}

class Findings {
 public:
  explicit Findings(const std::string& file) : file_(file.substr(file.rfind('/') + 1)) {}

  void add(int line, const std::string& what) {
    all_.push_back(file_ + ":" + std::to_string(line) + " " + what + ", which no exercise needs.");
  }
  std::vector<std::string> all() && { return std::move(all_); }

 private:
  std::string file_;
  std::vector<std::string> all_;
};

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

bool is_reserved(std::string_view name) {
  return name.starts_with("__") || (name.size() > 1 && name[0] == '_' && std::isupper(name[1])) ||
         name.starts_with("simulator") || name.starts_with("CUDA") || name.starts_with("CUBLAS");
}

bool may_be_pragma(std::string_view word) {
  return word == "unroll" || word == "once" || word == "nv_diag_suppress";
}

// Of the tokens of one preprocessor line, # first.
void look_at_directive(const std::vector<Token>& line, const std::set<std::string>& headers,
                       Findings& findings) {
  static const std::set<std::string_view> kHarmless = {"if",   "ifdef", "ifndef", "elif",
                                                       "else", "endif", "error",  "warning"};
  if (line.size() < 2) return;
  const std::string_view word = line[1].text;
  const int number = line[0].line;
  if (kHarmless.count(word) > 0) return;
  if (word == "include") {
    const std::string name(line.size() > 2 ? line[2].text : "");
    const std::string inside = name.size() > 2 ? name.substr(1, name.size() - 2) : "";
    const bool allowed = name.starts_with('<')   ? may_include(inside)
                         : name.starts_with('"') ? headers.count(inside) > 0
                                                 : false;
    if (!allowed) findings.add(number, "includes " + (name.empty() ? "nothing" : name));
  } else if (word == "define" || word == "undef") {
    if (line.size() > 2 && is_reserved(line[2].text)) {
      findings.add(number, "has a macro of a reserved name (" + quoted(line[2].text) + ")");
    }
  } else if (word == "pragma") {
    const std::string_view which = line.size() > 2 ? line[2].text : "";
    if (!may_be_pragma(which)) {
      findings.add(number, "has a #pragma " + std::string(which));
    }
  } else {
    findings.add(number, "has a line #" + std::string(word));
  }
}

bool is_machines(std::string_view name) {
  return name.starts_with("_mm") || name.starts_with("__builtin_ia32") ||
         name.starts_with("__m128") || name.starts_with("__m256") || name.starts_with("__m512");
}

// Where the group that opens at `from` ends: behind its last bracket.
std::size_t behind(const std::vector<Token>& tokens, std::size_t from) {
  std::size_t depth = 0;
  for (std::size_t i = from; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(" || text == "[" || text == "{") ++depth;
    if (text == ")" || text == "]" || text == "}") --depth;
    if (depth == 0) return i + 1;
  }
  return tokens.size();
}

// `numbers`: of each line of the text, where it stands in the file.
void look_at_code(const std::string& text, const std::vector<int>& numbers, Findings& findings) {
  const std::vector<Token> tokens = significant(text);
  const auto is = [&](std::size_t i, std::string_view word) {
    return i < tokens.size() && tokens[i].is(word);
  };
  // What the macros of simulator/language.h become.
  const auto is_ours = [&](std::size_t i) {
    return is(i + 1, "(") &&
           (is(i + 2, "\"simulator_dynamic_shared\"") || is(i + 2, "\"simulator_managed\""));
  };
  const auto look_at_attributes = [&](std::size_t from, std::size_t to, int number) {
    for (std::size_t i = from; i < to; ++i) {
      const std::string_view name = tokens[i].text;
      if (tokens[i].kind != TokenKind::identifier) continue;
      if (!may_be_attributed(name) && !(name == "section" && is_ours(i))) {
        findings.add(number, "has the attribute " + quoted(name));
      }
      if (is(i + 1, "(")) i = behind(tokens, i + 1) - 1;
    }
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view word = tokens[i].text;
    const int number = numbers.at(static_cast<std::size_t>(tokens[i].line - 1));
    if (tokens[i].directive != 0) {
      if (!is(i, "#") || !is(i + 1, "pragma")) continue;
      const std::size_t which = is(i + 2, "GCC") ? i + 3 : i + 2;
      if (which < tokens.size() && !may_be_pragma(tokens[which].text)) {
        findings.add(number, "has a #pragma " + std::string(tokens[i + 2].text));
      }
    } else if (is_digraph(tokens, i)) {
      findings.add(number,
                   "has a bracket that is spelled as '<' and " + quoted(tokens[i + 1].text));
    } else if ((word == "asm" || word == "__asm__" || word == "__asm") && !is_ours(i)) {
      findings.add(number, "has inline assembly (" + quoted(word) + ")");
    } else if (tokens[i].kind == TokenKind::identifier && is_machines(word)) {
      findings.add(number, "uses " + quoted(word));
    } else if (word == "__attribute__" || word == "__attribute") {
      const std::size_t end = behind(tokens, i + 1);
      look_at_attributes(i + 1, end, number);
      i = end - 1;
    } else if (word == "[" && is(i + 1, "[")) {
      // Two brackets are an attribute's, or those of a lambda within an index.
      const std::size_t end = behind(tokens, i);
      if (is(end - 2, "]")) look_at_attributes(i + 2, end, number);
    }
  }
}

}  // namespace

std::vector<std::string> look_at_source(std::string_view source, const std::string& file,
                                        const std::set<std::string>& headers) {
  Findings findings(file);
  std::vector<Token> line;
  const auto end_line = [&] {
    if (!line.empty()) look_at_directive(line, headers, findings);
    line.clear();
  };
  for (const OddSpelling& odd : odd_spellings(simulator::tokenize(source))) {
    findings.add(odd.line, odd.what);
  }
  for (const Token& token : significant(source)) {
    if (!line.empty() && token.directive != line[0].directive) end_line();
    if (token.directive != 0) {
      line.push_back(token);
    } else if (token.is("%:") || token.is("_Pragma")) {
      findings.add(token.line, "has " + quoted(token.text));
    }
  }
  end_line();
  for (const std::string_view odd : {"%:", "\?\?="}) {
    if (source.find(odd) != std::string_view::npos) findings.add(1, "has " + quoted(odd));
  }
  return std::move(findings).all();
}

std::vector<std::string> look_at_worksheet(std::string_view text, const std::string& file,
                                           const std::set<std::string>& headers) {
  std::vector<std::string> all = look_at_source(text, file, headers);
  Findings findings(file);
  for (const Token& token : significant(text)) {
    const bool is_assembly = token.is("asm") || token.is("__asm") || token.is("__asm__");
    if (is_assembly || token.is("##")) findings.add(token.line, "has " + quoted(token.text));
  }
  for (std::string& one : std::move(findings).all()) all.push_back(std::move(one));
  return all;
}

std::vector<std::string> look_at_preprocessed(std::string_view text, const std::string& file) {
  Findings findings(file);
  // All of the file's own lines in one piece: an attribute may begin before an #include and end
  // behind it.
  std::string own;
  std::vector<int> numbers;
  std::set<std::string> read;  // files, the first of which is what was compiled
  int next = 1;
  bool is_own = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.size() > 2 && line.starts_with("# ") && std::isdigit(line[2])) {
      const std::size_t from = line.find('"'), to = line.rfind('"');
      if (from == std::string_view::npos || to == from) continue;
      const std::string path(line.substr(from + 1, to - from - 1));
      is_own = path == file;
      const bool is_first = read.empty();
      const bool is_folder = path.ends_with("//");  // where the compiler runs, with -g
      if (read.insert(path).second && !is_first && !is_own && !path.starts_with('<') &&
          !is_folder && !may_be_read(path)) {
        findings.add(next, "reads " + quoted(path));
      }
      if (is_own) next = std::atoi(line.data() + 2);
    } else if (is_own) {
      own += line;
      own += '\n';
      numbers.push_back(next++);
    }
  }
  look_at_code(own, numbers, findings);
  return std::move(findings).all();
}

}  // namespace andrea::judge
