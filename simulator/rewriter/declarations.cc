#include "simulator/rewriter/declarations.h"

#include <map>

#include "simulator/rewriter/template_list.h"
#include "simulator/rewriter/word_list.h"

namespace simulator {
namespace {

constexpr std::size_t kNone = Region::kNone;
// A longer head of a class is none; the limit keeps damaged text from costing quadratic time.
constexpr int kLongestHead = 1000;

// Words before a ( that begins no parameters.
bool takes_attribute_arguments(std::string_view word) {
  return is_one_of(
      word, {"__attribute__", "__align__", "alignas", "__launch_bounds__", "__declspec", "decltype",
             "noexcept", "explicit", "__cluster_dims__", "__block_size__", "__maxnreg__", "throw"});
}

// Words that may stand between the parameters and the body.
bool follows_parameters(std::string_view word) {
  return is_one_of(word, {"const", "noexcept", "override", "final", "volatile", "__attribute__",
                          "try", "mutable"});
}

// A name in capitals that the file does not define may be a macro for anything.
bool looks_like_macro(std::string_view word) {
  return word.size() > 1 &&
         word.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos &&
         word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos;
}

struct Scope {
  std::size_t begin, end;  // The tokens from `begin` to before `end`.
  bool is_class = false;
  bool is_template = false;
};

// A declaration as far as it has been read.
struct Pending {
  Function function;
  std::vector<std::size_t> variables = {};  // Names.
  std::size_t last = kNone;                 // The token before, outside of brackets.
  bool has_initialiser = false;             // Behind = or in braces.
  bool is_operator = false;
  bool in_constructor_list = false;
  bool has_arrow = false;

  bool has_parameters() const { return function.parameters_open != kNone; }
};

class Scanner {
 public:
  explicit Scanner(const SourceRegions& file) : region_(file.code) {
    for (const Region& macro : file.macros) macros_[macro.macro()].push_back(&macro);
  }

  Declarations scan() {
    scopes_.push_back({region_.size() == 0 ? kNone : 0, kNone});
    // Inner scopes are put at the end while their outer one is read.
    for (std::size_t i = 0; i < scopes_.size(); ++i) {
      const Scope scope = scopes_[i];
      for (std::size_t at = scope.begin; at != kNone && at != scope.end;) {
        const std::size_t next = read(at, scope);
        at = next == kNone || next <= at || next > scope.end ? kNone : next;
      }
    }
    return std::move(declarations_);
  }

 private:
  std::size_t behind_statement(std::size_t at) const {
    while (at != kNone && !region_.is(at, ";")) {
      if (region_.is(at, "}")) return at;
      if (region_.is(at, "(") || region_.is(at, "[") || region_.is(at, "{")) {
        if (region_.partner(at) == kNone) return kNone;
        at = region_.partner(at);
      }
      at = region_.next(at);
    }
    return region_.next(at);
  }

  // Reads what begins at `at`; gives back where the next declaration begins.
  std::size_t read(std::size_t at, const Scope& scope) {
    if (region_.is(at, ";") || region_.is(at, "}")) return region_.next(at);
    if (region_.is(region_.next(at), ":") &&
        (region_.is(at, "public") || region_.is(at, "private") || region_.is(at, "protected"))) {
      return region_.next(region_.next(at));
    }
    if (is_one_of(region_.token(at).text, {"using", "typedef", "static_assert", "concept", "asm",
                                           "__asm__", "enum", "friend"}))
      return behind_statement(at);
    const bool is_linkage = region_.is(at, "extern") && region_.next(at) != kNone &&
                            region_.token(region_.next(at)).kind == TokenKind::string;
    if (is_linkage && region_.is(region_.next(region_.next(at)), "{")) {
      return enter(region_.next(region_.next(at)), scope, false, false);
    }
    if (region_.is(at, "namespace") ||
        (region_.is(at, "inline") && region_.is(region_.next(at), "namespace"))) {
      while (at != kNone && !region_.is(at, "{") && !region_.is(at, ";")) at = region_.next(at);
      return region_.is(at, "{") ? enter(at, scope, false, false) : region_.next(at);
    }
    return read_declaration(at, scope);
  }

  // Notes the scope in these braces; gives back what follows them.
  std::size_t enter(std::size_t brace, const Scope& outer, bool is_class, bool is_template) {
    const std::size_t end = region_.partner(brace);
    if (end == kNone) return kNone;
    scopes_.push_back(
        {region_.next(brace), end, is_class || outer.is_class, is_template || outer.is_template});
    return region_.next(end);
  }

