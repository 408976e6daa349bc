#include <algorithm>
#include <string>

#include "simulator/rewriter/lint_rules.h"
#include "simulator/rewriter/word_list.h"

namespace simulator {
namespace {

// Names that CUDA's headers overload for the device: a host function of the file is one more.
bool is_overloaded_by_cuda(std::string_view word) {
  return word.starts_with("__") ||
         is_one_of(word,
                   {"min",  "max", "abs",   "sqrt",  "rsqrt", "exp",     "log",   "pow",  "sin",
                    "cos",  "tan", "tanh",  "floor", "ceil",  "round",   "trunc", "fabs", "fmin",
                    "fmax", "fma", "fmod",  "isnan", "isinf", "signbit", "exp2",  "log2", "log10",
                    "cbrt", "erf", "hypot", "norm",  "atan",  "sinh",    "cosh"});
}

// Functions of the device that every program sees.
bool is_device_function_of_cuda(std::string_view word) {
  return is_one_of(word, {"__syncthreads",
                          "__syncwarp",
                          "__threadfence",
                          "__threadfence_block",
                          "__shfl_sync",
                          "__shfl_up_sync",
                          "__shfl_down_sync",
                          "__shfl_xor_sync",
                          "__ballot_sync",
                          "__any_sync",
                          "__all_sync",
                          "__activemask",
                          "__syncthreads_or",
                          "__syncthreads_and",
                          "__syncthreads_count",
                          "__ldg",
                          "__expf",
                          "__logf",
                          "__fdividef",
                          "__popc",
                          "__clz",
                          "__ffs",
                          "clock64",
                          "atomicAdd",
                          "atomicSub",
                          "atomicMax",
                          "atomicMin",
                          "atomicExch",
                          "atomicCAS",
                          "atomicAnd",
                          "atomicOr"});
}

// Functions of the C library and of the runtime that only the host has.
bool is_host_function_of_libraries(std::string_view word) {
  return is_one_of(word,
                   {"fprintf", "puts",  "putchar", "scanf",  "sprintf",    "snprintf",  "fopen",
                    "fclose",  "fread", "fwrite",  "fflush", "rand",       "srand",     "exit",
                    "abort",   "time",  "strlen",  "strcmp", "cudaMemcpy", "cudaMemset"});
}

template <typename Predicate>
bool all(const std::vector<const Function*>& functions, Predicate predicate) {
  return std::all_of(functions.begin(), functions.end(),
                     [&](const Function* function) { return predicate(*function); });
}

// What is called `name` for a learner: "the kernel k", "the __device__ function f".
std::string described(const LintContext& context, const Function& function) {
  const std::string kind = function.qualifiers.is_global   ? "the kernel "
                           : function.qualifiers.is_device ? "the __device__ function "
                                                           : "the host function ";
  if (function.name == Region::kNone) return kind + "operator";
  return kind + context.text(function.name);
}

class CallRules {
 public:
  CallRules(LintContext& context, const Function& caller) : context_(context), caller_(caller) {
    const Region& code = context.code();
    for (std::size_t i = caller.body_open; i < caller.body_close; i = code.next(i)) {
      has_device_parts_ |= code.is(i, "__device__") || code.is(i, "__global__");
      chooses_at_compile_time_ |= code.is(i, "constexpr") && code.is(code.previous(i), "if");
    }
  }

  void check(std::string_view name, const std::vector<std::size_t>& uses) {
    std::vector<std::size_t> calls;
    for (const std::size_t use : uses) {
      if (context_.is_call(use)) {
        calls.push_back(use);
      } else if (!context_.is_launch(use)) {
        return;  // A name that is also used otherwise may be a local variable.
      }
    }
    const std::vector<const Function*>& functions = context_.functions(name);
    if (functions.empty()) {
      check_library(name, calls);
    } else if (context_.are_clear(functions)) {
      check_functions(name, functions, calls);
    }
  }

 private:
  void check_functions(std::string_view name, const std::vector<const Function*>& functions,
                       const std::vector<std::size_t>& calls) {
    const std::string text(name);
    if (all(functions, [](const Function& f) { return f.qualifiers.is_global; })) {
      report(calls, text + " is a kernel and is launched, not called: write " + text +
                        "<<<blocks, threads_per_block>>>(arguments)");
      return;
    }
    if (caller_.is_device_only() && !is_overloaded_by_cuda(name) && !chooses_at_compile_time_ &&
        all(functions, [](const Function& f) { return f.is_host_only(); })) {
      check_host_function(text, functions, calls);
    }
    if (caller_.is_host_only() && !has_device_parts_ && all(functions, [](const Function& f) {
          return f.is_device_only() && !f.qualifiers.is_global && !f.qualifiers.is_constexpr;
        })) {
      report(calls, described(context_, caller_) + " calls " + text +
                        ", which is a __device__ function and exists on the device only. Call it "
                        "from a kernel, or declare it __host__ __device__ if the host needs it "
                        "too");
    }
  }

  void check_host_function(const std::string& name, const std::vector<const Function*>& functions,
                           const std::vector<std::size_t>& calls) {
    const bool is_constexpr =
        all(functions, [](const Function& f) { return f.qualifiers.is_constexpr; });
    const std::string caller = described(context_, caller_);
    if (!is_constexpr) {
      if (!all(functions, [](const Function& f) { return !f.qualifiers.is_constexpr; })) return;
      report(calls, caller + " calls " + name +
                        ", which is a host function: it has no code for the device. Declare " +
                        name +
                        " as __device__, or as __host__ __device__ if the host calls it too");
    } else if (!context_.options().relaxed_constexpr) {
      report(calls, caller + " calls " + name +
                        ", a constexpr function of the host, which nvcc takes only with its option "
                        "--expt-relaxed-constexpr. Declare " +
                        name +
                        " as __host__ __device__ constexpr, or give that option here and "
                        "there");
    }
  }

  void check_library(std::string_view name, const std::vector<std::size_t>& calls) {
    if (context_.file().macro_names.count(name) != 0) return;
    const std::string text(name);
    if (caller_.is_host_only() && !has_device_parts_ && is_device_function_of_cuda(name)) {
      report(calls, described(context_, caller_) + " calls " + text +
                        ", which only device code can call. If this function is meant for the "
                        "device, declare it __device__");
    }
    if (caller_.is_device_only() && is_host_function_of_libraries(name)) {
      report(calls, described(context_, caller_) + " calls " + text +
                        ", which exists on the host only. Of the output functions the device has "
                        "printf; everything else has to be done before the launch or after it");
    }
  }

  void report(const std::vector<std::size_t>& calls, const std::string& sentence) {
    for (const std::size_t call : calls) context_.report(call, sentence);
  }

  LintContext& context_;
  const Function& caller_;
  bool has_device_parts_ = false;         // Such as a lambda for the device in a host function.
  bool chooses_at_compile_time_ = false;  // By `if constexpr`, which may leave a call out.
};

}  // namespace

void lint_calls(LintContext& context, const Function& function, const LintContext::Uses& uses) {
  CallRules rules(context, function);
  for (const auto& [name, positions] : uses) rules.check(name, positions);
}

}  // namespace simulator
