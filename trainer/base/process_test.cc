#include "trainer/base/process.h"

#include <gtest/gtest.h>

#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

TEST(Process, GivesOutputErrorsAndStatus) {
  const ProcessResult result =
      run_process({"sh", "-c", "echo out; echo err >&2; echo $LC_ALL; exit 3"}, "/");
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.output, "out\nC\n");
  EXPECT_EQ(result.errors, "err\n");
}

TEST(Process, PassesArgumentsUntouchedAndRunsInTheFolder) {
  const TestFolder folder;
  folder.write("a b; $(c)", "contents");
  EXPECT_EQ(run_process({"cat", "a b; $(c)"}, folder.path()).output, "contents");
}

TEST(Process, HoldsLongOutputOnBothStreams) {
  const ProcessResult result = run_process(
      {"sh", "-c", "head -c 1000000 /dev/zero; head -c 500000 /dev/zero >&2; cat"}, "/");
  EXPECT_EQ(result.output.size(), 1'000'000u);
  EXPECT_EQ(result.errors.size(), 500'000u);
}

TEST(Process, TellsMissingProgramsAndSignals) {
  EXPECT_EQ(run_process({"no-such-program"}, "/").status, 127);
  EXPECT_EQ(run_process({"no-such-program"}, "/").errors, "there is no program no-such-program");
  EXPECT_EQ(run_process({"sh", "-c", "kill -9 $$"}, "/").status, 137);
}

}  // namespace
}  // namespace andrea
