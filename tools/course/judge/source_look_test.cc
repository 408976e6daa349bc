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
                    "\n#pragma GCC unroll 4\n#pragma unroll\nfor (;;) {}\n"
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
        "#include </etc/passwd>", "#include <cuda/../../x.h>",
        "#include <cooperative_groups/../x.h>", "#include MACRO", "#include <immintrin.h>",
        "#line 1 \"/usr/include/x.h\"", "# 1 \"/usr/include/x.h\" 3", "#define __global__ static",
        "#undef __syncthreads", "#pragma GCC optimize(\"O0\")", "#pragma GCC system_header",
        "_Pragma(\"GCC system_header\")", "%:include <fstream>", "#include_next <vector>"}) {
    EXPECT_NE(of_source(line), "") << line;
  }
}

// The compiler sees what stands behind these where a reader that differs from it by one rule sees a
// comment or a text: each hides a line that is refused.
TEST(SourceLook, SpellingsThatHideALine) {
  for (const char* const text :
       {"auto a = R\"(\n# 1 \"kernels/launch.h\"\n)\"; asm(\"nop\");",
        "auto a = \"b\\\\\n\" /*\"; asm(\"nop\"); auto c = \"*/\";",
        "auto a = R\\\n\"( \" /* )\"; asm(\"nop\"); auto c = \"*/\";",
        "#define R\nauto a = \"b\"R\"( \" /* )\"; asm(\"nop\"); auto c = \"*/\";",
        "#define A \xc2\xa0R\"( \" /* )\"\n#include <fstream>\n//*/",
        "#if __has_include(<a/*b>)\n#endif\n#include <fstream>\n//*/",
        "/* a *\\\n/ asm(\"nop\"); /* */", "/* a *\\  \n\\\n/ asm(\"nop\"); /* */",
        "/\\\n* R\"( */ asm(\"nop\"); // )\"", "#inc\\\nlude <fstream>", "a\\\nsm(\"nop\");"}) {
    EXPECT_NE(of_source(text), "") << text;
  }
  for (const char* const text : {"<:<:gnu::no_sanitize(\"thread\"):>:> void f();", "int a<:3:>;",
                                 "int a<:::N:>;", "void f() <% %>"}) {
    EXPECT_NE(of_code(text), "") << text;
  }
}

TEST(SourceLook, SpellingsOfEveryDay) {
  EXPECT_EQ(
      of_source("#define SUM(a, b) \\\n  ((a) + \\ \n   (b))\n"
                "#define TWO(a) do {\\\n(a); (a);\\\n} while (false)\n"
                "auto text = \"a \\\"b\\\" \\\\\"; auto raw = R\"(one \\ line)\"; int größe;\n"
                "// a triangle: /\\\n//\n/* one\n * two **/ /*\\*/ char c = '\\''; // don't\n"
                "int digits = 1'000'000; auto path = \"a\"_name;\n"
                "#if N < 4 /* small */\n#error don't\n#endif\n"),
      "");
  EXPECT_EQ(of_code("std::vector<::andrea::Launch> all; bool b = x<y, c = N ? 1<2 : 3;\n"
                    "auto raw = R\"(asm)\";"),
            "");
}

TEST(SourceLook, FilesThatTheCompilerHasRead) {
  const auto of_files = [](const std::string& path) {
    const std::vector<std::string> all = look_at_preprocessed(
        "# 0 \"bazel-out/k8-opt/bin/graded/ada/a_object.cc\"\n# 0 \"<built-in>\"\n"
        "# 1 \"graded/ada/kernel.cu\"\nint a;\n# 1 \"" +
            path +
            "\" 1\nint b;\n"
            "# 3 \"graded/ada/kernel.cu\" 2\n",
        "graded/ada/kernel.cu");
    return all.empty() ? "" : all[0];
  };
  for (const char* const path :
       {"/usr/include/c++/12/vector", "simulator/include/cuda_runtime.h", "./kernels/launch.h",
        "lessons/00_first_kernel/reductions.cuh", "exam/x03_sliding_window/kernel.h",
        "bazel-out/k8-opt/bin/lessons/a.h", "external/cuda_toolkit/include/cuda.h",
        "/tmp/execroot/andrea//"}) {
    EXPECT_EQ(of_files(path), "") << path;
  }
  EXPECT_EQ(of_files("simulator/include/cuda/../../../graded/bob/kernel.cu"),
            "kernel.cu:2 reads 'simulator/include/cuda/../../../graded/bob/kernel.cu', which no "
            "exercise needs.");
  for (const char* const path :
       {"/home/me/andrea/lessons/a.h", "../../lessons/a.h", "solutions/00_first_kernel/worksheet.h",
        "simulator/include/cuda/../../../../lessons/a.h", "exam/solutions/x03/kernel.h",
        "bazel-out/k8-opt/bin/solutions/a.h", "lessons/00_first_kernel/reference.h", "lessons/a.cu",
        "tests/harness/references.h", "bazel-out", "lessons", ""}) {
    EXPECT_NE(of_files(path), "") << path;
  }
}

TEST(SourceLook, Worksheets) {
  const auto of_worksheet = [](const std::string& text) {
    const std::vector<std::string> all =
        look_at_worksheet(text, "a/worksheet.h", {"lessons/worksheet.h"});
    return all.empty() ? "" : all[0];
  };
  EXPECT_EQ(
      of_worksheet("#ifndef A_\n#define A_\n#include <cmath>\n#include \"lessons/worksheet.h\"\n"
                   "constexpr char kHow = 'b';  // asm ##\n#endif\n"),
      "");
  EXPECT_EQ(of_worksheet("\n#include \"../bob/worksheet.h\"\n"),
            "worksheet.h:2 includes \"../bob/worksheet.h\", which no exercise needs.");
  EXPECT_EQ(of_worksheet("asm(\".incbin \\\"../bob/worksheet.h\\\"\");"),
            "worksheet.h:1 has 'asm', which no exercise needs.");
  EXPECT_NE(of_worksheet("#define PASTED(a, b) a##b\nPASTED(as, m)(\"\");"), "");
}

TEST(SourceLook, WordsOfTheCode) {
  EXPECT_EQ(of_code("\n\nasm(\"nop\");"),
            "further.cu:3 has inline assembly ('asm'), which no exercise needs.");
  for (const char* const text :
       {"__asm__ volatile(\"nop\");", "extern int leave() __asm__(\"exit\");",
        "__attribute__((no_sanitize(\"thread\"))) void f();", "[[gnu::section(\".text\")]] int x;",
        "__attribute__((constructor)) void f() {}", "[[gnu::no_sanitize(\"thread\")]] void f();",
        "__attribute__((aligned(16), weak)) int y;", "auto z = _mm256_i32gather_ps(p, i, 4);",
        "__builtin_ia32_pause();", "\n#pragma GCC optimize(\"O0\")\n",
        "\n#pragma redefine_extname leave exit\n", "\n#pragma weak f\n",
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
