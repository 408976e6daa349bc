// The weights of a run are a function of its data and its seed alone: not of the number of threads.
// (Two threads would hide much: sums split in halves often round alike.)

#include <gtest/gtest.h>

#include <string>

#include "tests/end_to_end/program.h"

namespace andrea {
namespace {

class DeterminismTest : public ProgramTest {
 protected:
  // A model large enough for its work to be divided among threads.
  std::string trained(const std::string& run, const Words& flags) const {
    Words all = {"--layers",
                 "2",
                 "--heads",
                 "3",
                 "--width",
                 "96",
                 "--context",
                 "48",
                 "--batch",
                 "5",
                 "--accumulate",
                 "2",
                 "--steps",
                 "5",
                 "--validate-every",
                 "5",
                 "--checkpoint-every",
                 "5"};
    all.insert(all.end(), flags.begin(), flags.end());
    train_small_run(run, all);
    return essence_of(run);
  }
};

TEST_F(DeterminismTest, ThreadsDoNotChangeABit) {
  const std::string alone = trained("one", {"--threads", "1"});
  EXPECT_GT(alone.size(), 100'000u);
  for (const char* threads : {"2", "3", "7"}) {
    EXPECT_TRUE(trained(threads, {"--threads", threads}) == alone) << threads << " threads";
  }
}

TEST_F(DeterminismTest, SeedsDo) {
  const std::string first = trained("first", {"--seed", "1"});
  EXPECT_TRUE(trained("again", {"--seed", "1"}) == first);
  EXPECT_FALSE(trained("second", {"--seed", "2"}) == first);
}

}  // namespace
}  // namespace andrea
