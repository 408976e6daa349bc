#include "tools/course/judge/one_run.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace andrea::judge {
namespace {

RunResult shell(const std::string& text, RunLimits limits = {}) {
  if (limits.largest_file == 0) limits.largest_file = 1000;
  return run_once({"/bin/sh", "-c", text}, limits);
}

TEST(OneRun, TellsHowItEnded) {
  const RunResult well = shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(well.status, 7);
  EXPECT_EQ(well.printed, "out\n");
  EXPECT_EQ(well.complained, "err\n");
  EXPECT_FALSE(well.too_long);
  EXPECT_EQ(shell("kill -SEGV $$").signal, SIGSEGV);
  EXPECT_EQ(run_once({"/no/such/program"}, {}).status, 127);
}

TEST(OneRun, StopsWhatTakesTooLong) {
  RunLimits limits;
  limits.seconds = 0.2;
  EXPECT_TRUE(shell("sleep 100", limits).too_long);
}

TEST(OneRun, KeepsTheFirstOfMuch) {
  const RunResult result = shell("yes | head -c 3000000; yes | head -c 3000000 >&2");
  EXPECT_EQ(result.printed.size(), std::size_t{1} << 16);
  EXPECT_EQ(result.complained.size(), std::size_t{1} << 16);
  EXPECT_EQ(result.status, 0);
}

TEST(OneRun, HasAnEnvironmentAndFilesOfItsOwn) {
  setenv("ANDREA_TEST_SECRET", "7919", 1);
  EXPECT_EQ(shell("echo $ANDREA_TEST_SECRET; ls /proc/self/fd | wc -l; cat").printed, "\n4\n");
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/large";
  EXPECT_NE(shell("head -c 1001 /dev/zero > " + path).status, 0);
  EXPECT_EQ(shell("head -c 1000 /dev/zero > " + path).status, 0);
}

// Even what has a session of its own, and holds the pipes.
TEST(OneRun, LeavesNothingBehind) {
  const auto begin = std::chrono::steady_clock::now();
  const RunResult result = shell("setsid sleep 1000 & echo $!");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(9));
  EXPECT_EQ(result.status, 0);
  const int left = std::stoi(result.printed);
  EXPECT_NE(kill(left, 0), 0) << left << " is still there";
}

}  // namespace
}  // namespace andrea::judge
