#include "simulator/runtime/kernel_symbol.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>

#include "simulator/runtime/source_lines.h"

namespace simulator {

// What the C++ ABI of x86-64 (System V) has in registers, and on the stack. The assembly below
// knows where each member lies.
struct ErasedCall {
  const void* kernel = nullptr;
  std::uint64_t integers[6] = {};
  std::uint64_t floats[8] = {};
  std::uint64_t stack_words = 0;
  std::uint64_t stack[1] = {};  // as many as there are
};

static_assert(offsetof(ErasedCall, integers) == 8);
static_assert(offsetof(ErasedCall, floats) == 56);
static_assert(offsetof(ErasedCall, stack_words) == 120);
static_assert(offsetof(ErasedCall, stack) == 128);

extern "C" void simulator_call_erased(void* erased_call);

asm(R"(
    .text
    .globl simulator_call_erased
    .hidden simulator_call_erased
    .type simulator_call_erased, @function
simulator_call_erased:
    .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register %rbp
    mov %rdi, %r10
    mov 120(%r10), %rcx
    lea 1(%rcx), %rax
    and $-2, %rax
    shl $3, %rax
    sub %rax, %rsp
    jmp 2f
1:  mov 120(%r10,%rcx,8), %rax
    mov %rax, -8(%rsp,%rcx,8)
    dec %rcx
2:  test %rcx, %rcx
    jnz 1b
    movq 56(%r10), %xmm0
    movq 64(%r10), %xmm1
    movq 72(%r10), %xmm2
    movq 80(%r10), %xmm3
    movq 88(%r10), %xmm4
    movq 96(%r10), %xmm5
    movq 104(%r10), %xmm6
    movq 112(%r10), %xmm7
    mov 8(%r10), %rdi
    mov 16(%r10), %rsi
    mov 24(%r10), %rdx
    mov 32(%r10), %rcx
    mov 40(%r10), %r8
    mov 48(%r10), %r9
    call *(%r10)
    mov %rbp, %rsp
    pop %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size simulator_call_erased, . - simulator_call_erased
)");

namespace {

struct Type {
  std::size_t bytes;
  bool floating;
};

std::optional<Type> type_of(const std::string& name) {
  static const std::map<std::string, Type> kNumbers = {
      {"bool", {1, false}},        {"char", {1, false}},
      {"signed char", {1, false}}, {"unsigned char", {1, false}},
      {"short", {2, false}},       {"unsigned short", {2, false}},
      {"int", {4, false}},         {"unsigned int", {4, false}},
      {"long", {8, false}},        {"unsigned long", {8, false}},
      {"long long", {8, false}},   {"unsigned long long", {8, false}},
      {"float", {4, true}},        {"double", {8, true}},
  };
  const auto found = kNumbers.find(name);
  if (found != kNumbers.end()) return found->second;
  // "float const*", "float* restrict", "void (*)(int)"
  const std::size_t star = name.find_last_of("*&");
  if (star == std::string::npos) return std::nullopt;
  const std::string rest = name.substr(star + 1);
  const bool pointer = rest.empty() || rest == " const" || rest == " restrict" ||
                       rest == " __restrict" || rest.front() == ')';
  if (!pointer) return std::nullopt;
  return Type{8, false};
}

int depth_change(char c) {
  if (c == '(' || c == '<' || c == '[' || c == '{') return 1;
  if (c == ')' || c == '>' || c == ']' || c == '}') return -1;
  return 0;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// The symbol of a template begins with the type that the function returns.
std::string without_result(const std::string& text) {
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += depth_change(text[i]);
    if (depth == 0 && text[i] == ' ') start = i + 1;
  }
  return text.substr(start);
}

}  // namespace

KernelSymbol parse_symbol(const std::string& text) {
  KernelSymbol symbol;
  if (text.empty() || text.back() != ')') {
    symbol.name = text;
    return symbol;
  }
  std::size_t open = text.size() - 1;
  for (int depth = 0;; --open) {
    depth += text[open] == ')';
    depth -= text[open] == '(';
    if (depth == 0 || open == 0) break;
  }
  symbol.name = without_result(text.substr(0, open));
  symbol.parameters_known = true;
  const std::string list = text.substr(open + 1, text.size() - open - 2);
  std::string parameter;
  int depth = 0;
  for (const char c : list) {
    depth += depth_change(c);
    if (c == ',' && depth == 0) {
      symbol.parameters.push_back(trimmed(parameter));
      parameter.clear();
    } else {
      parameter += c;
    }
  }
  if (!trimmed(parameter).empty()) symbol.parameters.push_back(trimmed(parameter));
  return symbol;
}

const KernelSymbol& kernel_symbol(const void* kernel) {
  static std::mutex* const kMutex = new std::mutex;
  static auto* const kSymbols = new std::map<const void*, KernelSymbol>;
  const std::lock_guard<std::mutex> lock(*kMutex);
  const auto found = kSymbols->find(kernel);
  if (found != kSymbols->end()) return found->second;
  const std::string mangled = kernel == nullptr ? "" : symbol_of_function(kernel);
  KernelSymbol symbol = parse_symbol(demangled(mangled.c_str()));
  symbol.static_shared_bytes = static_shared_bytes(mangled);
  return kSymbols->emplace(kernel, std::move(symbol)).first->second;
}

std::shared_ptr<ErasedCall> make_erased_call(const void* kernel, void** arguments,
                                             std::string* unknown) {
  const KernelSymbol& symbol = kernel_symbol(kernel);
  const std::size_t words = symbol.parameters.size();
  void* const memory = std::calloc(1, sizeof(ErasedCall) + words * sizeof(std::uint64_t));
  const std::shared_ptr<ErasedCall> call(static_cast<ErasedCall*>(memory), &std::free);
  call->kernel = kernel;
  std::size_t integers = 0;
  std::size_t floats = 0;
  for (std::size_t i = 0; i < words; ++i) {
    const std::optional<Type> type = type_of(symbol.parameters[i]);
    if (!type) {
      *unknown = symbol.parameters[i];
      return nullptr;
    }
    std::uint64_t* word = nullptr;
    if (type->floating && floats < 8) {
      word = &call->floats[floats++];
    } else if (!type->floating && integers < 6) {
      word = &call->integers[integers++];
    } else {
      word = call->stack + call->stack_words++;
    }
    std::memcpy(word, arguments[i], type->bytes);
    // GCC expects narrow integers extended to 32 bits.
    const bool has_sign = symbol.parameters[i] == "char" || symbol.parameters[i] == "signed char" ||
                          symbol.parameters[i] == "short";
    if (has_sign) {
      const unsigned unused = 64 - 8 * static_cast<unsigned>(type->bytes);
      *word = static_cast<std::uint64_t>(static_cast<std::int64_t>(*word << unused) >> unused);
    }
  }
  return call;
}

std::size_t erased_call_bytes(const ErasedCall& call) {
  return sizeof(ErasedCall) + call.stack_words * sizeof(std::uint64_t);
}

void call_erased(void* erased_call, __simulator::__Row* row) {
  unsigned x = *row->__x;
  do {
    simulator_call_erased(erased_call);
    *row->__x = ++x;
  } while (x < row->__end);
}

}  // namespace simulator
