// The program as it is called.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class RewriteMainTest : public testing::Test {
 protected:
  RewriteMainTest() : folder_(fs::path(testing::TempDir()) / "rewrite_main_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }

  // Gives back the exit status, or -1 if there was none.
  int run(const std::string& arguments) {
    const std::string command = std::string(std::getenv("REWRITE")) + " " + arguments + " > " +
                                (folder_ / "stdout").string() + " 2> " +
                                (folder_ / "stderr").string();
    const int status = std::system(command.c_str());
    output_ = contents(folder_ / "stdout");
    errors_ = contents(folder_ / "stderr");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string out() const { return (folder_ / "out.cc").string(); }

  fs::path folder_;
  std::string output_, errors_;
};

TEST_F(RewriteMainTest, WritesAndIsSilent) {
  const std::string input = write("a.cu", "k<<<1, 1>>>();\n");
  EXPECT_EQ(run(input + " --out " + out() + " --path shown.cu --lint"), 0);
  EXPECT_EQ(contents(out()), "#line 1 \"shown.cu\"\n__SIMULATOR_LAUNCH((k), (1, 1));\n");
  EXPECT_EQ(output_ + errors_, "");
}

TEST_F(RewriteMainTest, FindingsShowTheLineAndWriteNothing) {
  const std::string input = write("a.cu", "\n\tf(\"ä\"); k<<<1>>>();\n");
  EXPECT_EQ(run(input + " --out " + out() + " --path shown.cu"), 1);
  EXPECT_EQ(errors_.substr(0, 22), "shown.cu:2:12: error: ");
  EXPECT_NE(errors_.find("\n    \tf(\"ä\"); k<<<1>>>();\n    \t         ^\n"), std::string::npos)
      << errors_;
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(RewriteMainTest, LintOnlyWhenAsked) {
  const std::string input = write("a.cu", "int f(); __global__ void k(int* p) { *p = f(); }\n");
  EXPECT_EQ(run(input + " --out " + out()), 0);
  EXPECT_EQ(run(input + " --lint --out " + out()), 1);
  EXPECT_NE(errors_.find("a.cu:1:43: error: the kernel k calls f"), std::string::npos) << errors_;
}

TEST_F(RewriteMainTest, WithIncludesPrintsTheArguments) {
  write("a.cuh", "void f() { k<<<1, 1>>>(); }\n");
  const std::string input = write("a.cu", "#include \"a.cuh\"\n");
  const fs::path copies = folder_ / "out" / folder_.relative_path();
  EXPECT_EQ(run(input + " --out-dir " + (folder_ / "out").string() + " -I" + folder_.string()), 0);
  EXPECT_EQ(output_, (copies / "a.cc").string() + "\n-I\n" + copies.string() + "\n");
  EXPECT_NE(contents(copies / "a.cuh").find("__SIMULATOR_LAUNCH"), std::string::npos);
}

TEST_F(RewriteMainTest, WrongUsage) {
  const std::string input = write("a.cu", "");
  for (const std::string arguments :
       {"", "a.cu", "--out", "--fast a.cu", "a.cu b.cu --out c", "a.cu --out b --out-dir c",
        "a.cu --out b -I c", "a.cu --out-dir b --path c"}) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_NE(errors_.find("usage: rewrite"), std::string::npos);
  }
}

TEST_F(RewriteMainTest, UnusableFiles) {
  EXPECT_EQ(run("absent.cu --out " + out()), 2);
  EXPECT_EQ(errors_, "rewrite: absent.cu cannot be read: No such file or directory\n");
  const std::string binary = write("a.cu", std::string("\x7F"
                                                       "ELF\0\0",
                                                       6));
  EXPECT_EQ(run(binary + " --out " + out()), 2);
  EXPECT_NE(errors_.find("is not a C++ source file"), std::string::npos) << errors_;
  const std::string good = write("b.cu", "");
  EXPECT_EQ(run(good + " --out " + folder_.string() + "/absent/b.cc"), 2);
  EXPECT_NE(errors_.find("cannot be written"), std::string::npos) << errors_;
}

}  // namespace
