#include "simulator/rewriter/includes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace simulator {
namespace {

namespace fs = std::filesystem;

class IncludesTest : public testing::Test {
 protected:
  IncludesTest() : root_(fs::path(testing::TempDir()) / "includes_test") { fs::remove_all(root_); }

  std::string path(const std::string& name) const { return (root_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }
  // Where the copy of a file is below the output folder.
  std::string copy(const std::string& name) const {
    return (root_ / "out" / fs::absolute(root_ / name).relative_path()).string();
  }
  static std::string contents(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  Program rewrite(const std::string& name, std::vector<std::string> folders = {}) {
    return rewrite_program(path(name), {path("out"), std::move(folders), false, {}}, problem_);
  }

  fs::path root_;
  std::string problem_;
};

TEST_F(IncludesTest, EveryFileReachedKeepsItsPlace) {
  write("demo/main.cu",
        "#include \"a.cuh\"\n#include \"../common/b.h\"\n#include <vector>\n"
        "#include \"absent.h\"\n");
  write("demo/a.cuh", "#pragma once\n#include \"sub/c.cuh\"\nvoid f() { k<<<1, 1>>>(); }\n");
  write("demo/sub/c.cuh", "#include \"../a.cuh\"\n  #  include \"../../common/b.h\" // twice\n");
  write("common/b.h", "extern __shared__ int s[];\n");
  const Program program = rewrite("demo/main.cu");
  ASSERT_EQ(problem_, "");
  EXPECT_FALSE(program.has_findings());
  EXPECT_TRUE(program.arguments.empty());
  std::map<std::string, std::string> outputs;
  for (const ProgramFile& file : program.files) outputs[file.output] = file.path;
  EXPECT_EQ(program.files.size(), 4u);
  EXPECT_EQ(program.files[0].output, copy("demo/main.cc"));
  EXPECT_EQ(outputs[copy("demo/a.cuh")], path("demo/a.cuh"));
  EXPECT_EQ(outputs[copy("demo/sub/c.cuh")], path("demo/sub/c.cuh"));
  EXPECT_EQ(outputs[copy("common/b.h")], path("demo/../common/b.h"));

  ASSERT_TRUE(write_program(program, problem_)) << problem_;
  EXPECT_EQ(contents(copy("demo/a.cuh")),
            "#line 1 \"" + path("demo/a.cuh") +
                "\"\n#pragma once\n#include \"sub/c.cuh\"\nvoid f() { "
                "__SIMULATOR_LAUNCH((k), (1, 1)); }\n");
}

TEST_F(IncludesTest, FoldersAreSearchedInOrder) {
  write("main.cu", "#include \"x.cuh\"\n#include <y.cuh>\n#include <main.cu>\n");
  write("first/x.cuh", "void f() { k<<<1, 1>>>(); }\n");
  write("second/x.cuh", "never reached\n");
  write("second/y.cuh", "#include \"x.cuh\"\n");
  const Program program = rewrite("main.cu", {path("first"), path("second")});
  ASSERT_EQ(problem_, "");
  ASSERT_EQ(program.files.size(), 4u);
  EXPECT_EQ(program.files[1].path, path("first/x.cuh"));
  EXPECT_EQ(program.files[2].path, path("second/y.cuh"));
  // Beside its includer comes first.
  EXPECT_EQ(program.files[3].path, path("second/x.cuh"));
  EXPECT_EQ(program.arguments,
            (std::vector<std::string>{"-I", copy("first"), "-I", copy("second")}));
}

TEST_F(IncludesTest, WhatAMacroNamesIsFoundWhereItIs) {
  write("demo/main.cu", "#define HEADER \"a.h\"\n#include HEADER\n#include HEADER\n");
  const Program program = rewrite("demo/main.cu");
  EXPECT_EQ(program.arguments, (std::vector<std::string>{"-iquote", path("demo")}));
}

TEST_F(IncludesTest, AnAbsolutePathIsRefusedWhereItMatters) {
  write("plain.h", "int a;\n");
  write("launch.h", "void f() { k<<<1, 1>>>(); }\n");
  write("main.cu", "#include \"" + path("plain.h") + "\"\n#include \"" + path("launch.h") + "\"\n");
  const Program program = rewrite("main.cu");
  ASSERT_EQ(program.files.size(), 1u);
  ASSERT_EQ(program.files[0].findings.size(), 1u);
  EXPECT_EQ(program.files[0].findings[0].line, 2);
  EXPECT_EQ(program.files[0].findings[0].kind, Finding::Kind::unsupported);
}

TEST_F(IncludesTest, FindingsNameTheirFile) {
  write("main.cu", "#include \"a.cuh\"\n");
  write("a.cuh", "\nk<<<1>>>();\n");
  const Program program = rewrite("main.cu");
  EXPECT_TRUE(program.has_findings());
  EXPECT_TRUE(program.files[0].findings.empty());
  ASSERT_EQ(program.files[1].findings.size(), 1u);
  EXPECT_EQ(program.files[1].findings[0].line, 2);
}

TEST_F(IncludesTest, UnusableFilesAreNamed) {
  EXPECT_TRUE(rewrite("absent.cu").files.empty());
  EXPECT_NE(problem_.find("absent.cu cannot be read"), std::string::npos) << problem_;
  write("main.cu", "#include \"binary.h\"\n");
  write("binary.h", std::string("a\0b", 3));
  EXPECT_TRUE(rewrite("main.cu").files.empty());
  EXPECT_NE(problem_.find("binary.h is not a C++ source file"), std::string::npos) << problem_;
  write("wide.cu", "\xFF\xFE");
  EXPECT_TRUE(rewrite("wide.cu").files.empty());
  EXPECT_NE(problem_.find("UTF-16"), std::string::npos) << problem_;
  EXPECT_TRUE(rewrite("").files.empty());
  EXPECT_NE(problem_.find("is a folder"), std::string::npos) << problem_;
}

}  // namespace
}  // namespace simulator
