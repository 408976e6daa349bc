#include "tools/course/judge/source_look.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/course/judge/allowed.h"

namespace andrea::judge {
namespace {

std::string of_source(const std::string& text) {
  const std::vector<std::string> all = look_at_source(text, "a/further.cu", {"kernels/launch.h"});
  return all.empty() ? "" : all[0];
}

std::string of_code(const std::string& text) {
  const std::vector<std::string> all =
      look_at_preprocessed("# 1 \"a/further.cu\"\n" + text, "a/further.cu");
  return all.empty() ? "" : all[0];
}

TEST(SourceLook, WhatAnExerciseNeedsIsLetThrough) {
  EXPECT_EQ(of_source("#include <vector>\n#include \"kernels/launch.h\"\n#define N 3\n#if N\n"
                      "#pragma unroll\n#endif\n// asm\n"),
            "");
  EXPECT_EQ(of_code("[[maybe_unused]] int a[b[0]];\n__attribute__((aligned(16))) float x;\n"
                    "int y = c[[] { return 0; }()];\n"
                    "extern __thread float row[] __asm__(\"simulator_dynamic_shared\");\n"),
            "");
  // In other files all may stand.
  EXPECT_EQ(look_at_preprocessed("# 1 \"/usr/include/x.h\" 3\nasm(\"\");\n", "further.cu").size(),
            0u);
}

TEST(SourceLook, LinesOfThePreprocessor) {
  EXPECT_EQ(of_source("\n#include <fstream>\n"),
            "further.cu:2 includes <fstream>, which no exercise needs.");
  for (const char* const line :
       {"#include \"lessons/00_first_kernel/reference.h\"", "#include \"../solutions/kernel.cu\"",
        "#include </etc/passwd>", "#include MACRO", "#include <immintrin.h>",
        "#line 1 \"/usr/include/x.h\"", "# 1 \"/usr/include/x.h\" 3", "#define __global__ static",
        "#undef __syncthreads", "#pragma GCC optimize(\"O0\")", "#pragma GCC system_header",
        "_Pragma(\"GCC system_header\")", "%:include <fstream>", "#include_next <vector>"}) {
    EXPECT_NE(of_source(line), "") << line;
  }
}

TEST(SourceLook, WordsOfTheCode) {
  EXPECT_EQ(of_code("\n\nasm(\"nop\");"),
            "further.cu:3 has inline assembly ('asm'), which no exercise needs.");
  for (const char* const text :
       {"__asm__ volatile(\"nop\");", "extern int leave() __asm__(\"exit\");",
        "__attribute__((no_sanitize(\"thread\"))) void f();", "[[gnu::section(\".text\")]] int x;",
        "__attribute__((constructor)) void f() {}", "[[gnu::no_sanitize(\"thread\")]] void f();",
        "__attribute__((aligned(16), weak)) int y;", "auto z = _mm256_i32gather_ps(p, i, 4);",
        "__builtin_ia32_pause();",
        "__attribute__((\n# 1 \"kernels/launch.h\" 1\n# 3 \"a/further.cu\" 2\nsection(\".x\"))) "
        "int w;"}) {
    EXPECT_NE(of_code(text), "") << text;
  }
}

TEST(Allowed, Symbols) {
  for (const char* const name :
       {"expf", "sinf", "printf", "simulator_tsan_read4", "cudaMemcpyAsync(void*, void const*)",
        "andrea::linear_forward(float const*)", "std::__throw_bad_alloc()",
        "__simulator::__launch(__simulator::__Call const&)", "std::cout"}) {
    EXPECT_TRUE(may_call(name, false)) << name;
  }
  for (const char* const name : {"exit",
                                 "_exit",
                                 "fork",
                                 "fopen",
                                 "open",
                                 "syscall",
                                 "dlsym",
                                 "getenv",
                                 "atexit",
                                 "signal",
                                 "mmap",
                                 "mprotect",
                                 "pthread_create",
                                 "simulator::errors_reported()",
                                 "simulator::start_counting()",
                                 "andrea::judge::entries()",
                                 "std::basic_ofstream<char>::open",
                                 "std::thread::join()",
                                 "std::filesystem::remove()",
                                 "cublasSgemm_v2(cublasContext*)",
                                 "cudart"}) {
    EXPECT_FALSE(may_call(name, false)) << name;
  }
  EXPECT_TRUE(may_call("cublasSgemm_v2(cublasContext*)", true));
}

}  // namespace
}  // namespace andrea::judge
