#include "simulator/tool/command_line.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace simulator {
namespace {

using Words = std::vector<std::string>;
using Variables = std::vector<std::pair<std::string, std::string>>;

CommandLine read(const Words& words) {
  CommandLine result;
  std::string problem;
  EXPECT_TRUE(read_command_line(words, result, problem)) << problem;
  return result;
}

std::string problem_of(const Words& words) {
  CommandLine result;
  std::string problem;
  EXPECT_FALSE(read_command_line(words, result, problem));
  return problem;
}

TEST(CommandLine, SourcesAndArgumentsOfTheProgram) {
  const CommandLine line = read({"a.cu", "--check", "b.cpp", "--", "--check", "c", ""});
  EXPECT_EQ(line.sources, (Words{"a.cu", "b.cpp"}));
  EXPECT_EQ(line.arguments, (Words{"--check", "c", ""}));
  EXPECT_TRUE(line.is_check);
  EXPECT_FALSE(read({"a.cu"}).is_check);
}

TEST(CommandLine, OptionsOfTheSimulatorBecomeVariables) {
  const CommandLine line =
      read({"a.cu", "--seed", "7", "--workers=2", "--timeout", "0", "--json", "out.json"});
  EXPECT_EQ(line.environment, (Variables{{"SIMULATOR_SEED", "7"},
                                         {"SIMULATOR_WORKERS", "2"},
                                         {"SIMULATOR_TIMEOUT", "0"},
                                         {"SIMULATOR_JSON", "out.json"}}));
  EXPECT_FALSE(line.is_check);
}

TEST(CommandLine, ProfilesNeedTheCheckBuild) {
  const CommandLine table = read({"a.cu", "--profile"});
  EXPECT_TRUE(table.is_check);
  EXPECT_EQ(table.environment, (Variables{{"SIMULATOR_PROFILE", "1"}}));
  const CommandLine page = read({"a.cu", "--html", "page.html"});
  EXPECT_TRUE(page.is_check);
  EXPECT_EQ(page.environment,
            (Variables{{"SIMULATOR_PROFILE", "1"}, {"SIMULATOR_PROFILE_HTML", "page.html"}}));
}

TEST(CommandLine, OptionsOfTheCompilerPassThrough) {
  const CommandLine line =
      read({"a.cu", "-DN=3", "-D", "M", "-Iinc", "-I", "other", "-O2", "-Wall", "-fno-inline",
            "-march=x86-64", "-g", "-Ldir", "-l", "png", "-Wl,-z,now", "-include", "all.h"});
  EXPECT_EQ(line.compile_flags, (Words{"-DN=3", "-DM", "-O2", "-Wall", "-fno-inline",
                                       "-march=x86-64", "-g", "-include", "all.h"}));
  EXPECT_EQ(line.include_folders, (Words{"inc", "other"}));
  EXPECT_EQ(line.link_flags,
            (Words{"-O2", "-fno-inline", "-march=x86-64", "-g", "-Ldir", "-lpng", "-Wl,-z,now"}));
}

TEST(CommandLine, AnOlderStandardIsRaised) {
  EXPECT_EQ(read({"a.cu"}).standard, "-std=c++20");
  EXPECT_EQ(read({"a.cu", "-std=c++11"}).standard, "-std=c++20");
  EXPECT_EQ(read({"a.cu", "--std=c++17"}).standard, "-std=c++20");
  EXPECT_EQ(read({"a.cu", "-std=gnu++17"}).standard, "-std=gnu++20");
  EXPECT_EQ(read({"a.cu", "-std=c++23"}).standard, "-std=c++23");
}

TEST(CommandLine, OptionsOfNvcc) {
  const CommandLine line =
      read({"a.cu", "-arch=sm_80", "-gencode", "arch=compute_80,code=sm_80", "-lineinfo", "-G",
            "--use_fast_math", "-rdc=true", "-Xcompiler", "-Wall,-fopenmp", "--extended-lambda",
            "--expt-relaxed-constexpr", "-lcudart", "-lcublasLt", "-Xlinker", "-z,now"});
  EXPECT_EQ(line.compile_flags, (Words{"-Wall", "-fopenmp"}));
  EXPECT_EQ(line.link_flags, (Words{"-fopenmp", "-Xlinker", "-z", "-Xlinker", "now"}));
  EXPECT_TRUE(line.lint.extended_lambda);
  EXPECT_TRUE(line.lint.relaxed_constexpr);
  EXPECT_EQ(read({"a.cu", "-lcuda_tools"}).link_flags, (Words{"-lcuda_tools"}));
}

TEST(CommandLine, WhatMakesNoSense) {
  EXPECT_EQ(problem_of({}), "name the program's source, as in: ./andrea cuda FILE.cu");
  EXPECT_EQ(problem_of({"a.cu", "--chekc"}),
            "there is no option '--chekc'; the nearest is '--check', and './andrea cuda --help' "
            "lists all");
  EXPECT_EQ(
      problem_of({"a.cu", "100"}),
      "'100' is not a source file (.cu, .cc, .cpp, .cxx); arguments of the program follow --");
  EXPECT_EQ(problem_of({"a.cu", "a.cu"}), "'a.cu' is given twice");
  EXPECT_EQ(problem_of({"/"}), "'/' is a folder; name the files in it that are the program");
  EXPECT_EQ(problem_of({"a.cu", "--seed", "x"}), "--seed takes a whole number, not 'x'");
  EXPECT_EQ(problem_of({"a.cu", "--seed=-1"}), "--seed takes a whole number, not '-1'");
  EXPECT_EQ(problem_of({"a.cu", "--workers", "0"}), "--workers takes a number from 1");
  EXPECT_EQ(problem_of({"a.cu", "--json"}), "--json needs a value");
  EXPECT_EQ(problem_of({"a.cu", "--json="}), "--json needs a value");
  EXPECT_EQ(problem_of({"a.cu", "-D"}), "-D needs a value");
  EXPECT_EQ(problem_of({"a.cu", "-lcurand"}), "the simulator has no cuRAND (-lcurand)");
  EXPECT_NE(problem_of({"a.cu", "-fsanitize=address"}).find("--check"), std::string::npos);
  EXPECT_NE(problem_of({"a.cu", "-c"}).find("whole programs"), std::string::npos);
  EXPECT_NE(problem_of({"a.cu", "-o", "a", "--", "x"}).find("not run"), std::string::npos);
}

TEST(CommandLine, Help) {
  EXPECT_TRUE(read({"--help"}).is_help);
  EXPECT_TRUE(read({"a.cu", "-h"}).is_help);
  EXPECT_FALSE(read({"a.cu", "--", "--help"}).is_help);
}

}  // namespace
}  // namespace simulator
