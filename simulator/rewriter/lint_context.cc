#include "simulator/rewriter/lint_context.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "simulator/rewriter/template_list.h"
#include "simulator/rewriter/word_list.h"

namespace simulator {
namespace {

constexpr std::size_t kNone = Region::kNone;

// More overloads are no program's; looking at them for each call would take quadratic time.
constexpr std::size_t kMostOfOneName = 100;

// Words that come before an expression, not before a declared name.
bool precedes_expression(std::string_view word) {
  return is_one_of(word, {"return", "else", "do", "case", "co_return", "co_yield", "co_await",
                          "throw", "and", "or", "not", "goto"});
}

bool is_type_word(std::string_view word) {
  return is_one_of(
      word, {"int", "float", "double", "char", "bool", "void", "long", "short", "const", "unsigned",
             "signed", "size_t", "half", "auto", "T", "volatile"});
}

}  // namespace

LintContext::LintContext(const SourceRegions& file, const LintOptions& options)
    : file_(file), options_(options), declarations_(find_declarations(file)) {
  for (const Function& function : declarations_.functions) {
    if (function.name != kNone) functions_[code().token(function.name).text].push_back(&function);
  }
  for (const Variable& variable : declarations_.variables) {
    variables_[code().token(variable.name).text].push_back(&variable);
  }
  for (const Token& token : file.tokens) {
    if (token.kind != TokenKind::identifier) continue;
    ++mentions_[token.text];
    const bool asks_target = token.is("__CUDA_ARCH__") || token.is("__CUDACC__") ||
                             token.is("__NVCC__") || token.is("NV_IF_TARGET") ||
                             token.is("NV_IF_ELSE_TARGET");
    if (asks_target) conditions_on_target_.push_back(token.text.data());
  }
}

const std::vector<const Function*>& LintContext::functions(std::string_view name) const {
  static const std::vector<const Function*> kNoFunctions;
  const auto found = functions_.find(name);
  return found == functions_.end() ? kNoFunctions : found->second;
}

const std::vector<const Variable*>& LintContext::variables(std::string_view name) const {
  static const std::vector<const Variable*> kNoVariables;
  const auto found = variables_.find(name);
  return found == variables_.end() ? kNoVariables : found->second;
}

bool LintContext::are_clear(const std::vector<const Function*>& functions) const {
  return functions.size() <= kMostOfOneName &&
         std::all_of(functions.begin(), functions.end(), [&](const Function* function) {
           return !function->qualifiers.is_unclear && !function->is_member &&
                  file_.macro_names.count(code().token(function->name).text) == 0;
         });
}

bool LintContext::are_clear(const std::vector<const Variable*>& variables) const {
  return variables.size() <= kMostOfOneName &&
         std::all_of(variables.begin(), variables.end(), [&](const Variable* variable) {
           return !variable->qualifiers.is_unclear &&
                  file_.macro_names.count(code().token(variable->name).text) == 0;
         });
}

bool LintContext::is_used(const Function& function) const {
  if (function.name == kNone) return false;
  const std::string_view name = code().token(function.name).text;
  const auto mentions = mentions_.find(name);
  return mentions->second > static_cast<int>(functions(name).size());
}

bool LintContext::is_judged(const Function& function) const {
  if (!function.has_body() || function.qualifiers.is_unclear || function.is_in_class_template) {
    return false;
  }
  if (function.is_template && !is_used(function)) return false;
  const char* begin = code().token(function.body_open).text.data();
  const char* end = code().token(function.body_close).text.data();
  const auto condition =
      std::lower_bound(conditions_on_target_.begin(), conditions_on_target_.end(), begin);
  return condition == conditions_on_target_.end() || *condition > end;
}

LintContext::Uses LintContext::uses_in(const Function& function) const {
  Uses uses;
  const auto collect = [&](std::size_t open, std::size_t close) {
    for (std::size_t i = open; i != kNone && i < close; i = code().next(i)) {
      const std::size_t before = code().previous(i);
      const bool is_part = code().is(before, ".") || code().is(before, "->") ||
                           code().is(before, "::") || code().is(code().next(i), "::");
      if (code().is_identifier(i) && !is_part) uses[code().token(i).text].push_back(i);
    }
  };
  collect(function.parameters_open, function.parameters_close);
  collect(function.body_open, function.body_close);
  return uses;
}

bool LintContext::may_declare(const std::vector<std::size_t>& uses) const {
  return std::any_of(uses.begin(), uses.end(), [&](std::size_t use) {
    const std::size_t before = code().previous(use);
    if (before == kNone) return true;
    const Token& token = code().token(before);
    if (token.kind == TokenKind::identifier) return !precedes_expression(token.text);
    if (token.is(">") || token.is(">>")) return true;  // vector<int> name
    if (token.is("*") || token.is("&") || token.is("&&")) {
      // float* name, as against x = a * name and f(&name).
      const std::size_t type = code().previous(before);
      if (code().is(type, ">") || code().is(type, "*")) return true;
      if (!code().is_identifier(type)) return false;
      if (is_type_word(code().token(type).text)) return true;
      const std::size_t start = code().previous(type);
      if (code().is_identifier(start)) return !precedes_expression(code().token(start).text);
      return start == kNone || code().is(start, ";") || code().is(start, "{") ||
             code().is(start, "}") || code().is(start, "::") ||
             (code().is(start, "(") && code().is(code().previous(start), "for"));
    }
    if (token.is(",") || token.is("[")) {
      // int a, name; and auto [a, name] and for (int i = 0, name = 1;
      const std::size_t bracket = around(use);
      if (code().is(bracket, "{")) return token.is(",");
      if (code().is(bracket, "[")) {
        const std::size_t word = code().previous(bracket);
        return code().is(word, "auto") || code().is(word, "&");
      }
      return code().is(code().previous(bracket), "for");
    }
    return false;
  });
}

std::size_t LintContext::behind_name(std::size_t use) const {
  const std::size_t next = code().next(use);
  if (!code().is(next, "<")) return next;
  const std::size_t end = template_list_end(code(), next);
  return end == kNone ? kNone : code().next(end);
}

bool LintContext::is_launch(std::size_t use) const {
  const std::size_t behind = behind_name(use);
  return code().is(behind, "<<<") ||
         (code().is(behind, "<<") && code().is(code().next(behind), "<"));
}

bool LintContext::is_call(std::size_t use) const {
  if (!code().is(behind_name(use), "(")) return false;
  const std::size_t before = code().previous(use);
  if (code().is_identifier(before)) return precedes_expression(code().token(before).text);
  if (code().is(before, ">")) return false;
  return !is_unevaluated(use);
}

bool LintContext::is_unevaluated(std::size_t position) const {
  for (std::size_t open = around(position); code().is(open, "("); open = around(open)) {
    const std::size_t word = code().previous(open);
    if (code().is_identifier(word) &&
        is_one_of(code().token(word).text, {"sizeof", "decltype", "noexcept", "alignof", "typeid"}))
      return true;
  }
  return code().is(code().previous(position), "sizeof");
}

void LintContext::report(std::size_t position, std::string sentence, Finding::Kind kind) {
  report(code().token(position), std::move(sentence), kind);
}

void LintContext::report(const Token& token, std::string sentence, Finding::Kind kind) {
  findings_.push_back({kind, token.line, token.column, std::move(sentence)});
}

std::vector<Finding> LintContext::findings() {
  const auto place = [](const Finding& finding) { return std::tie(finding.line, finding.column); };
  std::stable_sort(findings_.begin(), findings_.end(),
                   [&](const Finding& a, const Finding& b) { return place(a) < place(b); });
  const auto same = [&](const Finding& a, const Finding& b) { return place(a) == place(b); };
  findings_.erase(std::unique(findings_.begin(), findings_.end(), same), findings_.end());
  return std::move(findings_);
}

}  // namespace simulator
