#include "trainer/commands/checkpoint_choice.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"
#include "trainer/checkpoint/checkpoint.h"
#include "trainer/model/test_model.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

// A run with checkpoints of steps 2 and 4.
class CheckpointChoiceTest : public testing::Test {
 protected:
  CheckpointChoiceTest() : before_(fs::current_path()) {
    fs::current_path(folder_.path());
    fs::create_directories("runs/tiny");
    write_file("runs/tiny/config.toml", "");
    const Tokenizer tokenizer({{'t', 'h'}, {257, 'e'}, {' ', 't'}});
    Learner learner(test_model(), 1, 1);
    for (const std::int64_t step : {2, 4}) {
      save_checkpoint("runs/tiny/checkpoints", {.step = step}, learner, tokenizer, 0);
    }
  }
  ~CheckpointChoiceTest() override { fs::current_path(before_); }

  void damage(const fs::path& checkpoint) {
    write_file(checkpoint / "model.safetensors", "damaged");
  }

  std::string refusal(const std::string& path) {
    return message_of<Error>([&] { choose_checkpoint(path); });
  }

  const fs::path two_ = "runs/tiny/checkpoints/step_000002";
  const fs::path four_ = "runs/tiny/checkpoints/step_000004";

 private:
  const TestFolder folder_;
  const fs::path before_;
};

TEST_F(CheckpointChoiceTest, ARunMeansItsNewestCheckpoint) {
  EXPECT_EQ(choose_checkpoint("runs/tiny"), four_);
  EXPECT_EQ(choose_checkpoint("runs/tiny/"), "runs/tiny/checkpoints/step_000004");
  EXPECT_EQ(choose_checkpoint(two_.string()), two_);
}

TEST_F(CheckpointChoiceTest, SaysWhichRunIsTakenWhereNoneIsNamed) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(choose_checkpoint(""), four_);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "Taking the newest run, runs/tiny.\n");
  testing::internal::CaptureStderr();
  EXPECT_EQ(choose_checkpoint("runs/tiny"), four_);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(CheckpointChoiceTest, ADamagedOneIsPassedOverInARun) {
  damage(four_);
  testing::internal::CaptureStderr();
  EXPECT_EQ(choose_checkpoint("runs/tiny"), two_);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("Passed over: " + four_.string()),
            std::string::npos);
  damage(two_);
  EXPECT_NE(refusal("runs/tiny").find("every checkpoint"), std::string::npos);
}

TEST_F(CheckpointChoiceTest, ADamagedOneThatIsNamedIsRefused) {
  damage(four_);
  EXPECT_NE(refusal(four_.string()).find("model.safetensors is damaged"), std::string::npos);
}

TEST_F(CheckpointChoiceTest, AModelMayStandAlone) {
  fs::create_directory("model");
  fs::copy_file(four_ / "model.safetensors", "model/model.safetensors");
  EXPECT_EQ(choose_checkpoint("model"), "model");
}

TEST_F(CheckpointChoiceTest, WhatHoldsNoneIsRefused) {
  EXPECT_EQ(refusal("none"), "there is no checkpoint none");
  EXPECT_EQ(refusal("runs/tiny/config.toml"), "there is no checkpoint runs/tiny/config.toml");
  fs::create_directory("empty");
  EXPECT_EQ(refusal("empty"),
            "empty holds no checkpoint yet; name a run or a checkpoint with --checkpoint");
  fs::remove_all("runs");
  EXPECT_NE(refusal("").find("there is no run"), std::string::npos);
}

}  // namespace
}  // namespace andrea
