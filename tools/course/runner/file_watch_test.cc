#include "tools/course/runner/file_watch.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace andrea::course {
namespace {

namespace fs = std::filesystem;

// With and without the system's help.
class FileWatchTest : public ::testing::TestWithParam<bool> {
 protected:
  FileWatchTest() : root_(fs::path(::testing::TempDir()) / "file_watch_test") {
    fs::remove_all(root_);
    fs::create_directories(root_ / "a");
    write("a/kernel.cu", "one");
    watch_ = std::make_unique<FileWatch>(
        root_, std::vector<std::string>{"a/kernel.cu", "a/absent.cu"}, GetParam());
  }

  void write(const std::string& file, const std::string& text) const {
    std::ofstream(root_ / file, std::ios::binary) << text;
  }

  // Everything that is noticed until nothing more comes for `milliseconds`.
  std::vector<Saved> noticed(int milliseconds) {
    std::vector<Saved> all;
    for (int waited = 0; waited < milliseconds;) {
      pollfd file{watch_->descriptor(), POLLIN, 0};
      poll(&file, 1, 20);
      const auto now = watch_->saved();
      all.insert(all.end(), now.begin(), now.end());
      waited = now.empty() ? waited + 20 : 0;
    }
    return all;
  }

  fs::path root_;
  std::unique_ptr<FileWatch> watch_;
};

constexpr int kSilence = 1000;

TEST_P(FileWatchTest, ASaveIsNoticedWithBothTexts) {
  write("a/kernel.cu", "two");
  const auto saved = noticed(kSilence);
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_EQ(saved[0].file, "a/kernel.cu");
  EXPECT_EQ(saved[0].before, "one");
  EXPECT_EQ(saved[0].after, "two");
  EXPECT_EQ(GetParam(), watch_->descriptor() < 0);
}

TEST_P(FileWatchTest, AFileThatIsRenamedOverItIsASave) {
  for (const std::string text : {"three", "four"}) {
    write("a/kernel.cu~", text);
    fs::rename(root_ / "a/kernel.cu~", root_ / "a/kernel.cu");
    const auto saved = noticed(kSilence);
    ASSERT_EQ(saved.size(), 1u);
    EXPECT_EQ(saved[0].after, text);
  }
}

TEST_P(FileWatchTest, ASeriesOfWritesIsOneSave) {
  for (int i = 0; i < 5; ++i) write("a/kernel.cu", "part " + std::to_string(i));
  const auto saved = noticed(kSilence);
  ASSERT_EQ(saved.size(), 1u);
  EXPECT_EQ(saved[0].after, "part 4");
}

TEST_P(FileWatchTest, WhatHoldsTheSameOrIsNotWatchedIsNoSave) {
  write("a/kernel.cu", "one");
  write("a/.kernel.cu.swp", "an editor's own");
  fs::remove(root_ / "a/kernel.cu");
  EXPECT_TRUE(noticed(kSilence).empty());
  write("a/kernel.cu", "five");
  write("a/absent.cu", "six");
  EXPECT_EQ(noticed(kSilence).size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(BothWays, FileWatchTest, ::testing::Bool());

TEST(MountTest, LocalFoldersTellOfChanges) {
  EXPECT_TRUE(tells_of_changes(::testing::TempDir()));
  EXPECT_FALSE(tells_of_changes("/no/such/folder"));
}

}  // namespace
}  // namespace andrea::course
