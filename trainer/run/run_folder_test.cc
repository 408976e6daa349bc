#include "trainer/run/run_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "trainer/base/error.h"
#include "trainer/base/file.h"
#include "trainer/base/test_folder.h"

namespace andrea {
namespace {

namespace fs = std::filesystem;

// Runs lie below the working folder.
class RunFolderTest : public testing::Test {
 protected:
  RunFolderTest() : before_(fs::current_path()) { fs::current_path(folder_.path()); }
  ~RunFolderTest() override { fs::current_path(before_); }

  // A run whose named file was written so many minutes ago.
  void make_run(const std::string& name, const std::string& file, int minutes) {
    const fs::path run = fs::path("runs") / name;
    fs::create_directories(run);
    if (!fs::exists(run / "config.toml")) write_file(run / "config.toml", "");
    write_file(run / file, "");
    fs::last_write_time(run / file,
                        fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
  }

 private:
  const TestFolder folder_;
  const fs::path before_;
};

TEST_F(RunFolderTest, AnUnusedOneGetsANumber) {
  EXPECT_EQ(unused_run_folder("tiny").path, "runs/tiny");
  fs::create_directories("runs/tiny");
  EXPECT_EQ(unused_run_folder("tiny").path, "runs/tiny-2");
  fs::create_directories("runs/tiny-2");
  fs::create_directories("runs/tiny-4");
  EXPECT_EQ(unused_run_folder("tiny").path, "runs/tiny-3");
  write_file("runs/nano", "a file is in the way, too");
  EXPECT_EQ(unused_run_folder("nano").path, "runs/nano-2");
}

TEST_F(RunFolderTest, TheNewestIsTheOneLastWrittenTo) {
  make_run("a", "metrics.jsonl", 30);
  make_run("b", "metrics.jsonl", 10);
  make_run("c", "metrics.jsonl", 20);
  EXPECT_EQ(newest_run_folder().path, "runs/b");
  // One that has just begun has no metrics yet.
  make_run("d", "config.toml", 5);
  EXPECT_EQ(newest_run_folder().path, "runs/d");
  make_run("a", "metrics.jsonl", 1);
  EXPECT_EQ(newest_run_folder().path, "runs/a");
}

TEST_F(RunFolderTest, WhatIsNoRunIsPassedOver) {
  const auto refusal = [] { return message_of<Error>([] { newest_run_folder(); }); };
  EXPECT_EQ(refusal(),
            "there is no run in the folder runs; start one with ./andrea train, or name one");
  fs::create_directories("runs/empty");
  write_file("runs/file", "");
  EXPECT_NE(refusal(), "");
  make_run("a", "metrics.jsonl", 3);
  EXPECT_EQ(newest_run_folder().path, "runs/a");
}

TEST_F(RunFolderTest, ARunIsNotBegunOverAnother) {
  const RunFolder run{"runs/a"};
  make_run_folder(run, /*resume=*/false);
  EXPECT_TRUE(fs::is_directory("runs/a"));
  make_run("a", "config.toml", 1);
  EXPECT_EQ(message_of<Error>([&] { make_run_folder(run, /*resume=*/false); }),
            "runs/a already holds a run; continue it with --resume, or name another folder with "
            "--out");
  EXPECT_NO_THROW(make_run_folder(run, /*resume=*/true));
  write_file("file", "");
  EXPECT_NE(message_of<Error>([] {
              make_run_folder({"file/run"}, false);
            }).find("cannot make the folder file/run: "),
            std::string::npos);
}

TEST_F(RunFolderTest, WhatWasSetUpGoesAndNothingElse) {
  const RunFolder run{"runs/a"};
  const auto set_up = [&] {
    make_run("a", "config.toml", 1);
    write_file("runs/a/.lock", "");
    fs::create_directories(run.tokenizer());
    fs::create_directories(run.data() / "part");
  };
  set_up();
  remove_set_up(run);
  EXPECT_FALSE(fs::exists("runs/a"));
  set_up();
  write_file("runs/a/notes.txt", "mine");
  remove_set_up(run);
  EXPECT_TRUE(fs::exists("runs/a/notes.txt"));
  EXPECT_FALSE(run.holds_a_run());
}

TEST_F(RunFolderTest, OnlyOneProcessHoldsARun) {
  fs::create_directories("runs/a");
  fs::create_directories("runs/b");
  const RunFolder a{"runs/a"}, b{"runs/b"};
  auto lock = std::make_unique<RunLock>(a);
  // A second opening of the file stands for another process: flock tells them apart alike.
  EXPECT_EQ(
      message_of<Error>([&] { RunLock second(a); }),
      "another process is training in runs/a; wait for it, or name another folder with --out");
  EXPECT_NO_THROW(RunLock other(b));
  lock.reset();
  EXPECT_NO_THROW(RunLock again(a));
  EXPECT_EQ(message_of<Error>([&] { RunLock missing({"runs/none"}); }),
            "cannot write runs/none/.lock: No such file or directory");
}

}  // namespace
}  // namespace andrea
