#include "trainer/run/stop_signal.h"

#include <gtest/gtest.h>

#include <csignal>

namespace andrea {
namespace {

TEST(StopSignalTest, TellsWhichCame) {
  const StopSignal stop;
  EXPECT_EQ(stop.received(), nullptr);
  std::raise(SIGTERM);
  EXPECT_STREQ(stop.received(), "SIGTERM");
  std::raise(SIGINT);
  EXPECT_STREQ(stop.received(), "Ctrl-C");
}

TEST(StopSignalTest, ANewOneHasReceivedNothing) {
  {
    const StopSignal stop;
    std::raise(SIGINT);
    EXPECT_STREQ(stop.received(), "Ctrl-C");
  }
  const StopSignal stop;
  EXPECT_EQ(stop.received(), nullptr);
}

TEST(StopSignalDeathTest, TheSecondCtrlCEndsTheProgram) {
  EXPECT_EXIT(
      {
        const StopSignal stop;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(StopSignalDeathTest, AfterwardsSignalsEndTheProgramAgain) {
  EXPECT_EXIT(
      {
        { const StopSignal stop; }
        std::raise(SIGTERM);
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace andrea