  std::size_t read_declaration(std::size_t at, const Scope& scope) {
    Pending pending{
        {{}, at, kNone, kNone, kNone, kNone, kNone, scope.is_class, false, scope.is_template}};
    while (region_.is(at, "template")) {
      const std::size_t open = region_.next(at);
      const std::size_t end = region_.is(open, "<") ? template_list_end(region_, open) : kNone;
      if (end == kNone) return behind_statement(at);
      pending.function.is_template = true;
      at = region_.next(end);
      if (region_.is(at, "requires")) pending.function.qualifiers.is_unclear = true;
      if (region_.is(at, "concept")) return behind_statement(at);
    }
    pending.function.begin = at;
    for (; at != kNone; pending.last = at, at = region_.next(at)) {
      const Token& token = region_.token(at);
      if (token.is(";") || token.is("}")) {
        finish(pending, scope);
        return token.is("}") ? at : region_.next(at);
      }
      if (token.is("(") || token.is("[") || token.is("{")) {
        const std::size_t end = region_.partner(at);
        if (end == kNone) return kNone;
        if (token.is("{") && is_body(pending)) {
          pending.function.body_open = at;
          pending.function.body_close = end;
          declarations_.functions.push_back(pending.function);
          return region_.next(end);
        }
        read_bracket(pending, at);
        at = end;
      } else if (token.kind == TokenKind::identifier) {
        if (!pending.has_initialiser) at = read_word(pending, at, scope);
      } else {
        at = read_operator(pending, at);
      }
    }
    return kNone;
  }

  void finish(Pending& pending, const Scope& scope) {
    if (pending.has_parameters()) {
      declarations_.functions.push_back(pending.function);
    } else if (!pending.has_initialiser) {
      add_variable(pending);
    }
    if (!scope.is_class) add_variables(pending);
  }

  bool is_body(const Pending& pending) const {
    const bool is_member_initialiser =
        pending.in_constructor_list &&
        (region_.is_identifier(pending.last) || region_.is(pending.last, ">"));
    return pending.has_parameters() && !pending.has_initialiser && !is_member_initialiser;
  }

  void read_bracket(Pending& pending, std::size_t open) const {
    if (region_.is(open, "(")) {
      const bool is_name = region_.is_identifier(pending.last) &&
                           !takes_attribute_arguments(region_.token(pending.last).text);
      if (pending.has_parameters() || pending.has_initialiser || !pending.variables.empty()) return;
      if (!is_name && !pending.is_operator) return;
      pending.function.name = pending.is_operator ? kNone : pending.last;
      pending.function.parameters_open = open;
      pending.function.parameters_close = region_.partner(open);
    } else if (!pending.has_initialiser && !pending.has_parameters()) {
      add_variable(pending);
      if (region_.is(open, "{")) pending.has_initialiser = true;
    }
  }

  std::size_t read_operator(Pending& pending, std::size_t at) const {
    const Token& token = region_.token(at);
    if (token.is("=") && !pending.is_operator) {
      if (!pending.has_parameters()) add_variable(pending);
      pending.has_initialiser = true;
    } else if (token.is(",") && !pending.has_parameters()) {
      if (!pending.has_initialiser) add_variable(pending);
      pending.has_initialiser = false;
    } else if (token.is("<") && !pending.has_initialiser && region_.is_identifier(pending.last)) {
      const std::size_t end = template_list_end(region_, at);
      if (end != kNone) return end;
    } else if (token.is(":") && pending.has_parameters()) {
      pending.in_constructor_list = true;
    } else if (token.is("->")) {
      pending.has_arrow = true;
    }
    return at;
  }

