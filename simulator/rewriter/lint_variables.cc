#include <algorithm>
#include <string>

#include "simulator/rewriter/lint_rules.h"
#include "simulator/rewriter/word_list.h"

namespace simulator {
namespace {

constexpr std::size_t kNone = Region::kNone;

bool is_assignment(const Token& token) {
  return is_one_of(token.text,
                   {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"});
}

template <typename Predicate>
bool all(const std::vector<const Variable*>& variables, Predicate predicate) {
  return std::all_of(variables.begin(), variables.end(),
                     [&](const Variable* variable) { return predicate(*variable); });
}

bool is_on_device(const Variable& variable) {
  return variable.qualifiers.is_device || variable.qualifiers.is_constant ||
         variable.qualifiers.is_managed || variable.qualifiers.is_shared;
}

// What a kernel finds in the registers that say where it is.
bool is_index_of_cuda(std::string_view word) {
  return is_one_of(word, {"threadIdx", "blockIdx", "blockDim", "gridDim"});
}

bool is_constant(const Variable& variable) {
  return variable.qualifiers.is_const || variable.qualifiers.is_constexpr;
}

// nvcc puts the value of a constant scalar where it is used; an array needs memory.
bool is_host_memory(const Variable& variable) {
  return !is_on_device(variable) && (!is_constant(variable) || variable.is_array);
}

class VariableRules {
 public:
  VariableRules(LintContext& context, const Function& function)
      : context_(context), code_(context.code()), function_(function) {}

  void check(std::string_view name, const std::vector<std::size_t>& uses) {
    const std::vector<const Variable*>& variables = context_.variables(name);
    if (variables.empty() && is_index_of_cuda(name)) return check_index(name, uses);
    if (variables.empty() || !context_.are_clear(variables) || context_.may_declare(uses)) return;
    if (!context_.functions(name).empty()) return;
    for (const std::size_t use : uses) {
      if (context_.is_unevaluated(use)) continue;
      if (function_.is_device_only()) {
        check_in_device_code(variables, use);
      } else if (function_.is_host_only()) {
        check_in_host_code(variables, use);
      }
    }
  }

 private:
  void check_index(std::string_view name, const std::vector<std::size_t>& uses) {
    if (!function_.is_host_only() || has_device_parts() || context_.may_declare(uses)) return;
    if (!context_.functions(name).empty() || context_.file().macro_names.count(name) != 0) return;
    for (const std::size_t use : uses) {
      if (context_.is_unevaluated(use) || !code_.is(code_.next(use), ".")) continue;
      context_.report(use,
                      std::string(name) +
                          " exists in kernels only, one for each thread of the GPU; a host "
                          "function has none (nvcc compiles this, and its linker does not find "
                          "it). If this function is meant for the device, declare it "
                          "__device__");
    }
  }

  void check_in_device_code(const std::vector<const Variable*>& variables, std::size_t use) {
    const std::string name = context_.text(use);
    const bool is_array = all(variables, [](const Variable& v) { return v.is_array; });
    const bool are_constant = all(variables, is_constant);
    // Whether an array of constants needs memory may depend on what is done with it.
    const bool needs_memory = !is_array || !are_constant || code_.is(code_.next(use), "[");
    if (all(variables, is_host_memory) && needs_memory) {
      context_.report(use, name +
                               " is a variable of the host, and device code has other memory. Pass "
                               "its value to the kernel as an argument, or declare it " +
                               (are_constant ? std::string("__constant__")
                                             : std::string("__device__ (or __constant__) and fill "
                                                           "it with cudaMemcpyToSymbol")));
    }
    const bool is_value = are_constant && !is_array && !all(variables, is_on_device);
    if (is_value && needs_place(use)) {
      context_.report(use, name +
                               " is a constant of the host: device code has its value, and nothing "
                               "that a reference or a pointer could mean. Pass a value (" +
                               name +
                               " + 0), copy it into a local variable first, or make it a constexpr "
                               "of the function or a __constant__ variable");
    }
    if (all(variables, [](const Variable& v) { return v.qualifiers.is_constant; }) &&
        is_written(use)) {
      context_.report(use, name +
                               " is __constant__: device code can only read it, which is what its "
                               "cache relies on. Declare it __device__ if kernels are to write it, "
                               "or let the host write it with cudaMemcpyToSymbol");
    }
  }

  void check_in_host_code(const std::vector<const Variable*>& variables, std::size_t use) {
    const bool is_on_device_only = all(variables, [](const Variable& v) {
      return (v.qualifiers.is_device || v.qualifiers.is_constant) && !v.qualifiers.is_managed &&
             !v.qualifiers.is_constexpr && !v.qualifiers.is_const;
    });
    if (!is_on_device_only || has_device_parts() || is_argument_of_symbol_function(use)) return;
    const bool is_array = all(variables, [](const Variable& v) { return v.is_array; });
    const bool writes = is_written(use);
    if (!writes && !(is_array ? is_element(use) : is_read(use))) return;
    const std::string name = context_.text(use);
    context_.report(
        use,
        name +
            " is in the device's memory; host code that names it gets a copy of "
            "the host's own, which no kernel ever sees. Use " +
            (writes
                 ? "cudaMemcpyToSymbol(" + name + ", &value, sizeof(" + name + ")) to write it"
                 : "cudaMemcpyFromSymbol(&value, " + name + ", sizeof(" + name + ")) to read it"));
  }

  // Whether the use is surely &name, the value of a const T& that is declared, or an argument whose
  // parameter is a const T&.
  bool needs_place(std::size_t use) const {
    const std::size_t before = code_.previous(use);
    const std::size_t after = code_.next(use);
    if (code_.is(before, "&")) {
      const std::size_t operand = code_.previous(before);
      return operand != kNone &&
             is_one_of(code_.token(operand).text, {"=", "(", ",", "return", "{"});
    }
    if (code_.is(before, "=") && code_.is(after, ";")) {
      const std::size_t name = code_.previous(before);
      return code_.is_identifier(name) && code_.is(code_.previous(name), "&");
    }
    const bool is_argument = (code_.is(before, "(") || code_.is(before, ",")) &&
                             (code_.is(after, ")") || code_.is(after, ","));
    const std::size_t open = code_.bracket(use);
    if (!is_argument || !code_.is(open, "(")) return false;
    const std::size_t callee = code_.previous(open);
    if (!code_.is_identifier(callee) || !context_.is_call(callee)) return false;
    if (code_.is(code_.previous(callee), "::") || code_.is(code_.previous(callee), ".") ||
        code_.is(code_.previous(callee), "->")) {
      return false;
    }
    const std::size_t commas = commas_between(open, use);
    const std::vector<const Function*>& functions = context_.functions(code_.token(callee).text);
    return commas != kNone && !functions.empty() && context_.are_clear(functions) &&
           std::all_of(functions.begin(), functions.end(), [&](const Function* function) {
             return takes_reference(*function, commas);
           });
  }

  // Of the bracket itself; kNone where a < may be a template's.
  std::size_t commas_between(std::size_t open, std::size_t end) const {
    std::size_t commas = 0;
    for (std::size_t i = code_.next(open); i != kNone && i != end; i = code_.next(i)) {
      if (code_.is(i, "<")) return kNone;
      if (code_.is(i, ",") && code_.bracket(i) == open) ++commas;
    }
    return commas;
  }

  bool takes_reference(const Function& function, std::size_t parameter) const {
    bool is_reference = false;
    std::size_t at = 0;
    for (std::size_t i = code_.next(function.parameters_open);
         i != kNone && i != function.parameters_close; i = code_.next(i)) {
      if (code_.is(i, "<")) return false;
      if (code_.is(i, ",") && code_.bracket(i) == function.parameters_open) ++at;
      if (at == parameter && code_.is(i, "&")) is_reference = true;
      if (at == parameter && code_.is(i, "...")) return false;
    }
    return is_reference;
  }

  // name = .., name[..] += .., ++name.x
  bool is_written(std::size_t use) const {
    const std::size_t before = code_.previous(use);
    if (code_.is(before, "++") || code_.is(before, "--")) return true;
    std::size_t after = code_.next(use);
    while (after != kNone) {
      if (code_.is(after, "[")) {
        after = code_.partner(after) == kNone ? kNone : code_.next(code_.partner(after));
      } else if (code_.is(after, ".")) {
        after = code_.next(code_.next(after));
      } else {
        return is_assignment(code_.token(after));
      }
    }
    return false;
  }

  bool is_element(std::size_t use) const {
    return code_.is(code_.next(use), "[") && !code_.is(code_.previous(use), "&");
  }

  // Surely by value: x = name; return name; 1 + name.
  bool is_read(std::size_t use) const {
    const std::size_t before = code_.previous(use);
    if (before == kNone) return false;
    const bool is_operand =
        is_one_of(code_.token(before).text, {"=", "return", "+", "-", "/", "<", "==", "+="});
    // `auto& x = name` takes the address.
    for (std::size_t i = before; i != kNone && !code_.is(i, ";") && !code_.is(i, "{");
         i = code_.previous(i)) {
      if (code_.is(i, "&") || code_.is(i, "*")) return false;
    }
    return is_operand;
  }

  // cudaMemcpyToSymbol(name, ..) and whatever else has Symbol in its name.
  bool is_argument_of_symbol_function(std::size_t use) const {
    for (std::size_t open = code_.bracket(use); code_.is(open, "("); open = code_.bracket(open)) {
      std::size_t callee = code_.previous(open);
      if (code_.is(callee, ">")) return true;  // f<T>(name): not looked into.
      if (code_.is_identifier(callee) &&
          code_.token(callee).text.find("ymbol") != std::string_view::npos) {
        return true;
      }
    }
    return false;
  }

  bool has_device_parts() const {
    for (std::size_t i = function_.body_open; i < function_.body_close; i = code_.next(i)) {
      if (code_.is(i, "__device__")) return true;
    }
    return false;
  }

  LintContext& context_;
  const Region& code_;
  const Function& function_;
};

}  // namespace

void lint_variables(LintContext& context, const Function& function, const LintContext::Uses& uses) {
  // In a member function the name may be a member's, also a base class's.
  const Region& code = context.code();
  if (function.is_member || code.is(code.previous(function.name), "::")) return;
  VariableRules rules(context, function);
  for (const auto& [name, positions] : uses) rules.check(name, positions);
}

}  // namespace simulator
