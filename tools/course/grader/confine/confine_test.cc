// The real program over one that tries everything: what was tried, and what came of it.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tools/course/grader/confine/limits.h"
#include "tools/course/grader/confine/process_tree.h"

namespace andrea::confine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfine = "tools/course/grader/confine/confine";
constexpr const char* kHostile = "tools/course/grader/confine/hostile";

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Ran {
  int status = 0;
  std::string answer, printed, complained, trouble;
};

// Each in a folder of its own, which only its owner may enter.
class Confine : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms::owner_all);
    const std::string probe = std::string(kConfine) + " --probe";
    if (std::system(probe.c_str()) != 0) {
      GTEST_SKIP() << "not run: this machine does not allow programs to be confined";
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  Ran run(const std::string& deed, const std::string& flags = "") {
    std::ofstream(folder_ / "in") << deed << "\n";
    fs::remove(folder_ / "out");
    const auto file = [&](const char* name) { return "'" + (folder_ / name).string() + "'"; };
    const int secret = open("/dev/zero", O_RDONLY);  // without O_CLOEXEC
    setenv("SECRET", "1", 1);
    const std::string command = std::string(kConfine) + " --trouble " + file("trouble") + " " +
                                flags + " -- " + kHostile + " " + file("in") + " " + file("out") +
                                " >" + file("printed") + " 2>" + file("complained");
    Ran ran;
    ran.status = WEXITSTATUS(std::system(command.c_str()));
    close(secret);
    ran.answer = text_of(folder_ / "out");
    ran.printed = text_of(folder_ / "printed");
    ran.complained = text_of(folder_ / "complained");
    ran.trouble = text_of(folder_ / "trouble");
    return ran;
  }

  fs::path folder_;
};

TEST_F(Confine, AnHonestProgramAnswers) {
  const Ran ran = run("honest");
  EXPECT_EQ(ran.status, 0) << ran.complained;
  EXPECT_EQ(ran.answer, "42");
  EXPECT_EQ(ran.printed + ran.complained + ran.trouble, "");
}

TEST_F(Confine, WhoWritesNothingHasNoOutput) {
  const Ran ran = run("nothing");
  EXPECT_EQ(ran.status, 0);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(Confine, NothingIsSeenAndNothingIsDone) {
  for (const char* deed : {"read passwd",
                           "read root",
                           "read the folder of this test",
                           "run a shell",
                           "see processes",
                           "kill another",
                           "kill all",
                           "connect",
                           "inherit a file",
                           "inherit a variable",
                           "write elsewhere",
                           "exchange the output",
                           "namespaces",
                           "mount",
                           "memory of nobody",
                           "trace",
                           "memory of another",
                           "become root",
                           "be root",
                           "raise the limits"}) {
    const Ran ran = run(deed);
    EXPECT_EQ(ran.answer, "") << deed;
    EXPECT_LE(ran.status, 128 + 9) << deed;
    EXPECT_NE(ran.status, kNotRun) << deed << ": " << ran.complained;
  }
}

TEST_F(Confine, HowItEndsIsTold) {
  EXPECT_EQ(run("crash").status, 128 + SIGSEGV);
  const Ran feigned = run("status 125");
  EXPECT_EQ(feigned.status, kOwnStatusAtMost);
  EXPECT_EQ(feigned.trouble, "");
}

TEST_F(Confine, TimeIsLimited) {
  for (const char* deed : {"hang", "sleep"}) {
    const Ran ran = run(deed, "--seconds 1");
    EXPECT_EQ(ran.status, kTooLong) << deed;
    EXPECT_NE(ran.complained.find("stopped after 1 s of the CPU"), std::string::npos);
  }
  // Who does not hear the warning is ended without.
  EXPECT_NE(run("deaf hang", "--seconds 1").status, 0);
}

TEST_F(Confine, AForkBombEndsWithAllItsChildren) {
  run("fork bomb", "--seconds 1 --processes 40");
  EXPECT_EQ(run("children", "--processes 40").answer, "42");
  // Those that still are there would run the program under this name.
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string words = text_of(entry.path() / "cmdline");
    EXPECT_EQ(words.find("/judged/student"), std::string::npos) << entry.path();
  }
}

TEST_F(Confine, MemoryIsLimited) {
  for (const char* deed : {"memory", "many memories"}) {
    const Ran ran = run(deed, "--memory-megabytes 100");
    EXPECT_EQ(ran.status, kTooMuchMemory) << deed;
  }
}

TEST_F(Confine, WhatItPrintsIsCut) {
  const Ran much = run("print 100 MB");
  EXPECT_EQ(much.answer, "42");
  EXPECT_LT(much.printed.size(), 100'000u);
  EXPECT_NE(much.printed.find("bytes more"), std::string::npos);
  EXPECT_EQ(run("print without end", "--seconds 1").status, kTooLong);
}

TEST_F(Confine, FilesAreLimited) {
  run("large file", "--file-megabytes 1");
  EXPECT_LE(fs::file_size(folder_ / "out"), 1u << 20);
}

TEST_F(Confine, WithoutWallsTheLimitsHold) {
  EXPECT_EQ(run("honest", "--unconfined").answer, "42");
  EXPECT_EQ(run("be root", "--unconfined").answer, "");
  EXPECT_EQ(run("sleep", "--unconfined --seconds 1").status, kTooLong);
  EXPECT_EQ(run("children", "--unconfined --processes 40").answer, "42");
  run("fork bomb", "--unconfined --seconds 1 --processes 40");
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string words = text_of(entry.path() / "cmdline");
    EXPECT_NE(words.rfind("/proc/self/fd/", 0), 0u) << entry.path();
  }
}

TEST_F(Confine, WhereNothingCanBeRunThatIsNotTheStudents) {
  const Ran ran = run("honest", "--library /nowhere/libx.so");
  EXPECT_EQ(ran.status, kNotRun);
  EXPECT_NE(ran.trouble, "");
  EXPECT_EQ(ran.answer, "");
}

}  // namespace
}  // namespace andrea::confine
