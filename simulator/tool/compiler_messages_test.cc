#include "simulator/tool/compiler_messages.h"

#include <gtest/gtest.h>

#include <string>

#include "simulator/tool/launch_columns.h"
#include "simulator/tool/linker_messages.h"
#include "simulator/tool/message_colors.h"
#include "simulator/tool/message_text.h"

namespace simulator {
namespace {

constexpr char kLaunchLine[] = "  add<<<1, 256>>>(a, 3, c);";
constexpr char kCompiledLine[] = "  __SIMULATOR_LAUNCH((add), (1, 256), a, 3, c);";

std::string readable(const std::string& text, const std::string& line = kLaunchLine,
                     const std::string& compiled = kCompiledLine) {
  ProgramFile file;
  file.path = "a.cu";
  file.source = line + "\nint other;\n";
  file.text = "#line 1 \"a.cu\"\n" + compiled + "\nint other;\n";
  return readable_compiler_messages(text, {"/sim/include", {&file}});
}

TEST(CompilerMessages, OrdinaryOnesStayAsTheyAre) {
  const std::string text =
      "a.cu: In function ‘int main()’:\n"
      "a.cu:2:5: error: expected ‘;’ before ‘other’\n"
      "    2 | int other;\n"
      "      |     ^~~~~\n";
  EXPECT_EQ(readable(text), text);
  EXPECT_EQ(readable(""), "");
  EXPECT_EQ(readable("g++: fatal error: no input files\ncompilation terminated.\n"),
            "g++: fatal error: no input files\n");
  EXPECT_EQ(readable("something of another form\n"), "something of another form\n");
}

TEST(CompilerMessages, TheSimulatorsPartInALaunchIsLeftOut) {
  EXPECT_EQ(
      readable("a.cu: In instantiation of ‘main()::<lambda(auto:3)>::<lambda(auto:4& ...)> [with "
               "auto:4 = {float*, int}]’:\n"
               "/sim/include/simulator/launch.h:137:19:   required from ‘static void "
               "__simulator::__ByCall<__Invoke>::__run(void*)’\n"
               "a.cu:1:3:   recursively required from ‘main()::<lambda(auto:3)>’\n"
               "a.cu:1:3:   required from here\n"
               "a.cu:1:3: error: invalid conversion from ‘int’ to ‘float*’ [-fpermissive]\n"
               "    1 |   add<<<1, 256>>>(a, 3, c);\n"
               "      |   ^~~~~~~~~~~~~~~~~~\n"
               "      |   |\n"
               "      |   int\n"
               "k.cuh:4:60: note:   initializing argument 2 of ‘void add(float*, float*)’\n"
               "    4 | __global__ void add(float* a, float* b);\n"
               "      |                               ~~~~~~~^\n"),
      "a.cu:1:22: error: invalid conversion from ‘int’ to ‘float*’\n"
      "    1 |   add<<<1, 256>>>(a, 3, c);\n"
      "      |                      ^\n"
      "k.cuh:4:60: note: initializing argument 2 of ‘void add(float*, float*)’\n"
      "    4 | __global__ void add(float* a, float* b);\n"
      "      |                               ~~~~~~~^\n");
}

TEST(CompilerMessages, OneMistakeIsToldOnce) {
  const std::string first = "a.cu:1:3: error: ‘c’ was not declared in this scope";
  EXPECT_EQ(readable(first + "; did you mean ‘a’?\n" + first + "\n" + first +
                     "; did you mean ‘count’?\n"),
            "a.cu:1:25: error: ‘c’ was not declared in this scope; did you mean ‘count’?\n"
            "    1 |   add<<<1, 256>>>(a, 3, c);\n"
            "      |                         ^\n");
}

TEST(CompilerMessages, AnErrorInTheSimulatorsHeadersIsTheCallers) {
  EXPECT_EQ(readable("/sim/include/x.h: In instantiation of ‘int __simulator::f()’:\n"
                     "a.cu:2:5:   required from here\n"
                     "/sim/include/x.h:3:4: error: static assertion failed: no such type\n"
                     "    3 | static_assert\n"),
            "a.cu:2:5: error: static assertion failed: no such type\n");
}

TEST(CompilerMessages, CandidatesOfTheSimulatorAreOneLineEach) {
  EXPECT_EQ(
      readable("a.cu:2:5: error: no matching function for call to ‘f(int)’\n"
               "In file included from /sim/include/cuda_runtime.h:16,\n"
               "                 from <command-line>:\n"
               "/sim/include/f.h:7:1: note: candidate: ‘void f(char*, __simulator::__Where)’\n"
               "    7 | void f(char*)\n"
               "/sim/include/f.h:7:1: note:   no known conversion\n"),
      "a.cu:2:5: error: no matching function for call to ‘f(int)’\n"
      "a.cu:2:5: note: candidate: ‘void f(char*)’\n");
}

TEST(CompilerMessages, ALibraryThatIsMissingIsToldOnce) {
  EXPECT_EQ(readable("In file included from /usr/local/include/curand_kernel.h:3,\n"
                     "                 from a.cu:1:\n"
                     "/usr/local/include/curand.h:464:19: error: ‘x’ was not declared\n"
                     "  464 | x\n"
                     "/usr/local/include/curand.h:465:19: error: ‘y’ was not declared\n"),
            "a.cu:1: error: this includes cuRAND, which the simulator does not have\n");
}

TEST(CompilerMessages, Hints) {
  const auto hint = [](const std::string& error, const std::string& line = "x") {
    return readable("a.cu:1:1: fatal error: " + error + "\n", line, line);
  };
  EXPECT_NE(hint("curand.h: No such file or directory").find("cuRAND"), std::string::npos);
  EXPECT_NE(hint("my.h: No such file or directory").find("-I FOLDER"), std::string::npos);
  EXPECT_NE(hint("storage size of ‘tile’ isn’t constant", "__shared__ int tile[n];")
                .find("extern __shared__ float tile[];"),
            std::string::npos);
  EXPECT_NE(hint("no matching function for call to ‘cudaMalloc(float*&, int)’")
                .find("cudaMalloc(&pointer, bytes)"),
            std::string::npos);
  EXPECT_NE(hint("‘cudaTextureObject_t’ was not declared in this scope").find("no textures"),
            std::string::npos);
  EXPECT_NE(hint("‘__shfl_down’ was not declared in this scope").find("_sync"), std::string::npos);
  EXPECT_NE(hint("‘blockIdx’ was not declared in this scope").find("*.cu"), std::string::npos);
  EXPECT_EQ(
      hint("‘blockIdxx’ was not declared in this scope; did you mean ‘blockIdx’?").find("*.cu"),
      std::string::npos);
  EXPECT_NE(hint("‘CUdevice’ does not name a type").find("driver API"), std::string::npos);
  EXPECT_NE(hint("‘cudaIpcGetMemHandle’ was not declared in this scope").find("no memory"),
            std::string::npos);
  EXPECT_EQ(hint("‘cut’ was not declared in this scope").find("note"), std::string::npos);
  EXPECT_EQ(hint("another").find("note"), std::string::npos);
}

TEST(LaunchColumns, LaunchesOfALine) {
  const std::string line =
      "if (x) ns::k<A<int>><<<g(1, 2), b>>>(p, f(1, 2)); else s<< <1, 2>> >();";
  const auto launches = find_launches(line);
  ASSERT_EQ(launches.size(), 2u);
  const auto text = [&](const Span& span) {
    return line.substr(span.begin, span.end - span.begin);
  };
  EXPECT_EQ(text(launches[0].head), "ns::k<A<int>><<<g(1, 2), b>>>");
  ASSERT_EQ(launches[0].arguments.size(), 2u);
  EXPECT_EQ(text(launches[0].arguments[1]), "f(1, 2)");
  EXPECT_EQ(line.substr(launches[0].end, 1), ";");
  EXPECT_EQ(text(launches[1].head), "s<< <1, 2>> >");
  EXPECT_TRUE(launches[1].arguments.empty());
}

TEST(LaunchColumns, PlacesBeforeInAndBehindALaunch) {
  const std::string source = "f(); k<<<1, 2>>>(a); g();";
  const std::string compiled = "f(); __SIMULATOR_LAUNCH((k), (1, 2), a); g();";
  const auto at = [&](std::size_t index) {
    return place_in_source(source, compiled, static_cast<int>(index) + 1).span.begin;
  };
  EXPECT_EQ(at(0), 0u);
  EXPECT_EQ(at(compiled.find("__S")), source.find("k<"));
  EXPECT_EQ(at(compiled.find("((k)")), source.find("; g"));
  EXPECT_EQ(at(compiled.find("g()")), source.find("g()"));
  EXPECT_EQ(at(compiled.size()), source.size());
  EXPECT_EQ(at(1000), source.size());
}

TEST(LinkerMessages, MissingAndDoubleNames) {
  EXPECT_EQ(readable_linker_messages("/usr/bin/ld: crt1.o: in function `_start':\n"
                                     "(.text+0x17): undefined reference to `main'\n"
                                     "collect2: error: ld returned 1 exit status\n",
                                     "/home", {"a.cu"}),
            "error: there is no main in a.cu: a program starts in int main()\n");
  EXPECT_EQ(readable_linker_messages("/usr/bin/ld: 1.o: in function `main':\n"
                                     "/home/a.cu:4: undefined reference to `run(int)'\n"
                                     "/home/a.cu:4: undefined reference to `run(int)'\n",
                                     "/home", {"a.cu"}),
            "a.cu:4: error: undefined reference to `run(int)'\n"
            "note: declared, but defined in none of the files given: name the file that defines it "
            "as well, or its library by -l\n");
  EXPECT_EQ(readable_linker_messages(
                "a.cu:5: multiple definition of `k(int)'; 1.o:b.cu:5: first defined here\n", "/",
                {"a.cu", "b.cu"}),
            "error: `k(int)' is defined in more than one of the files\n");
  EXPECT_EQ(readable_linker_messages("/usr/bin/ld: cannot find -lx: No such file or directory\n",
                                     "/", {"a.cu"}),
            "error: cannot find -lx: No such file or directory; give the folder of the library by "
            "-L\n");
}

TEST(MessageColors, KindAndCaret) {
  EXPECT_EQ(colored("a.cu:1:2: error: text\n  1 | x = 1;\n    |   ^~\n"),
            "\033[1ma.cu:1:2: \033[1;31merror: \033[0mtext\n  1 | x = 1;\n    |   "
            "\033[1;31m^~\033[0m\n");
  EXPECT_EQ(colored("plain\n"), "plain\n");
}

TEST(MessageText, LinesAreBrokenAtBlanks) {
  EXPECT_EQ(wrapped("one two three four five\n  as it is, however long\n", 12),
            "one two\n    three\n    four\n    five\n  as it is, however long\n");
  EXPECT_EQ(wrapped("unbreakable_word and more\n", 12), "unbreakable_word\n    and more\n");
  EXPECT_EQ(wrapped("‘a’ ‘b’ ‘c’\n", 11), "‘a’ ‘b’ ‘c’\n");
  EXPECT_EQ(wrapped("", 12), "");
}

}  // namespace
}  // namespace simulator
