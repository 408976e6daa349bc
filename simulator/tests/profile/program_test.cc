// What the environment asks of a whole program.

#include <gtest/gtest.h>
#include <simulator/counters.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "simulator/tests/harness/child.h"
#include "simulator/tests/profile/kernels.h"

namespace {

using simulator_test::Ending;
using simulator_test::run_again;

const char* const kRows = "rows";
const char* const kCounts = "counts";

#ifdef FAST_BUILD

TEST(Program, FastBuildSaysThatNothingWasCounted) {
  const Ending ending = run_again(kRows, {{"SIMULATOR_PROFILE", "1"}});
  EXPECT_EQ(ending.status, 0) << ending.text;
  EXPECT_NE(ending.text.find("a profile was asked for, but nothing was counted"), std::string::npos)
      << ending.text;
}

#else

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Program, PrintsATable) {
  const Ending ending = run_again(kRows, {{"SIMULATOR_PROFILE", "1"}});
  EXPECT_EQ(ending.status, 0) << ending.text;
  EXPECT_TRUE(ending.reports.empty());
  EXPECT_NE(ending.text.find("double_rows"), std::string::npos) << ending.text;
  EXPECT_EQ(ending.text.find('\033'), std::string::npos);
}

TEST(Program, PrintsNoneUnasked) {
  EXPECT_EQ(run_again(kRows, {}).text, "");
  EXPECT_EQ(run_again(kRows, {{"SIMULATOR_PROFILE", "0"}}).text, "");
}

TEST(Program, WritesAPage) {
  const std::string file = testing::TempDir() + "/profile.html";
  const Ending ending = run_again(kRows, {{"SIMULATOR_PROFILE_HTML", file}});
  EXPECT_EQ(ending.text, "");
  EXPECT_NE(text_of(file).find("double_rows"), std::string::npos);
  std::remove(file.c_str());
}

TEST(Program, SaysThatItCannotWriteThePage) {
  const Ending ending = run_again(kRows, {{"SIMULATOR_PROFILE_HTML", "/nowhere/profile.html"}});
  EXPECT_NE(ending.text.find("could not write the profile to '/nowhere/profile.html'"),
            std::string::npos)
      << ending.text;
}

TEST(Program, CanCountWhileItIsProfiled) {
  const Ending ending = run_again(kCounts, {{"SIMULATOR_PROFILE", "1"}});
  EXPECT_EQ(ending.text.rfind("counted 2 requests\n", 0), 0u) << ending.text;
  EXPECT_NE(ending.text.find("2 launches"), std::string::npos) << ending.text;
}

#endif

void run(std::string_view what) {
  profile_test::rows_of(32, 1);
  if (what != kCounts) return;
  simulator::start_counting();
  profile_test::rows_of(32, 1);
  const simulator::Counters counters = simulator::stop_counting();
  const simulator::KernelCounters all = counters.total();
  const std::uint64_t requests = all.of(simulator::AccessKind::global_load).requests +
                                 all.of(simulator::AccessKind::global_store).requests;
  std::cout << "counted " << requests << " requests" << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && (std::string_view(argv[1]) == kRows || std::string_view(argv[1]) == kCounts)) {
    run(argv[1]);
    return 0;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
