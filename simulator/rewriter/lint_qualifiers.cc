#include <string>

#include "simulator/rewriter/lint_rules.h"
#include "simulator/rewriter/template_list.h"
#include "simulator/rewriter/word_list.h"

namespace simulator {
namespace {

constexpr std::size_t kNone = Region::kNone;

bool is_value_type(std::string_view word) {
  return is_one_of(word, {"int", "float", "double", "bool", "char", "long", "short", "unsigned",
                          "float2", "float4", "size_t"});
}

// Only a type that is certainly not void counts.
void check_return_type(LintContext& context, const Function& function) {
  const Region& code = context.code();
  for (std::size_t i = function.begin; i != function.name && i != kNone; i = code.next(i)) {
    if (code.is(i, "(") || code.is(i, "[")) {
      i = code.partner(i);
      if (i == kNone) return;
      continue;
    }
    if (code.is(i, "<")) return;
    const bool is_wrong =
        code.is(i, "*") || (code.is_identifier(i) && is_value_type(code.token(i).text));
    if (!is_wrong) continue;
    context.report(function.name,
                   "a kernel returns nothing: nobody waits for a value where it is launched, and "
                   "every thread would have one. Declare " +
                       context.text(function.name) +
                       " as __global__ void and write results to memory that a pointer argument "
                       "gives");
    return;
  }
}

void check_kernel(LintContext& context, const Function& function) {
  if (!function.qualifiers.is_global || function.qualifiers.is_unclear) return;
  if (function.name == kNone) return;
  const std::string name = context.text(function.name);
  if (function.is_member) {
    context.report(function.name,
                   "a kernel cannot be a member of a class, not even a static one. Move " + name +
                       " out of the class and pass it what it needs");
    return;
  }
  if (function.qualifiers.is_device || function.qualifiers.is_host) {
    context.report(function.name,
                   std::string("__global__ cannot stand together with ") +
                       (function.qualifiers.is_device ? "__device__" : "__host__") +
                       ": a kernel is launched by the host and runs on the device. Put what both "
                       "share into a function of its own");
    return;
  }
  if (context.is_judged(function) || !function.is_template) check_return_type(context, function);
  const Region& code = context.code();
  const std::size_t last = code.previous(function.parameters_close);
  const std::size_t before = code.previous(last);
  if (code.is(last, "...") && (code.is(before, ",") || code.is(before, "("))) {
    context.report(last,
                   "a kernel cannot take a variable number of arguments by `...`. Name each "
                   "parameter, or make the kernel a template with a parameter pack");
  }
}

// The function whose body holds this position; or null.
const Function* function_around(const LintContext& context, std::size_t position) {
  for (const Function& function : context.declarations().functions) {
    if (function.has_body() && function.body_open < position && position < function.body_close) {
      return &function;
    }
  }
  return nullptr;
}

// The = or { of the declaration's initialiser; kNone if there is none.
std::size_t initialiser_of(const Region& code, std::size_t at) {
  for (; at != kNone && !code.is(at, ";"); at = code.next(at)) {
    if (code.is(at, "=") || code.is(at, "{")) return at;
    if (code.is(at, "<")) {
      const std::size_t end = template_list_end(code, at);
      if (end != kNone) at = end;
    } else if (code.is(at, "(") || code.is(at, "[")) {
      at = code.partner(at);
      if (at == kNone) return kNone;
    } else if (code.is(at, ")") || code.is(at, "}")) {
      return kNone;
    }
  }
  return kNone;
}

void check_shared(LintContext& context, std::size_t shared) {
  const Region& code = context.code();
  const Function* function = function_around(context, shared);
  if (function == nullptr || function->qualifiers.is_unclear) return;
  for (std::size_t i = shared; i != kNone && !code.is(i, ";") && !code.is(i, "{");
       i = code.previous(i)) {
    if (code.is(i, "extern")) return;
  }
  if (context.is_judged(*function) && !function->is_device_only() && function->name != kNone) {
    context.report(shared,
                   "__shared__ memory belongs to a block of threads, and there is none in " +
                       context.text(function->name) +
                       ", which the host may call. Declare the array in a kernel or in a "
                       "__device__ function");
    return;
  }
  const std::size_t initialiser = initialiser_of(code, shared);
  if (initialiser == kNone) return;
  context.report(initialiser,
                 "a __shared__ variable cannot have an initialiser: it is one variable for all "
                 "threads of the block, and none of them is the one to set it. Declare it without, "
                 "let one thread assign the value, and call __syncthreads() before others read it");
}

// __device__ int x; inside a function.
void check_local(LintContext& context, std::size_t qualifier) {
  const Region& code = context.code();
  const std::size_t before = code.previous(qualifier);
  const bool begins_statement =
      code.is(before, ";") || code.is(before, "{") || code.is(before, "}");
  const Function* function = function_around(context, qualifier);
  if (!begins_statement || function == nullptr || code.brace(qualifier) == kNone) return;
  // A class in the function may have members with qualifiers.
  if (code.brace(qualifier) != function->body_open) return;
  if (!context.is_judged(*function) || !code.is_identifier(code.next(qualifier))) return;
  for (std::size_t i = qualifier; i != kNone && !code.is(i, ";"); i = code.next(i)) {
    if (code.is(i, "(")) return;  // Declares a function.
    if (code.is(i, "=") || code.is(i, "[") || code.is(i, "{")) break;
  }
  const std::string word = context.text(qualifier);
  context.report(qualifier, "a " + word +
                                " variable exists once for the whole program and cannot be local "
                                "to a function. Declare it outside, or leave " +
                                word + " out for a variable of each thread");
}

// [..] __device__ (...) { }
void check_lambda(LintContext& context, std::size_t qualifier) {
  const Region& code = context.code();
  const std::size_t close = code.previous(qualifier);
  if (context.options().extended_lambda || !code.is(close, "]")) return;
  const std::size_t open = code.partner(close);
  const std::size_t before = open == kNone ? kNone : code.previous(open);
  const bool is_index = before == kNone || code.is_identifier(before) || code.is(before, ")") ||
                        code.is(before, "]") || code.is(before, "[");
  if (is_index && !code.is(before, "return")) return;
  context.report(qualifier, "nvcc takes a lambda with " + context.text(qualifier) +
                                " only with its option --extended-lambda. Give that option here "
                                "and there, or write a struct with a __device__ operator()");
}

}  // namespace

void lint_qualifiers(LintContext& context) {
  for (const Function& function : context.declarations().functions) {
    check_kernel(context, function);
  }
  const Region& code = context.code();
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.is(i, "__shared__")) check_shared(context, i);
    if (code.is(i, "__device__") || code.is(i, "__constant__")) check_local(context, i);
    if (code.is(i, "__device__") || code.is(i, "__host__")) check_lambda(context, i);
  }
}

}  // namespace simulator
