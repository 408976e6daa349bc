#include <set>
#include <string>
#include <string_view>

#include "simulator/rewriter/lint_rules.h"
#include "simulator/rewriter/word_list.h"

namespace simulator {
namespace {

constexpr std::size_t kNone = Region::kNone;

bool is_integer_type(std::string_view word) {
  return is_one_of(word, {"int", "unsigned", "long", "short", "char", "size_t", "uint", "int32_t",
                          "uint32_t", "int64_t", "uint64_t", "ptrdiff_t"});
}

// Two names side by side are a declaration, but for these as the first.
bool is_no_type(std::string_view word) {
  return is_one_of(
      word, {"return", "else", "do", "case", "goto", "new", "delete", "throw", "sizeof", "operator",
             "co_return", "co_yield", "co_await", "and", "or", "not", "xor", "typename", "using"});
}

// Arrays whose size is known only when the kernel runs.
class ArrayRules {
 public:
  ArrayRules(LintContext& context, const Function& function)
      : context_(context), code_(context.code()), function_(function) {}

  void check() {
    find_parameters();
    for (std::size_t i = function_.body_open; i < function_.body_close; i = code_.next(i)) {
      if (!code_.is_identifier(i) || !code_.is_identifier(code_.previous(i))) continue;
      if (is_integer_type(code_.token(code_.previous(i)).text) && code_.is(code_.next(i), "=")) {
        add_local(i);
      } else if (code_.is(code_.next(i), "[")) {
        check_array(i);
      }
    }
  }

 private:
  // Parameters of integer types.
  void find_parameters() {
    for (std::size_t i = function_.parameters_open; i < function_.parameters_close;
         i = code_.next(i)) {
      if (code_.is_identifier(i) && code_.is_identifier(code_.previous(i)) &&
          is_integer_type(code_.token(code_.previous(i)).text) &&
          (code_.is(code_.next(i), ",") || code_.is(code_.next(i), ")"))) {
        varying_.insert(code_.token(i).text);
      }
    }
  }

  // int name = ..; a const one varies if its value does.
  void add_local(std::size_t name) {
    bool is_fixed = false;
    for (std::size_t i = code_.previous(name); code_.is_identifier(i); i = code_.previous(i)) {
      is_fixed = is_fixed || is_one_of(code_.token(i).text, {"const", "constexpr", "static"});
    }
    std::size_t end = code_.next(name);
    while (end != kNone && !code_.is(end, ";") && !code_.is(end, ",")) end = code_.next(end);
    if (!is_fixed || varies(code_.next(name), end)) varying_.insert(code_.token(name).text);
  }

  // Whether a number between the two is surely known only when the kernel runs.
  bool varies(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i != kNone && i != end; i = code_.next(i)) {
      if (!code_.is_identifier(i) || context_.is_unevaluated(i)) continue;
      const std::size_t before = code_.previous(i);
      if (code_.is(before, ".") || code_.is(before, "->") || code_.is(before, "::")) continue;
      const std::size_t after = code_.next(i);
      const std::string_view word = code_.token(i).text;
      if (context_.file().macro_names.count(word) != 0) return false;
      const bool is_plain =
          !code_.is(after, "(") && !code_.is(after, "::") && !code_.is(after, ".");
      if (is_plain && varying_.count(word) != 0) return true;
      if (code_.is(after, ".") && is_one_of(word, {"threadIdx", "blockIdx", "blockDim", "gridDim"}))
        return true;
    }
    return false;
  }

  void check_array(std::size_t name) {
    const std::string_view type = code_.token(code_.previous(name)).text;
    if (is_no_type(type) || context_.file().macro_names.count(type) != 0) return;
    bool is_shared = false;
    for (std::size_t i = code_.previous(name); code_.is_identifier(i); i = code_.previous(i)) {
      is_shared = is_shared || code_.is(i, "__shared__");
    }
    for (std::size_t open = code_.next(name); code_.is(open, "[");
         open = code_.next(code_.partner(open))) {
      if (code_.partner(open) == kNone) return;
      if (!varies(code_.next(open), code_.partner(open))) continue;
      context_.report(
          name, "the size of " + context_.text(name) +
                    " is known only when the kernel runs, and nvcc takes no such array in device "
                    "code. " +
                    (is_shared ? "Declare it extern __shared__ without a size, and give the bytes "
                                 "as the third number of the launch"
                               : "Make the size a constant or a template parameter, or use memory "
                                 "that the host allocates or that the launch shares (extern "
                                 "__shared__)"));
      return;
    }
  }

  LintContext& context_;
  const Region& code_;
  const Function& function_;
  std::set<std::string_view> varying_;  // Numbers that the kernel learns when it runs.
};

}  // namespace

void lint_arrays(LintContext& context, const Function& function) {
  ArrayRules(context, function).check();
}

}  // namespace simulator