  // Gives back the last token that belongs to the word: a class's }.
  std::size_t read_word(Pending& pending, std::size_t at, const Scope& scope) {
    const std::string_view word = region_.token(at).text;
    Qualifiers& qualifiers = pending.function.qualifiers;
    if (word == "operator") pending.is_operator = true;
    if (pending.has_parameters()) {
      if (pending.in_constructor_list || pending.is_operator || pending.has_arrow ||
          follows_parameters(word)) {
        return at;
      }
      // What looked like parameters was a macro's arguments, which may stand for any qualifier.
      pending.function.name = kNone;
      pending.function.parameters_open = pending.function.parameters_close = kNone;
      qualifiers.is_unclear = true;
    }
    if (word == "struct" || word == "class" || word == "union") {
      const std::size_t brace = class_body(at);
      if (brace != kNone && region_.partner(brace) != kNone) {
        enter(brace, scope, true, pending.function.is_template);
        return region_.partner(brace);
      }
    }
    qualifiers |= qualifiers_of(word, 0);
    // The declared name itself may be in capitals.
    const std::size_t next = region_.next(at);
    const bool is_before_name =
        region_.is_identifier(next) || region_.is(next, "*") || region_.is(next, "&");
    if (is_before_name && looks_like_macro(word) && macros_.count(word) == 0) {
      qualifiers.is_unclear = true;
    }
    return at;
  }

  // The { of the class that the class-key here begins to define; kNone if it only names one.
  std::size_t class_body(std::size_t at) const {
    int tokens = 0;
    for (std::size_t i = region_.next(at); i != kNone; i = region_.next(i)) {
      if (++tokens > kLongestHead) return kNone;
      if (region_.is(i, "{")) return i;
      if (region_.is(i, ";") || region_.is(i, "=") || region_.is(i, "*") || region_.is(i, "&") ||
          region_.is(i, ")") || region_.is(i, "}")) {
        return kNone;
      }
      if (region_.is(i, "(") || region_.is(i, "[")) {
        const bool is_attribute =
            region_.is(i, "[") ||
            (region_.is_identifier(region_.previous(i)) &&
             takes_attribute_arguments(region_.token(region_.previous(i)).text));
        if (!is_attribute || region_.partner(i) == kNone) return kNone;
        i = region_.partner(i);
      } else if (region_.is(i, "<")) {
        const std::size_t end = template_list_end(region_, i);
        if (end == kNone) return kNone;
        i = end;
      }
    }
    return kNone;
  }

  Qualifiers qualifiers_of(std::string_view word, int depth) const {
    Qualifiers found;
    if (word == "__global__") found.is_global = true;
    if (word == "__device__") found.is_device = true;
    if (word == "__host__") found.is_host = true;
    if (word == "__shared__") found.is_shared = true;
    if (word == "__constant__") found.is_constant = true;
    if (word == "__managed__") found.is_managed = true;
    if (word == "constexpr" || word == "consteval") found.is_constexpr = true;
    if (word == "const") found.is_const = true;
    if (word == "extern") found.is_extern = true;
    const auto macro = macros_.find(word);
    if (macro == macros_.end()) return found;
    constexpr int kDeepestMacro = 4;
    if (depth > kDeepestMacro) found.is_unclear = true;
    // Each definition is of another branch of an #if: what any of them says may hold.
    for (const Region* body : macro->second) {
      for (std::size_t i = 0; i < body->size() && !found.is_unclear; ++i) {
        if (body->is_identifier(i)) found |= qualifiers_of(body->token(i).text, depth + 1);
      }
    }
    return found;
  }

  void add_variable(Pending& pending) const {
    std::vector<std::size_t>& names = pending.variables;
    if (!region_.is_identifier(pending.last)) return;
    if (names.empty() || names.back() != pending.last) names.push_back(pending.last);
  }

  void add_variables(const Pending& pending) {
    for (const std::size_t name : pending.variables) {
      // A lone word is a macro's call; behind a class-key it names the class.
      const std::size_t before = region_.previous(name);
      if (name == pending.function.begin || region_.is(before, "::") ||
          region_.is(before, "struct") || region_.is(before, "class")) {
        continue;
      }
      declarations_.variables.push_back(
          {pending.function.qualifiers, name, region_.is(region_.next(name), "[")});
    }
  }

  const Region& region_;
  std::map<std::string_view, std::vector<const Region*>> macros_;
  std::vector<Scope> scopes_;
  Declarations declarations_;
};

}  // namespace

Qualifiers& Qualifiers::operator|=(const Qualifiers& other) {
  is_global |= other.is_global;
  is_device |= other.is_device;
  is_host |= other.is_host;
  is_shared |= other.is_shared;
  is_constant |= other.is_constant;
  is_managed |= other.is_managed;
  is_constexpr |= other.is_constexpr;
  is_const |= other.is_const;
  is_extern |= other.is_extern;
  is_unclear |= other.is_unclear;
  return *this;
}

Declarations find_declarations(const SourceRegions& file) { return Scanner(file).scan(); }

}  // namespace simulator
