#include <string>
#include <utility>
#include <vector>

#include "simulator/rewriter/lint_rules.h"
#include "simulator/rewriter/template_list.h"
#include "simulator/rewriter/word_list.h"

namespace simulator {
namespace {

constexpr std::size_t kNone = Region::kNone;

// Objects and functions of std that only the host has.
bool is_host_only(std::string_view word) {
  return is_one_of(
      word, {"cout", "cerr", "clog", "cin", "getline", "to_string", "rand", "exit", "abort"});
}

// Types of std whose objects only the host can have.
bool is_host_type(std::string_view word) {
  return is_one_of(word, {"vector", "string", "map", "unordered_map", "set", "unordered_set",
                          "list", "deque", "unique_ptr", "shared_ptr", "function", "queue"});
}

bool is_constexpr_function(std::string_view word) {
  return is_one_of(word,
                   {"max", "min", "clamp", "swap", "sort", "fill", "copy", "accumulate", "iota"});
}

// The instruction's name in the text of an asm statement: "cp.async.cg.shared.global".
std::string instruction_of(std::string_view literal) {
  std::size_t begin = literal.find('"');
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  const auto is_name_part = [](char c) {
    return c == '.' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == ':';
  };
  while (begin < literal.size()) {
    if (literal[begin] == '\\') {
      begin += 2;  // \n and \t
      continue;
    }
    if (literal[begin] == ' ' || literal[begin] == '{' || literal[begin] == '\n') {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < literal.size() && is_name_part(literal[end])) ++end;
    return std::string(literal.substr(begin, end - begin));
  }
  return "";
}

bool is_asm(const Region& region, std::size_t at) {
  if (!region.is(at, "asm") && !region.is(at, "__asm__") && !region.is(at, "__asm")) return false;
  std::size_t next = region.next(at);
  while (region.is(next, "volatile") || region.is(next, "__volatile__")) next = region.next(next);
  return region.is(next, "(");
}

void report_asm(LintContext& context, const Region& region, std::size_t at) {
  std::string instruction;
  for (std::size_t i = at; i != kNone && !region.is(i, ";"); i = region.next(i)) {
    if (region.is(i, ")") || region.is(i, ":")) break;
    if (region.token(i).kind != TokenKind::string) continue;
    instruction = instruction_of(region.token(i).text);
    if (!instruction.empty() && instruction[0] != '.') break;  // Not a .reg declaration.
  }
  context.report(region.token(at),
                 "the simulator runs CUDA C++ and no inline PTX" +
                     (instruction.empty() ? std::string() : " (here: " + instruction + ")") +
                     ". Use CUDA's function for it where there is one; tensor_core.h has the "
                     "instructions of tensor cores as functions",
                 Finding::Kind::unsupported);
}

class DeviceCodeRules {
 public:
  DeviceCodeRules(LintContext& context, const Function& function)
      : context_(context), code_(context.code()), function_(function) {}

  void check() {
    for (std::size_t i = function_.body_open; i < function_.body_close; i = code_.next(i)) {
      if (!code_.is_identifier(i)) continue;
      if (is_asm(code_, i)) report_asm(context_, code_, i);
      check_macro(i);
      // In a function of both sides nvcc judges such things by who calls it.
      if (function_.is_device_only()) {
        check_word(i);
        if (code_.is(i, "std") && code_.is(code_.next(i), "::")) check_std(i);
      }
    }
  }

 private:
  void check_word(std::size_t at) {
    const std::string_view word = code_.token(at).text;
    if (word == "throw" || word == "try") {
      context_.report(at,
                      "device code has no exceptions. Write an error code to memory, or stop "
                      "with assert(false) or __trap()");
    } else if (word == "typeid" || word == "dynamic_cast") {
      context_.report(at, "device code has no type information at run time, so no " +
                              std::string(word) +
                              ". Use a template, or an enum that says which "
                              "type it is");
    } else if (word == "thread_local") {
      context_.report(at,
                      "device code has no thread_local: every plain local variable belongs to "
                      "one thread already, and __shared__ ones belong to the block");
    }
  }

  void check_std(std::size_t at) {
    const std::size_t name = code_.next(code_.next(at));
    if (!code_.is_identifier(name) || context_.is_unevaluated(at)) return;
    const std::string_view word = code_.token(name).text;
    const std::string text = "std::" + std::string(word);
    std::size_t after = code_.next(name);
    if (code_.is(after, "<")) {
      const std::size_t end = template_list_end(code_, after);
      after = end == kNone ? kNone : code_.next(end);
    }
    if (is_host_only(word)) {
      context_.report(at, text + " exists on the host only. Device code prints with printf");
    } else if (is_host_type(word) && code_.is_identifier(after)) {
      context_.report(at, text +
                              " exists on the host only: device code cannot run its functions. "
                              "Use an array, in __shared__ memory or behind a pointer "
                              "argument");
    } else if (is_constexpr_function(word) && code_.is(after, "(") &&
               !context_.options().relaxed_constexpr) {
      const bool has_own = word == "max" || word == "min";
      context_.report(at, text +
                              " is a constexpr function of the host, which nvcc takes in device "
                              "code only with its option --expt-relaxed-constexpr. " +
                              (has_own ? "Use " + std::string(word) +
                                             " without std::, which CUDA has for the device"
                                       : std::string("Write it out, or give that option here and "
                                                     "there")));
    } else if (word == "numeric_limits" && code_.is(after, "::") &&
               !context_.options().relaxed_constexpr) {
      check_limit(at, code_.next(after));
    }
  }

  void check_limit(std::size_t at, std::size_t member) {
    if (!code_.is(code_.next(member), "(")) return;
    context_.report(at,
                    "std::numeric_limits has constexpr functions of the host, which nvcc takes "
                    "in device code only with its option --expt-relaxed-constexpr. Use "
                    "INFINITY, FLT_MAX, INT_MAX and the like, or give that option here and "
                    "there");
  }

  // A macro of the file that stands for an asm statement, whichever of its definitions holds.
  void check_macro(std::size_t at) {
    const std::string_view name = code_.token(at).text;
    if (context_.file().macro_names.count(name) == 0) return;
    if (!context_.is_first_use_of_macro(name)) return;
    std::vector<std::pair<const Region*, std::size_t>> statements;
    for (const Region& macro : context_.file().macros) {
      if (macro.macro() != name) continue;
      std::size_t i = 0;
      while (i < macro.size() && !is_asm(macro, i)) ++i;
      if (i == macro.size()) return;
      statements.emplace_back(&macro, i);
    }
    for (const auto& [macro, statement] : statements) report_asm(context_, *macro, statement);
  }

  LintContext& context_;
  const Region& code_;
  const Function& function_;
};

}  // namespace

void lint_device_code(LintContext& context, const Function& function) {
  DeviceCodeRules(context, function).check();
}

}  // namespace simulator
