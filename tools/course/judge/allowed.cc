#include "tools/course/judge/allowed.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <set>
#include <vector>

namespace andrea::judge {
namespace {

namespace fs = std::filesystem;

using Words = std::set<std::string_view>;

// What compiled kernels need: the simulator's hooks for memory and threads, and C++ itself.
const Words kLanguage = {"_GLOBAL_OFFSET_TABLE_",
                         "_Unwind_Resume",
                         "__cxa_allocate_exception",
                         "__cxa_atexit",
                         "__cxa_bad_cast",
                         "__cxa_begin_catch",
                         "__cxa_end_catch",
                         "__cxa_free_exception",
                         "__cxa_get_exception_ptr",
                         "__cxa_guard_abort",
                         "__cxa_guard_acquire",
                         "__cxa_guard_release",
                         "__cxa_pure_virtual",
                         "__cxa_rethrow",
                         "__cxa_throw",
                         "__cxa_throw_bad_array_new_length",
                         "__dso_handle",
                         "__gxx_personality_v0",
                         "__tls_get_addr",
                         "simulator_Znam",
                         "simulator_Znwm",
                         "simulator_ZdaPv",
                         "simulator_ZdaPvm",
                         "simulator_ZdlPv",
                         "simulator_ZdlPvm",
                         "simulator_atomics_until_yield",
                         "simulator_block_index",
                         "simulator_block_size",
                         "simulator_dynamic_shared",
                         "simulator_free",
                         "simulator_grid_size",
                         "simulator_malloc",
                         "simulator_memcpy",
                         "simulator_memmove",
                         "simulator_memset",
                         "simulator_sanitizer_cov_trace_pc",
                         "simulator_thread_index"};

// The C library: texts for the terminal, and an end with a sentence. Nothing that opens a file,
// starts or ends a process, asks the system, or maps memory.
const Words kLibrary = {"__assert_fail", "abort",    "calloc", "fflush",  "fprintf",  "fputc",
                        "fputs",         "fwrite",   "memchr", "memcmp",  "printf",   "putc",
                        "putchar",       "puts",     "qsort",  "realloc", "snprintf", "stderr",
                        "stdout",        "strchr",   "strcmp", "strlen",  "strncmp",  "vfprintf",
                        "vprintf",       "vsnprintf"};

// Of libm, without the f or l of the other precisions.
const Words kMath = {
    "acos",   "acosh",    "asin",    "asinh",   "atan",          "atan2",     "atanh",  "cbrt",
    "ceil",   "copysign", "cos",     "cosh",    "cyl_bessel_i0", "erf",       "erfc",   "exp",
    "exp10",  "exp2",     "expm1",   "fabs",    "fdim",          "floor",     "fma",    "fmax",
    "fmin",   "fmod",     "frexp",   "hypot",   "ilogb",         "j0",        "j1",     "ldexp",
    "lgamma", "llrint",   "llround", "log",     "log10",         "log1p",     "log2",   "logb",
    "lrint",  "lround",   "modf",    "nan",     "nearbyint",     "nextafter", "pow",    "remainder",
    "remquo", "rint",     "round",   "scalbln", "scalbn",        "sin",       "sincos", "sinh",
    "sqrt",   "tan",      "tanh",    "tgamma",  "trunc",         "y0",        "y1"};

// How demangled names begin. Of the standard library what containers, texts, exceptions and the
// terminal's streams need; no files, no threads, no file systems.
constexpr std::array kStarts = {
    "__simulator::__",
    "simulator_tsan_",
    "simulator_ubsan_handle_",
    "std::_Hash_bytes(",
    "std::_Rb_tree_",
    "std::__cxx11::basic_string<char,",
    "std::__detail::_List_node_base::",
    "std::__detail::_Prime_rehash_policy::",
    "std::__ostream_insert<char,",
    "std::__throw_",
    "std::bad_alloc::",
    "std::basic_ios<char,",
    "std::basic_ostream<char,",
    "std::cerr",
    "std::clog",
    "std::cout",
    "std::ctype<char>::",
    "std::domain_error::",
    "std::exception::",
    "std::invalid_argument::",
    "std::ios_base::Init::",
    "std::length_error::",
    "std::logic_error::",
    "std::ostream::",
    "std::out_of_range::",
    "std::overflow_error::",
    "std::range_error::",
    "std::runtime_error::",
    "std::terminate(",
    "typeinfo for ",
    "vtable for __cxxabiv1::",
    "vtable for std::",
};

bool is_math(std::string_view name) {
  if (kMath.count(name) > 0) return true;
  if (!name.ends_with('f') && !name.ends_with('l')) return false;
  name.remove_suffix(1);
  return kMath.count(name) > 0;
}

// "cudaMemcpy(void*, ...)"
bool is_call_of(std::string_view symbol, std::string_view library) {
  return symbol.starts_with(library) && symbol.size() > library.size() &&
         symbol[library.size()] >= 'A' && symbol[library.size()] <= 'Z';
}

}  // namespace

bool may_call(const std::string& symbol, bool cublas) {
  if (kLanguage.count(symbol) > 0 || kLibrary.count(symbol) > 0 || is_math(symbol)) return true;
  if (std::any_of(kStarts.begin(), kStarts.end(),
                  [&](const char* start) { return symbol.starts_with(start); })) {
    return true;
  }
  if (is_call_of(symbol, "cuda")) return true;
  if (symbol.starts_with("cublas")) return cublas;
  // The contract's functions and the lessons' own; nothing of the judge's.
  return symbol.starts_with("andrea::") && !symbol.starts_with("andrea::judge::");
}

bool may_include(std::string_view header) {
  static const Words kHeaders = {"algorithm",
                                 "array",
                                 "assert.h",
                                 "bit",
                                 "bitset",
                                 "cassert",
                                 "cfloat",
                                 "climits",
                                 "cmath",
                                 "compare",
                                 "concepts",
                                 "cooperative_groups.h",
                                 "cstddef",
                                 "cstdint",
                                 "cstdio",
                                 "cstdlib",
                                 "cstring",
                                 "cublasLt.h",
                                 "cublas_v2.h",
                                 "cuda.h",
                                 "cuda_bf16.h",
                                 "cuda_fp16.h",
                                 "cuda_pipeline.h",
                                 "cuda_runtime.h",
                                 "cuda_runtime_api.h",
                                 "deque",
                                 "float.h",
                                 "functional",
                                 "initializer_list",
                                 "iomanip",
                                 "iostream",
                                 "iterator",
                                 "limits",
                                 "limits.h",
                                 "list",
                                 "map",
                                 "math.h",
                                 "math_constants.h",
                                 "memory",
                                 "mma.h",
                                 "numbers",
                                 "numeric",
                                 "optional",
                                 "ostream",
                                 "queue",
                                 "set",
                                 "span",
                                 "sstream",
                                 "stddef.h",
                                 "stdexcept",
                                 "stdint.h",
                                 "stdio.h",
                                 "stdlib.h",
                                 "string",
                                 "string.h",
                                 "string_view",
                                 "tuple",
                                 "type_traits",
                                 "unordered_map",
                                 "unordered_set",
                                 "utility",
                                 "variant",
                                 "vector",
                                 "vector_functions.h",
                                 "vector_types.h"};
  if (kHeaders.count(header) > 0) return true;
  const bool is_cudas = header.starts_with("cooperative_groups/") || header.starts_with("cuda/");
  return is_cudas && header.find("..") == std::string_view::npos;  // which leads elsewhere
}

bool may_be_read(std::string_view path) {
  static const Words kFolders = {"exam", "external", "kernels", "lessons", "simulator"};
  const fs::path file = fs::path(path).lexically_normal();
  if (file.is_absolute()) {
    return file.string().starts_with("/usr/") || file.string().starts_with("/opt/");
  }
  if (path.empty()) return false;
  std::vector<std::string> parts;
  for (const fs::path& part : file) parts.push_back(part.string());
  // What is generated has the same folders below bazel-out/k8-opt/bin.
  const std::size_t first = parts[0] == "bazel-out" ? 3 : 0;
  if (parts.size() <= first + 1 || kFolders.count(parts[first]) == 0) return false;
  return parts[first + 1] != "solutions" && parts.back() != "reference.h" &&
         file.extension() != ".cu";
}

bool may_be_attributed(std::string_view attribute) {
  static const Words kAttributes = {"aligned",       "__aligned__",
                                    "always_inline", "__always_inline__",
                                    "assume",        "cold",
                                    "const",         "deprecated",
                                    "fallthrough",   "gnu",
                                    "hot",           "likely",
                                    "maybe_unused",  "nodiscard",
                                    "noinline",      "__noinline__",
                                    "noreturn",      "no_unique_address",
                                    "packed",        "__packed__",
                                    "pure",          "unlikely",
                                    "unused",        "__unused__",
                                    "vector_size"};
  return kAttributes.count(attribute) > 0;
}

}  // namespace andrea::judge
