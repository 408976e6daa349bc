// File: simulator/rewriter/lint_context.h
//
// What the rules of the lint share: the file, what it declares, and who uses which name where.

#ifndef ANDREA_SIMULATOR_REWRITER_LINT_CONTEXT_H_
#define ANDREA_SIMULATOR_REWRITER_LINT_CONTEXT_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/rewriter/declarations.h"
#include "simulator/rewriter/finding.h"
#include "simulator/rewriter/lint.h"
#include "simulator/rewriter/regions.h"

namespace simulator {

// Positions are those of SourceRegions::code.
class LintContext {
 public:
  // Refers to all of them.
  LintContext(const SourceRegions& file, const LintOptions& options);

  const SourceRegions& file() const { return file_; }                 // with its branches
  const Region& code() const { return file_.code; }                   // without them
  const LintOptions& options() const { return options_; }             // which rules hold
  const Declarations& declarations() const { return declarations_; }  // of this file

  // The functions of the file with this name, and its variables in namespaces.
  const std::vector<const Function*>& functions(std::string_view name) const;
  const std::vector<const Variable*>& variables(std::string_view name) const;
  // Whether each of these, all of one name, is sure to be what it seems, none is a member and no
  // macro has the name.
  bool are_clear(const std::vector<const Function*>& functions) const;
  bool are_clear(const std::vector<const Variable*>& variables) const;

  // Whether the rules may judge this function: it has a body, its qualifiers are sure, no #if in it
  // asks what it is compiled for, and it is no template or one that is used.
  bool is_judged(const Function& function) const;

  // For each name in the parameters and the body, where it stands, but for members (x.name) and
  // qualified names (x::name).
  using Uses = std::map<std::string_view, std::vector<std::size_t>>;
  Uses uses_in(const Function& function) const;

  // Whether one of these uses may declare something of the name in the function.
  bool may_declare(const std::vector<std::size_t>& uses) const;
  // Whether this use is a call: name(...) or name<...>(...), and no declaration.
  bool is_call(std::size_t use) const;
  bool is_launch(std::size_t use) const;
  // Whether the token is an operand of sizeof, decltype and the like.
  bool is_unevaluated(std::size_t position) const;

  // At a token of the code, by its position or itself.
  void report(std::size_t position, std::string sentence,
              Finding::Kind kind = Finding::Kind::error);
  void report(const Token& token, std::string sentence, Finding::Kind kind = Finding::Kind::error);
  // Whether this is the first time that the macro is asked for: what is wrong in it is told once.
  bool is_first_use_of_macro(std::string_view name) { return used_macros_.insert(name).second; }
  std::vector<Finding> findings();  // In order, one a place.

  // Of the token there.
  std::string text(std::size_t position) const { return std::string(code().token(position).text); }

 private:
  bool is_used(const Function& function) const;
  // What follows the name and its template arguments.
  std::size_t behind_name(std::size_t use) const;
  // The ( or [ or { around.
  std::size_t around(std::size_t position) const { return code().bracket(position); }

  const SourceRegions& file_;
  const LintOptions& options_;
  Declarations declarations_;
  std::map<std::string_view, std::vector<const Function*>> functions_;
  std::map<std::string_view, std::vector<const Variable*>> variables_;
  std::map<std::string_view, int> mentions_;       // Of every name in code and macros.
  std::vector<const char*> conditions_on_target_;  // Where a preprocessor line asks for it.
  std::set<std::string_view> used_macros_;
  std::vector<Finding> findings_;
};

}  // namespace simulator

#endif  // ANDREA_SIMULATOR_REWRITER_LINT_CONTEXT_H_
